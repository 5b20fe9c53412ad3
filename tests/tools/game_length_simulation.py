"""Length of games by correspondence, with and without stored answers.

It runs as `python -m tests.tools.game_length_simulation`.

Whole games of people who play as the computer of medium strength does, without a database: the rules, the
orders, the plans and the way in which answers in store are found are those of the site. Each deal is played
twice: plain, where every decision is asked, and with all that answers without asking. A hand-off is whenever
another person than before must be asked and waited for. For each number of players one line of JSON tells
hand-offs and days of a game, on an average.

In the second game

- each player has one standing order: any chain, trade as many as possible, sell the rest;
- for half of the turns there is a plan, made with what its owner saw last: at the end of the own last turn,
  or when asked since. Whose turn was played from a plan was not there, and looks in after as long as an
  answer takes. The plan is the tile that a computer of medium strength takes, with what it would found or let
  survive and four purchases in order of preference, the last of nothing; all "only if nothing changed next
  to it". What it leaves open, and what it cannot do to the letter, is asked;
- what public information forces is not asked.

Answers take a time that is log-normal, with a median of 5 hours and 90 % within 24. One that would come
between 23 and 7 o'clock comes at 7. A person asked twice in a row answers the second time at once.
"""

import argparse
import json
import math
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final

from games.engine import ready_move
from games.engine.bots.bot_levels import BOTS
from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.acquire.turn_plan import MAX_PURCHASES, Plan
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import Buy, Move
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import ask_for_tile
from games.engine.rules.rule_systems import SYSTEMS
from games.engine.rules.seeded_random import SEED_BYTES
from games.engine.standing_orders.acquire.merger_order import ANY, Order, topic

SYSTEM: Final = "acquire"
RULES: Final = acquire.PRESETS["avalon-hill"]
LEVEL: Final = BOTS[SYSTEM]["medium"]
ORDER: Final = Order(chain=ANY, hold=0, trade=None)
PLANNED: Final = 0.5

# Hours: half of all answers come within the first number, nine of ten within the second.
HALF: Final = 5.0
NINE_OF_TEN: Final = 24.0
DEVIATION: Final = math.log(NINE_OF_TEN / HALF) / 1.2815515655446004
MORNING, NIGHT, DAY = 7, 23, 24


@dataclass(slots=True)
class Clock:
    """The time of day, in hours since midnight before the game."""

    rng: Random
    now: float

    def answer(self) -> float:
        """Return when somebody who is asked now answers."""
        then = self.now + self.rng.lognormvariate(math.log(HALF), DEVIATION)
        hour = then % DAY
        if hour >= NIGHT:
            return then - hour + DAY + MORNING
        return then if hour >= MORNING else then - hour + MORNING


@dataclass(slots=True)
class InStore:
    """The stored answers of one player."""

    skips: bool
    ordered: Mapping[str, Order]
    planned: Plan | None = None

    def orders(self, occasion: str) -> Mapping[str, Order]:
        return self.ordered

    def mark_used(self, topic: str, occasion: str) -> None:
        """Do nothing: a standing order without `once` is not used up."""

    def plan(self) -> Plan | None:
        return self.planned

    def stop(self, reason: OwnerMustDecide) -> None:
        self.planned = None


@dataclass(slots=True)
class Table:
    """One game while it is played; `stored` says whether stored answers are used.

    asked      the last person who was asked
    plans      by seat, whether there is to be a plan for the next turn
    looking    by seat, when somebody looks in whose turn was played without asking
    """

    state: State
    rng: Random
    clock: Clock
    stored: bool
    handoffs: int = 0
    asked: int | None = None
    stores: list[InStore] = field(init=False)
    plans: list[bool] = field(init=False)
    looking: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ordered = {topic(ORDER): ORDER} if self.stored else {}
        self.stores = [InStore(self.stored, ordered) for _ in range(self.state.seats)]
        self.plans = [False] * self.state.seats

    def play(self) -> None:
        """Play to the end."""
        while (seat := acquire.decider(self.state)) is not None:
            turn = self.state.turn
            ready = ready_move.ready_answer(SYSTEM, self.state, self.stores[seat])
            if ready is None:
                self._wait_for(seat)
            acquire.apply(self.state, ready[0] if ready else choose(self.state, self.rng))
            if self.state.turn != turn:
                self._end_turn(turn)
            elif ready is None and seat != turn:
                self._plan(seat)

    def _wait_for(self, seat: int) -> None:
        """Wait for this person's answer; meanwhile others look in."""
        if seat == self.asked:
            return
        self.asked = seat
        self.handoffs += 1
        self.looking.pop(seat, None)
        then = self.clock.answer()
        for other in [other for other, hour in self.looking.items() if hour <= then]:
            del self.looking[other]
            self._plan(other)
        self.clock.now = then

    def _end_turn(self, seat: int) -> None:
        self.stores[seat].planned = None
        self.plans[seat] = self.stored and self.rng.random() < PLANNED
        if seat == self.asked:
            self._plan(seat)
        elif self.plans[seat]:
            self.looking[seat] = self.clock.answer()

    def _plan(self, seat: int) -> None:
        """Plan the next turn with what can be seen now."""
        if self.plans[seat] and self.state.turn != seat:
            seen = acquire.observe(self.state, seat, memory=True)
            self.stores[seat].planned = plan(seen, self.rng)


# -- Decisions ---------------------------------------------------------------------------------------------


def choose(state: State, rng: Random) -> Move:
    """Return the decision of the person who is asked."""
    seen = acquire.observe(state, acquire.decider(state), memory=True)
    move: Move = LEVEL.choose(seen, seen.legal, rng)
    return move


def plan(seen: Observation, rng: Random) -> Plan | None:
    """Return this observer's plan for the next turn, None without a tile to plan."""
    state = acquire.sample_state(seen, rng) if not seen.ended else None
    if state is None or not _go_to_turn(state, seen.seat, rng):
        return None
    tile = choose(state, rng)
    acquire.apply(state, tile)
    mine: dict[str, tuple[Move, ...]] = {}
    while (kind := state.decision.kind) not in ("place", "stuck", "over"):
        first = choose(state, rng)
        if kind == "buy":
            # Declaring the end is decided in the turn itself.
            mine[kind] = _purchases(state, rng)
        elif kind != "dispose":
            mine[kind] = (first, *(move for move in acquire.legal_moves(state) if move != first))
        acquire.apply(state, first)
    return Plan(tile.square, tuple(seen.board), mine)  # type: ignore[attr-defined]


def _go_to_turn(state: State, seat: int | None, rng: Random) -> bool:
    """Make it this seat's turn, as if a pending merger were settled and the others had passed."""
    while state.decision.kind in ("found", "survivor", "next", "dispose"):
        acquire.apply(state, choose(state, rng))
    if acquire.decider(state) is None or seat is None:
        return False
    state.turn = seat
    ask_for_tile(state)
    return state.decision.kind == "place"


def _purchases(state: State, rng: Random) -> tuple[Move, ...]:
    """Purchases in order of preference: each the best that shares nothing with those before it."""
    seen = acquire.observe(state, acquire.decider(state), memory=True)
    left = [move for move in seen.legal if isinstance(move, Buy) and not move.end and move.shares]
    nothing = next(move for move in seen.legal if isinstance(move, Buy) and not (move.end or move.shares))
    found: list[Buy] = []
    while left and len(found) < MAX_PURCHASES - 1:
        best = LEVEL.choose(seen, left, rng)
        found.append(best)
        left = [move for move in left if not set(move.shares) & set(best.shares)]
    return (*found, nothing)


# -- Many games --------------------------------------------------------------------------------------------


def play(players: int, game: str, *, stored: bool) -> tuple[int, float]:
    """Play the game of this name and return its hand-offs and days."""
    state = acquire.deal(RULES, players, Random(game).randbytes(SEED_BYTES))
    times = Random(f"{game} answers")
    began = times.uniform(MORNING, NIGHT)
    table = Table(state, Random(f"{game} moves"), Clock(times, began), stored)
    table.play()
    return table.handoffs, (table.clock.now - began) / DAY


def play_twice(players: int, seed: int, number: int) -> tuple[int, float, int, float]:
    """Play the game of this number with stored answers, and plain."""
    game = f"{seed} {players} {number}"
    return *play(players, game, stored=True), *play(players, game, stored=False)


def measure(players: int, games: int, seed: int, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """Return the average hand-offs and days of this many games."""
    played = pool.map(partial(play_twice, players, seed), range(games), chunksize=10)
    names = ("handoffs", "days", "handoffs_plain", "days_plain")
    means = {name: sum(values) / games for name, values in zip(names, zip(*played, strict=True), strict=True)}
    keys = ("handoffs", "handoffs_plain", "days", "days_plain")
    return {"players": players, **{name: round(means[name], 1) for name in keys}}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.game_length_simulation", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--games", type=int, default=500, help="for each number of players (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which games (%(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (%(default)s)")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.processes) as pool:
        for players in SYSTEMS[SYSTEM].SEATS:
            print(json.dumps(measure(players, options.games, options.seed, pool)), flush=True)


if __name__ == "__main__":
    main()
