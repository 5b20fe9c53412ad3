"""Facts about a finished game: turns, marks for records, and the opening."""

from games.rules.acquire import CHAIN_BY_NAME, feats, opening, turns
from games.rules.acquire.events import (
    Absorbed,
    BonusPaid,
    Bought,
    Event,
    Founded,
    Grew,
    Passed,
    Placed,
)
from games.rules.acquisition import feats as acquisition_feats


def bonus(seat: int, dollars: int) -> BonusPaid:
    return BonusPaid(seat, "tower", dollars, shares=3, place=1, tied=1, sole=True)


def test_turn_begins_with_tile_or_pass() -> None:
    events: list[Event] = [
        Placed(0, "1A", "alone"),
        Bought(0, (), 0),
        Passed(1),
        Bought(1, (), 0),
        Placed(0, "2A", "founds"),
    ]
    assert turns(events) == {0: 2, 1: 1}


def test_longest_chain_counts_all_ways_of_growth() -> None:
    events: list[Event] = [Founded(0, "tower", 2, free=True), Grew("tower", 7), Absorbed("luxor", 12)]
    assert feats(events)["longest"] == {None: 12}
    assert feats(events[:2])["longest"] == {None: 7}
    assert feats(events[:1])["longest"] == {None: 2}


def test_highest_bonus_is_kept_by_seat() -> None:
    assert feats([bonus(0, 2000), bonus(2, 9000), bonus(0, 3000), bonus(0, 1500)])["bonus"] == {
        0: 3000,
        2: 9000,
    }


def test_no_events_give_no_facts() -> None:
    assert feats([]) == {"longest": {}, "bonus": {}}
    assert turns([]) == {}
    assert opening([]) == []


def test_opening_is_first_founded_chain() -> None:
    events = [Grew("tower", 2), Founded(2, "luxor", 2, free=True), Founded(0, "tower", 3, free=True)]
    assert opening(events) == [("luxor", 2)]
    assert "luxor" in CHAIN_BY_NAME


def test_acquisition_has_no_records() -> None:
    assert acquisition_feats([]) == {}
