"""Whole games of computer opponents: `python -m tests.soak --games 10000`.

All presets, any mix of options, two to six seats, and at each seat any level, those that search with
a few tries only. Every choice must be legal and every game must end; positions are checked as in
`tests.fuzz`. A fault is printed with the command that repeats its game.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from games.bots import BOTS, Bot
from games.rules.acquire import Move, State, observe
from tests import fuzz

# As few as a decision can do with, so that many games are played: tries, and purchases to be tried.
HURRIED = {"tries": 8, "purchases": 3}


def play_game(number: int) -> int:
    """Play the game of this number to its end; how many moves it took. Raises FaultyGame."""
    return fuzz.play_checked(number, "tests.soak", sit_down)


def sit_down(state: State, rng: Random) -> fuzz.Choose:
    """Any level for each seat; who is asked sees what its seat may."""
    seats = [hurried(rng.choice([*BOTS["acquire"].values()])) for _ in range(state.seats)]

    def choose(state: State, rng: Random) -> Move:
        seat = state.decision.seat
        seen = observe(state, seat, memory=True)
        move: Move = seats[seat](seen, seen.legal, rng)
        return move

    return choose


def hurried(bot: Bot) -> Callable[..., Any]:
    """How the level chooses when it may try its moves a few times only, if it is one that searches."""
    search = getattr(bot.choose, "__self__", None)
    return bot.choose if search is None else replace(search, **HURRIED).choose


if __name__ == "__main__":
    sys.exit(fuzz.main(play_game, "tests.soak", __doc__, games=10_000))
