"""Bots choose by what their seat sees: with other hidden tiles they make the same move."""

from random import Random
from typing import Any

import pytest

from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire import rule_system as acquire
from tests.engine.bots.bot_positions import any_time
from tests.engine.rules.acquire.acquire_positions import midgame
from tests.support.hidden_tiles import choose, shuffle_tiles
from tests.support.proof import few_or_many

DEALS = 5


def peeks(key: str, positions: int) -> tuple[int, int]:
    """Return in how many positions a level chose, and how many other deals changed the choice."""
    rng = Random(f"peeks of {key}")
    asked = told = 0
    while asked < positions:
        state: Any = midgame(rng) if asked % 2 else any_time(rng)
        if not acquire.legal_moves(state):
            continue
        chosen = choose(key, state, Random(asked))
        told += sum(choose(key, shuffle_tiles(state, rng), Random(asked)) != chosen for _ in range(DEALS))
        asked += 1
    return asked, told


@pytest.mark.parametrize("key", BOTS["acquire"])
@pytest.mark.parametrize("positions", few_or_many(40, 500))
def test_no_choice_depends_on_hidden_tiles(key: str, positions: int) -> None:
    assert peeks(key, positions) == (positions, 0)
