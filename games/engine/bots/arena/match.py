"""Matches: a fixed set of players in changing seats, and the play of one game."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import groupby, permutations
from random import Random
from time import perf_counter, process_time
from traceback import format_exc
from typing import Any

from games.engine.bots.bot_levels import BOTS, YARDSTICKS, Bot
from games.engine.bots.thinking_time import ThinkingTime, no_time_limit
from games.engine.compiled_modules import is_compiled
from games.engine.rules.rule_systems import SYSTEMS

# A game with more moves than this is considered endless.
MAX_MOVES = 5_000


class BrokenGame(Exception):
    """A game that could not be finished; the message names the game and the error."""


@dataclass(frozen=True)
class Match:
    """The players, rules and seed of a match; `real_time` applies the levels' time limits.

    `players` are keys of BOTS or YARDSTICKS, one for each seat. An empty `preset` stands for the first
    one of the rule system. Raises ValueError, with a sentence, for an impossible match.
    """

    players: tuple[str, ...]
    seed: int = 1
    preset: str = ""
    system: str = next(iter(SYSTEMS))
    real_time: bool = False

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            raise ValueError(f"There is no rule system {self.system!r}; there are {', '.join(SYSTEMS)}.")
        rules = SYSTEMS[self.system]
        if not self.preset:
            object.__setattr__(self, "preset", next(iter(rules.PRESETS)))
        if self.preset not in rules.PRESETS:
            raise ValueError(f"There is no preset {self.preset!r}; there are {', '.join(rules.PRESETS)}.")
        for name in self.players:
            if name not in bots(self.system):
                raise ValueError(f"There is no player {name!r}; there are {', '.join(bots(self.system))}.")
        if len(self.players) not in rules.SEATS:
            fewest, most = min(rules.SEATS), max(rules.SEATS)
            raise ValueError(f"{fewest} to {most} players sit at a table, not {len(self.players)}.")

    @property
    def name(self) -> str:
        """A distinct file name: `expert-3medium-classic-seed1`."""
        groups = [(name, len([*same])) for name, same in groupby(self.players)]
        parts = [f"{count if count > 1 else ''}{name}" for name, count in groups]
        parts += [self.system, self.preset, f"seed{self.seed}", *(["real-time"] if self.real_time else [])]
        return "-".join(parts)

    def command(self, games: int) -> str:
        """The command that plays this number of games."""
        words = [f"manage.py arena --players {','.join(self.players)} --games {games} --seed {self.seed}"]
        words += [f"--system {self.system}"] if self.system != Match.system else []
        words += (
            [f"--preset {self.preset}"] if self.preset != next(iter(SYSTEMS[self.system].PRESETS)) else []
        )
        words += ["--real-time"] if self.real_time else []
        return " ".join(words)

    def seating(self, number: int) -> tuple[str, ...]:
        """The players by seat in the game of this number, counted from 0."""
        orders = seatings(self.players)
        return orders[number % len(orders)]

    def secret(self, *numbers: int) -> bytes:
        """The 32 bytes of seed for a game, or for a game and a seat."""
        return sha256(" ".join(map(str, (self.seed, *numbers))).encode()).digest()


@dataclass(frozen=True)
class Result:
    """A finished game. All tuples are by seat.

    `won` are shares of the win, which add up to 1; `money` is the score (dollars, large buildings);
    `decisions` counts those with more than one legal move, `seconds` is the time they took,
    `slowest` the longest of them, and `capped` how many ended because the time was up.
    Times are processor times, so that other programs do not count; in real-time matches they are wall
    clock times, as the limits are. `took` is the processor time of the whole game. `timed` tells whether
    these times are those of plain Python.
    """

    game: int
    players: tuple[str, ...]
    won: tuple[float, ...]
    money: tuple[int, ...]
    moves: int
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    slowest: tuple[float, ...]
    capped: tuple[int, ...]
    took: float
    timed: bool = True

    def repeats(self, other: "Result") -> bool:
        """Return whether both are the same game, apart from times."""
        return (self.players, self.money, self.moves) == (other.players, other.money, other.moves)


def bots(system: str) -> dict[str, Bot]:
    """All bots that can play a rule system, by key."""
    return BOTS.get(system, {}) | YARDSTICKS.get(system, {})


def frozen(record: dict[str, Any]) -> dict[str, Any]:
    """The record of a match or a result with tuples instead of lists, as it was before JSON."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}


@lru_cache(maxsize=16)
def seatings(players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """All distinct orders of the players, each followed by its rotations.

    So every player gets each seat about equally often even in a few games.
    """
    found: dict[tuple[str, ...], None] = {}
    for order in permutations(players):
        if order not in found:
            found.update(dict.fromkeys(order[turn:] + order[:turn] for turn in range(len(order))))
    return tuple(found)


def play(match: Match, number: int) -> Result:
    """Play the game of this number, which always has the same result. Raises BrokenGame."""
    try:
        return _play(match, number)
    except Exception as error:
        raise BrokenGame(f"Game {number} of {match.name} broke.\n{format_exc()}") from error


class _Seat:
    """A player of a game, and its time used."""

    def __init__(self, bot: Bot, chance: bytes, real_time: bool) -> None:
        self.bot = bot
        self.rng = Random(chance)
        self.seconds_allowed = bot.seconds if real_time else None
        self.clock = perf_counter if real_time else process_time
        self.decisions = self.capped = 0
        self.seconds = self.slowest = 0.0

    def choose(self, seen: Any, legal: Any) -> Any:
        out_of_time = no_time_limit if self.seconds_allowed is None else ThinkingTime(self.seconds_allowed)
        began = self.clock()
        move = self.bot.choose(seen, legal, self.rng, out_of_time)
        took = self.clock() - began
        if len(legal) > 1:
            self.decisions += 1
            self.seconds += took
            self.slowest = max(self.slowest, took)
            self.capped += isinstance(out_of_time, ThinkingTime) and out_of_time.struck
        return move


def _play(match: Match, number: int) -> Result:
    began = process_time()
    rules = SYSTEMS[match.system]
    players = match.seating(number)
    known = bots(match.system)
    seats = [
        _Seat(known[name], match.secret(number, seat), match.real_time) for seat, name in enumerate(players)
    ]
    state = rules.deal(rules.PRESETS[match.preset], len(players), match.secret(number))
    moves = 0
    while (decider := rules.decider(state)) is not None:
        if moves == MAX_MOVES:
            raise RuntimeError(f"It did not end in {MAX_MOVES} moves.")
        legal = rules.legal_moves(state)
        move = seats[decider].choose(rules.observe(state, decider, memory=True), legal)
        rules.check_move(state, move)
        rules.apply(state, move)
        moves += 1
    standings = rules.standings(state)
    return Result(
        number,
        players,
        won=tuple(_win_shares(standings)),
        money=tuple(_scores_by_seat(standings)),
        moves=moves,
        decisions=tuple(seat.decisions for seat in seats),
        seconds=tuple(round(seat.seconds, 6) for seat in seats),
        slowest=tuple(round(seat.slowest, 6) for seat in seats),
        capped=tuple(seat.capped for seat in seats),
        took=round(process_time() - began, 3),
        timed=not is_compiled(),
    )


def _scores_by_seat(standings: Any) -> Iterator[int]:
    for _, _, points in sorted(standings, key=lambda standing: standing[1]):
        yield points


def _win_shares(standings: Any) -> Iterator[float]:
    winners = {seat for rank, seat, _ in standings if rank == 1}
    for seat in range(len(standings)):
        yield (seat in winners) / len(winners)
