"""Whole games of bots: `python -m tests.tools.bot_soak --games 10000`.

All presets, any mix of options, any number of seats, and at each seat any level, those that search with
a few tries only. Every choice must be legal and every game must end; positions are checked as in
`tests.fuzz`. A fault is printed with the command that repeats its game.
"""

import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any, Final

from games.engine.bots.bot_levels import BOTS, Bot
from games.engine.rules.rule_systems import SYSTEMS
from tests.fuzz import random_games

# The least that a search needs for a decision, so that many games are played.
HURRIED: Final = {"tries": 8, "purchases": 3, "width": 2, "rounds": 1}


def play_game(number: int, system: str = next(iter(SYSTEMS))) -> int:
    """Play the game of this number to its end and return its number of moves; raises FaultyGame."""
    return random_games.play_checked(number, system, "tests.tools.bot_soak", sit_down)


def sit_down(system: str, state: Any, rng: Random) -> random_games.Choose:
    """Choose any level for each seat; its bot sees what the seat may see."""
    seats = [hurried(rng.choice([*BOTS[system].values()])) for _ in range(state.seats)]

    def choose(state: Any, rng: Random) -> Any:
        seat = state.decision.seat
        seen = SYSTEMS[system].observe(state, seat, memory=True)
        return seats[seat](seen, seen.legal, rng)

    return choose


def hurried(bot: Bot) -> Callable[..., Any]:
    """Return how the level chooses, with only a few tries if it searches."""
    search = getattr(bot.choose, "__self__", None)
    return hurried_search(search).choose if is_dataclass(search) else bot.choose


def hurried_search(search: Any) -> Any:
    """The search with as few tries as it can do with."""
    names = {field.name for field in fields(search)}
    return replace(search, **{name: least for name, least in HURRIED.items() if name in names})


if __name__ == "__main__":
    sys.exit(random_games.main(play_game, "tests.tools.bot_soak", __doc__, games=10_000))
