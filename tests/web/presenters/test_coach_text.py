"""Coach marks in words."""

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.observation import Observation
from games.lessons.acquire.coach_moments import MOMENTS, coach_moments
from games.web.presenters.acquire.coach_text import coach_mark
from tests.engine.rules.acquire.acquire_positions import position

# Three lines beside the button on a phone.
MOST_LETTERS = 100


def seen(rules: str = "avalon-hill") -> Observation:
    """A player with the dead tile 1B and the blocked tile 12H, beside two safe chains and five others."""
    small = {
        **{"luxor": "1E 2E", "continental": "1G 2G", "festival": "1I 2I", "imperial": "5E 6E"},
        **{"worldwide": "5G 6G", "lone": "12I"},
    }
    safe = {"tower": "1A-12A", "american": "1C-11C"}
    return acquire.observe(
        position(safe | small, hands=["1B 12H 12E", "9E", "9G"], rules=rules, decision="place 0"), 0
    )


@pytest.mark.parametrize("name", MOMENTS)
def test_mark_is_short(name: str) -> None:
    text = coach_mark(name, seen())
    assert text.endswith(".") and len(text) <= MOST_LETTERS


def test_mark_names_tile_and_chain() -> None:
    assert {"dead", "blocked", "safe"} <= set(coach_moments(seen()))
    assert coach_mark("dead", seen()).startswith("1B is dead")
    assert coach_mark("blocked", seen()).startswith("12H is blocked")
    assert coach_mark("safe", seen()).startswith("Tower has 11 or more tiles")


def test_mark_follows_the_rules_of_the_game() -> None:
    assert "stays in your hand" in coach_mark("dead", seen())
    assert "You get a new tile" in coach_mark("dead", seen("quick-reference"))
    assert "net worth" in coach_mark("end", seen())
    assert "net worth" not in coach_mark("end", seen("avalon-hill holdings=hidden"))
    assert "two largest" in coach_mark("bonuses", seen())
    assert "four largest" in coach_mark("bonuses", seen("avalon-hill payout=four"))
