"""A match: the same players again and again, in changing seats; and one game of it."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from itertools import groupby, permutations
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from traceback import format_exc
from typing import Any

from games.bots import BOTS, YARDSTICKS, Bot, Cap, never
from games.rules import SYSTEMS

# A game with more moves than this would never end.
LONGEST = 5_000


class BrokenGame(Exception):
    """A game that could not be played to its end; the message says which one and why."""


@dataclass(frozen=True)
class Match:
    """Who plays which rules, from which seed; with `real_time` nobody thinks longer than it is allowed.

    `players` are keys of BOTS or YARDSTICKS, as many as sit at the table. An empty `preset` stands for
    the first one of the rule system. Raises ValueError, with a sentence, for what cannot be played.
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
        """A file name that tells it from others: `expert-3medium-classic-seed1`."""
        groups = [(name, len([*same])) for name, same in groupby(self.players)]
        parts = [f"{count if count > 1 else ''}{name}" for name, count in groups]
        parts += [self.system, self.preset, f"seed{self.seed}", *(["real-time"] if self.real_time else [])]
        return "-".join(parts)

    def command(self, games: int) -> str:
        """The command that plays so many games of it."""
        words = [f"manage.py arena --players {','.join(self.players)} --games {games} --seed {self.seed}"]
        words += [f"--system {self.system}"] if self.system != Match.system else []
        words += (
            [f"--preset {self.preset}"] if self.preset != next(iter(SYSTEMS[self.system].PRESETS)) else []
        )
        words += ["--real-time"] if self.real_time else []
        return " ".join(words)

    def seating(self, number: int) -> tuple[str, ...]:
        """The players by seat in the game of this number, from 0."""
        orders = seatings(self.players)
        return orders[number % len(orders)]

    def secret(self, *numbers: int) -> bytes:
        """32 bytes for a game, or for a game and a seat."""
        return sha256(" ".join(map(str, (self.seed, *numbers))).encode()).digest()


@dataclass(frozen=True)
class Result:
    """A finished game. All tuples are by seat.

    `won` are shares of the win, which add up to 1; `money` is what the game is won by (dollars, large
    buildings); `decisions` are those with more than one legal move, `seconds` the time they took,
    `slowest` the longest of them, and `capped` how many ended because the time was up.
    That time is the processor's, which does not count what other programs take of it, and in real time
    that of the clock on the wall, as the caps are.
    `took` is how many seconds of the processor the whole game needed. `timed` is whether these times are
    those of plain Python.
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
        """Whether both are the same game, however long it took."""
        return (self.players, self.money, self.moves) == (other.players, other.money, other.moves)


def bots(system: str) -> dict[str, Bot]:
    """Everybody who can be asked to play a rule system."""
    return BOTS.get(system, {}) | YARDSTICKS.get(system, {})


def frozen(record: dict[str, Any]) -> dict[str, Any]:
    """The record of a match or a result with tuples for lists, as it was before JSON."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}


@cache
def is_compiled() -> bool:
    """Whether rules or players were compiled: they play the same games then, only sooner."""
    files = [
        getattr(module, "__file__", None)
        for name, module in sys.modules.items()
        if name.startswith(("games.rules", "games.bots"))
    ]
    return any(Path(file).suffix != ".py" for file in files if file)


@lru_cache(maxsize=16)
def seatings(players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every different order of the players, an order and its rotations one after the other.

    So even a part of them gives each player each seat about equally often.
    """
    found: dict[tuple[str, ...], None] = {}
    for order in permutations(players):
        if order not in found:
            found.update(dict.fromkeys(order[turn:] + order[:turn] for turn in range(len(order))))
    return tuple(found)


def play(match: Match, number: int) -> Result:
    """Play the game of this number, always the same one. Raises BrokenGame."""
    try:
        return _play(match, number)
    except Exception as error:
        raise BrokenGame(f"Game {number} of {match.name} broke.\n{format_exc()}") from error


class _Seat:
    """A player at the table, and the time it has taken."""

    def __init__(self, bot: Bot, chance: bytes, real_time: bool) -> None:
        self.bot = bot
        self.rng = Random(chance)
        self.seconds_allowed = bot.seconds if real_time else None
        self.clock = perf_counter if real_time else process_time
        self.decisions = self.capped = 0
        self.seconds = self.slowest = 0.0

    def choose(self, seen: Any, legal: Any) -> Any:
        out_of_time = never if self.seconds_allowed is None else Cap(self.seconds_allowed)
        began = self.clock()
        move = self.bot.choose(seen, legal, self.rng, out_of_time)
        took = self.clock() - began
        if len(legal) > 1:
            self.decisions += 1
            self.seconds += took
            self.slowest = max(self.slowest, took)
            self.capped += isinstance(out_of_time, Cap) and out_of_time.struck
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
        if moves == LONGEST:
            raise RuntimeError(f"It did not end in {LONGEST} moves.")
        legal = rules.legal_moves(state)
        move = seats[decider].choose(rules.observe(state, decider, memory=True), legal)
        rules.check(state, move)
        rules.apply(state, move)
        moves += 1
    standings = rules.standings(state)
    return Result(
        number,
        players,
        won=tuple(_shares_of_the_win(standings)),
        money=tuple(_by_seat(standings)),
        moves=moves,
        decisions=tuple(seat.decisions for seat in seats),
        seconds=tuple(round(seat.seconds, 6) for seat in seats),
        slowest=tuple(round(seat.slowest, 6) for seat in seats),
        capped=tuple(seat.capped for seat in seats),
        took=round(process_time() - began, 3),
        timed=not is_compiled(),
    )


def _by_seat(standings: Any) -> Iterator[int]:
    for _, _, points in sorted(standings, key=lambda standing: standing[1]):
        yield points


def _shares_of_the_win(standings: Any) -> Iterator[float]:
    winners = {seat for rank, seat, _ in standings if rank == 1}
    for seat in range(len(standings)):
        yield (seat in winners) / len(winners)
