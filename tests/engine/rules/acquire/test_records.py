"""Facts about a finished game: turns, marks for records, and the opening."""

from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.events import (
    Absorbed,
    BonusPaid,
    Bought,
    ChainGrew,
    Event,
    Founded,
    Passed,
    Placed,
)
from games.engine.rules.acquire.records import opening, record_marks, turns
from games.engine.rules.acquisition.records import record_marks as acquisition_feats


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
    events: list[Event] = [Founded(0, "tower", 2, free=True), ChainGrew("tower", 7), Absorbed("luxor", 12)]
    assert record_marks(events)["longest"] == {None: 12}
    assert record_marks(events[:2])["longest"] == {None: 7}
    assert record_marks(events[:1])["longest"] == {None: 2}


def test_highest_bonus_is_kept_by_seat() -> None:
    assert record_marks([bonus(0, 2000), bonus(2, 9000), bonus(0, 3000), bonus(0, 1500)])["bonus"] == {
        0: 3000,
        2: 9000,
    }


def test_no_events_give_no_facts() -> None:
    assert record_marks([]) == {"longest": {}, "bonus": {}}
    assert turns([]) == {}
    assert opening([]) == []


def test_opening_is_first_founded_chain() -> None:
    events = [ChainGrew("tower", 2), Founded(2, "luxor", 2, free=True), Founded(0, "tower", 3, free=True)]
    assert opening(events) == [("luxor", 2)]
    assert "luxor" in CHAIN_BY_NAME


def test_acquisition_has_no_records() -> None:
    assert acquisition_feats([]) == {}
