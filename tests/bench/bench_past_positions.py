"""Time to reconstruct a position of a long game."""

import os
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median
from time import process_time
from unittest import mock

import django

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import Move

Figure = tuple[str, float | str, str]

# Moves and seats of the game, and the numbers of the positions.
MOVES, SEATS = 250, 6
LOOKED_FOR = (0, 50, 100, 150, 200, 250)
REPEATS = 15


def positions() -> Iterator[Figure]:
    """The slowest of some positions of a game of 250 moves, as the page of past positions makes it.

    The turns after the position are replayed too, so its place in the log makes no difference.
    """
    seed, texts = _long_game()
    yield "position_k_of_250", max(_milliseconds(_walk(seed, texts, number)) for number in LOOKED_FOR), "ms"


def _long_game() -> tuple[bytes, list[str]]:
    """Seed of a long game of six, and its first moves in notation."""
    rules = acquire.PRESETS["avalon-hill"]
    for number in range(1000):
        rng = Random(number)
        seed = rng.randbytes(32)
        state, texts = acquire.deal(rules, SEATS, seed), list[str]()
        while (legal := acquire.legal_moves(state)) and len(texts) < MOVES:
            move = _any(legal, rng)
            texts.append(str(move))
            acquire.apply(state, move)
        if len(texts) == MOVES:
            return seed, texts
    raise AssertionError("No game is so long.")


def _any(legal: Sequence[Move], rng: Random) -> Move:
    going_on = [move for move in legal if not getattr(move, "end", False)]
    return rng.choice(going_on or list(legal))


def _walk(seed: bytes, texts: list[str], number: int) -> Callable[[], object]:
    """A function that replays the log to a position and observes it, without a database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
    django.setup()
    from games.archive import past_position
    from games.log.positions import LogLine
    from games.models import Game, LogEntry

    rules = acquire.PRESETS["avalon-hill"]
    game = Game(system="acquire", options=acquire.to_options(rules), version=len(texts))
    log = [LogLine(at, LogEntry.Kind.MOVE, text, None) for at, text in enumerate(texts, start=1)]

    def walk() -> object:
        with mock.patch("games.log.positions.initial_state", lambda game: acquire.deal(rules, SEATS, seed)):
            return acquire.observe(past_position._walk(game, log, {number}).states[number], 0)

    return walk


def _milliseconds(work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(REPEATS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times) * 1e3
