"""What is told of a finished game: turns, what is worth a record, and the opening."""

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


def test_a_turn_begins_with_a_tile_or_with_none_that_can_be_played() -> None:
    told: list[Event] = [
        Placed(0, "1A", "alone"),
        Bought(0, (), 0),
        Passed(1),
        Bought(1, (), 0),
        Placed(0, "2A", "founds"),
    ]
    assert turns(told) == {0: 2, 1: 1}


def test_the_longest_chain_is_the_longest_there_was_however_it_came_to_be() -> None:
    told: list[Event] = [Founded(0, "tower", 2, free=True), Grew("tower", 7), Absorbed("luxor", 12)]
    assert feats(told)["longest"] == {None: 12}
    assert feats(told[:2])["longest"] == {None: 7}
    assert feats(told[:1])["longest"] == {None: 2}


def test_the_highest_bonus_is_told_of_every_seat_that_was_paid_one() -> None:
    assert feats([bonus(0, 2000), bonus(2, 9000), bonus(0, 3000), bonus(0, 1500)])["bonus"] == {
        0: 3000,
        2: 9000,
    }


def test_where_nothing_happened_nothing_is_told() -> None:
    assert feats([]) == {"longest": {}, "bonus": {}}
    assert turns([]) == {}
    assert opening([]) == []


def test_a_game_is_opened_by_the_chain_that_was_founded_first_and_its_founder() -> None:
    told = [Grew("tower", 2), Founded(2, "luxor", 2, free=True), Founded(0, "tower", 3, free=True)]
    assert opening(told) == [("luxor", 2)]
    assert "luxor" in CHAIN_BY_NAME


def test_acquisition_has_no_records_of_its_own() -> None:
    assert acquisition_feats([]) == {}
