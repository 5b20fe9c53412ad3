"""Options: values, presets, and the effect of each option."""

from collections.abc import Callable
from typing import Any

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.observation import observe
from games.engine.rules.acquire.rule_options import OPTIONS, PRESETS, Rules, from_options, to_options
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import (
    decision,
    hand,
    held,
    legal,
    play,
    position,
    records,
    size,
)

SEVEN = {
    "tower": "1A 2A", "continental": "4A 5A", "american": "7A 8A", "imperial": "1C 2C",
    "festival": "4C 5C", "luxor": "7C 8C", "worldwide": "1E 2E", "lone": "12A",
}  # fmt: skip
MERGER = {"tower": "1A-3A", "american": "5A 6A"}
SAFE_PAIR = {"tower": "1A-12A", "american": "1C-12C"}
STUCK = "1B 2B 3B 4B 5B 6B"


def test_options_and_values() -> None:
    assert OPTIONS == {
        "tiers": ("2008", "1962"),
        "starting_tiles": (True, False),
        "seating": ("dealt", "joining"),
        "rounding": ("up100", "nearest1"),
        "payout": ("two", "four"),
        "eighth_chain": ("blocked", "place"),
        "safe_merger": (True, False),
        "dead_tiles": ("stay", "replace"),
        "redraw_hand": (True, False),
        "disposal": ("all", "hold"),
        "holdings": ("open", "hidden"),
        "teams": ("none", "two", "three"),
    }


# The table of options on the rules page, column by column.
TABLE = """
tiers           2008     1962     2008     2008
starting_tiles  True     True     True     False
seating         dealt    dealt    dealt    joining
rounding        up100    up100    up100    nearest1
payout          two      two      two      two
eighth_chain    blocked  blocked  blocked  place
safe_merger     True     True     True     False
dead_tiles      stay     stay     replace  stay
redraw_hand     True     True     False    False
disposal        all      all      all      hold
holdings        open     open     open     open
teams           none     none     none     none
"""


@pytest.mark.parametrize("column", range(4))
def test_presets_match_table_of_options(column: int) -> None:
    name = ("avalon-hill", "classic", "quick-reference", "course")[column]
    assert list(PRESETS)[column] == name
    rows = [line.split() for line in TABLE.strip().splitlines()]
    assert {row[0]: str(getattr(PRESETS[name], row[0])) for row in rows} == {
        row[0]: row[1 + column] for row in rows
    }
    assert {row[0] for row in rows} == set(OPTIONS)


def test_rule_book_is_default() -> None:
    assert Rules() == PRESETS["avalon-hill"] == from_options({})
    assert to_options(Rules()) == {}


@pytest.mark.parametrize("preset", PRESETS)
def test_preset_survives_as_options(preset: str) -> None:
    assert from_options(to_options(PRESETS[preset])) == PRESETS[preset]


@pytest.mark.parametrize("name", OPTIONS)
def test_single_option_survives(name: str) -> None:
    for value in OPTIONS[name]:
        rules = from_options({name: value})
        assert getattr(rules, name) == value
        assert from_options(to_options(rules)) == rules
        assert len(to_options(rules)) == (value != OPTIONS[name][0])


@pytest.mark.parametrize(
    "options",
    [
        {"tiers": "1999"},
        {"tiers": 2008},
        {"payout": "three"},
        {"payout": True},
        {"redraw_hand": "yes"},
        {"redraw_hand": 1},
        {"safe_merger": None},
        {"holdings": ["open"]},
        {"colour": "red"},
        {"prices": ()},
    ],
    ids=str,
)
def test_unknown_option_or_value_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r" (is one of|There is no option|no option) ") as refusal:
        from_options(options)
    assert str(refusal.value).endswith(".")


def test_rules_are_immutable() -> None:
    with pytest.raises(AttributeError):
        Rules().payout = "four"
    assert Rules(payout="four") != Rules()
    assert len({Rules(), Rules(), Rules(payout="four")}) == 2


def tiers(rules: str) -> object:
    state = position(MERGER, rules=rules, decision="buy 0")
    play(state, "buy 1 tower")
    return state.cash[0]


def starting_tiles(rules: str) -> object:
    state = acquire.deal(position(rules=rules).rules, 4, bytes(32))
    return sum(map(bool, state.board))


def rounding(rules: str) -> object:
    state = position(MERGER, rules=rules, hands=["4A", "", ""], shares={"american": [5, 5, 0]})
    play(state, "place 4A")
    return state.cash[:2]


def payout(rules: str) -> object:
    state = position(MERGER, rules=rules, hands=["4A", "", ""], shares={"american": [5, 4, 3]})
    play(state, "place 4A")
    return state.cash


def eighth_chain(rules: str) -> object:
    return legal(position(SEVEN, rules=rules, hands=["12B 9I", "", ""]))


def safe_merger(rules: str) -> object:
    chains = {"tower": "1A-12A", "american": "1C 2C"}
    return legal(position(chains, rules=rules, hands=["1B 9I", "", ""]))


def dead_tiles(rules: str) -> object:
    state = position(SAFE_PAIR, rules=rules, hands=["1B 9I", "8I", "7I"])
    play(state, "place 9I", "buy nothing")
    return "1B" in hand(state, 0)


def redraw_hand(rules: str) -> object:
    return legal(position(SAFE_PAIR, rules=rules, hands=[STUCK, "", ""]))


def disposal(rules: str) -> object:
    state = position(MERGER, rules=rules, hands=["4A", "", ""], shares={"american": [5, 4, 3]})
    play(state, "place 4A")
    return decision(state)


def holdings(rules: str) -> object:
    state = position(MERGER, rules=rules, shares={"american": [5, 4, 3]})
    return observe(state, 0).cash


def teams(rules: str) -> object:
    state = position(rules=rules, hands=[""] * 4, cash=[9000, 1000, 2000, 6000])
    return [rank for rank, _, _ in acquire.standings(state)]


CHANGES: list[tuple[Callable[[str], object], str, object, str, object]] = [
    (tiers, "tiers=2008", 5500, "tiers=1962", 5700),
    (starting_tiles, "starting_tiles=true", 4, "starting_tiles=false", 0),
    (rounding, "rounding=up100", [8300, 8300], "rounding=nearest1", [8250, 8250]),
    (payout, "payout=two", [9000, 7500, 6000], "payout=four", [9000, 8300, 7500]),
    (eighth_chain, "eighth_chain=blocked", {"place 9I"}, "eighth_chain=place", {"place 9I", "place 12B"}),
    (safe_merger, "safe_merger=true", {"place 1B", "place 9I"}, "safe_merger=false", {"place 9I"}),
    (dead_tiles, "dead_tiles=stay", True, "dead_tiles=replace", False),
    (redraw_hand, "redraw_hand=true", {"redraw", "pass"}, "redraw_hand=false", {"pass"}),
    (disposal, "disposal=all", "dispose 0", "disposal=hold", "buy 0"),
    (holdings, "holdings=open", (6000, 6000, 6000), "holdings=hidden", (6000, None, None)),
    (teams, "teams=none", [1, 2, 3, 4], "teams=two", [1, 1, 2, 2]),
]


@pytest.mark.parametrize(
    ("measure", "one", "seen", "other", "then"),
    CHANGES,
    ids=[change[1].partition("=")[0] for change in CHANGES],
)
def test_option_makes_difference(
    measure: Callable[[str], object], one: str, seen: object, other: str, then: object
) -> None:
    assert measure(f"avalon-hill {one}") == seen
    assert measure(f"avalon-hill {other}") == then


def test_seating_option_makes_difference() -> None:
    seeds = [bytes([number]) * 32 for number in range(20)]
    assert {tuple(acquire.seating(Rules(seating="joining"), 4, seed)) for seed in seeds} == {(0, 1, 2, 3)}
    assert len({tuple(acquire.seating(Rules(), 4, seed)) for seed in seeds}) > 5


def test_every_option_is_covered() -> None:
    assert {change[1].partition("=")[0] for change in CHANGES} | {"seating"} == set(OPTIONS)


def test_options_can_be_mixed() -> None:
    """Presets are only names: the rules of the course with disposals match none of them."""
    rules = "course disposal=all redraw_hand=true"
    state: State = position(MERGER, rules=rules, hands=["4A", "", ""], shares={"american": [2, 2, 2]})
    events = play(state, "place 4A")
    assert [record["dollars"] for record in records(events, "bonuspaid")] == [1500, 1500, 1500]
    play(state, "dispose trade 2", "dispose sell 2", "dispose nothing")
    assert held(state, "tower") == [1, 0, 0]
    assert size(state, "tower") == 6
