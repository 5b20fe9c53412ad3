"""A hand without a playable tile."""

from games.rules import acquire
from tests.rules.positions import decision, hand, legal, play, position, told

# Between the two safe chains every square of row B is dead.
DEAD = {"tower": "1A-12A", "american": "1C-12C"}
STUCK = "1B 2B 3B 4B 5B 6B"
FRESH = "1E 3E 5E 7E 9E 11E"


def test_a_hand_without_a_playable_tile_may_be_redrawn_or_not() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"])
    assert decision(state) == "stuck 0"
    assert legal(state) == {"redraw", "pass"}


def test_a_new_hand_is_drawn_and_the_old_one_is_shown_and_set_aside_for_good() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag=f"{FRESH} 1G")
    aside = len(state.aside)
    events = play(state, "redraw")
    assert told(events, "redrew") == [{"seat": 0, "squares": tuple(STUCK.split()), "count": 6}]
    assert hand(state, 0) == set(FRESH.split())
    assert len(state.aside) == aside + 6
    assert decision(state) == "place 0"
    assert "place 1E" in legal(state)


def test_a_hand_is_redrawn_again_while_nothing_in_it_can_be_placed() -> None:
    second = "7B 8B 9B 10B 11B 12B"
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag=f"{second} {FRESH}")
    play(state, "redraw")
    assert decision(state) == "stuck 0"
    assert hand(state, 0) == set(second.split())
    assert legal(state) == {"redraw", "pass"}
    play(state, "redraw")
    assert decision(state) == "place 0"
    assert hand(state, 0) == set(FRESH.split())


def test_one_may_pass_after_a_redraw() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag=f"7B 8B 9B 10B 11B 12B {FRESH}")
    play(state, "redraw", "pass")
    assert decision(state) == "buy 0"


def test_a_short_bag_gives_fewer_tiles() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="1E 3E")
    events = play(state, "redraw")
    assert told(events, "redrew")[0]["count"] == 2
    assert hand(state, 0) == {"1E", "3E"}
    assert decision(state) == "place 0"


def test_nothing_is_redrawn_from_an_empty_bag() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="")
    assert legal(state) == {"pass"}


def test_the_last_tiles_may_be_redrawn_into_nothing_playable() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="7B")
    play(state, "redraw")
    assert decision(state) == "stuck 0"
    assert legal(state) == {"pass"}


def test_where_hands_are_not_redrawn_one_can_only_pass() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], rules="avalon-hill redraw_hand=false")
    assert legal(state) == {"pass"}


def test_who_passes_goes_straight_to_buying() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"])
    events = play(state, "pass")
    assert told(events, "passed") == [{"seat": 0}]
    assert decision(state) == "buy 0"
    play(state, "buy 1 tower")
    assert hand(state, 0) == set(STUCK.split())
    assert decision(state) == "place 1"


def test_a_hand_of_blocked_tiles_may_be_redrawn_too() -> None:
    seven = {
        "tower": "1A 2A", "continental": "4A 5A", "american": "7A 8A", "imperial": "1C 2C",
        "festival": "4C 5C", "luxor": "7C 8C", "worldwide": "1E 2E", "lone": "12A 12E",
    }  # fmt: skip
    state = position(seven, hands=["12B 12D", "12I", "12G"], bag="9I 8I 7I")
    assert legal(state) == {"redraw", "pass"}
    play(state, "redraw", "place 9I")
    assert decision(state) == "buy 0"


def test_an_empty_hand_can_only_pass() -> None:
    state = position(DEAD, hands=["", "12I", "12H"], bag="")
    assert decision(state) == "stuck 0"
    assert legal(state) == {"pass"}


def test_a_redraw_counts_as_a_changed_hand() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="7B", unchanged=3)
    play(state, "redraw", "pass", "buy nothing")
    assert state.ended == ""


def test_the_first_turn_of_a_game_can_always_place() -> None:
    """Nobody is stuck before there are safe chains or seven of them."""
    for seats in acquire.SEATS:
        for number in range(30):
            state = acquire.deal(acquire.Rules(), seats, bytes([number]) * 32)
            assert len(acquire.legal_moves(state)) == 6
