"""Hands without a playable tile."""

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.rule_options import Rules
from tests.engine.rules.acquire.acquire_positions import decision, hand, legal, play, position, records

# Every square of row B is dead, as it lies between the two safe chains.
DEAD = {"tower": "1A-12A", "american": "1C-12C"}
STUCK = "1B 2B 3B 4B 5B 6B"
FRESH = "1E 3E 5E 7E 9E 11E"


def test_hand_without_playable_tile_may_be_redrawn() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"])
    assert decision(state) == "stuck 0"
    assert legal(state) == {"redraw", "pass"}


def test_redrawn_hand_is_shown_and_set_aside() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag=f"{FRESH} 1G")
    aside = len(state.aside)
    events = play(state, "redraw")
    assert records(events, "redrew") == [{"seat": 0, "squares": tuple(STUCK.split()), "count": 6}]
    assert hand(state, 0) == set(FRESH.split())
    assert len(state.aside) == aside + 6
    assert decision(state) == "place 0"
    assert "place 1E" in legal(state)


def test_hand_may_be_redrawn_repeatedly() -> None:
    second = "7B 8B 9B 10B 11B 12B"
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag=f"{second} {FRESH}")
    play(state, "redraw")
    assert decision(state) == "stuck 0"
    assert hand(state, 0) == set(second.split())
    assert legal(state) == {"redraw", "pass"}
    play(state, "redraw")
    assert decision(state) == "place 0"
    assert hand(state, 0) == set(FRESH.split())


def test_pass_is_allowed_after_redraw() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag=f"7B 8B 9B 10B 11B 12B {FRESH}")
    play(state, "redraw", "pass")
    assert decision(state) == "buy 0"


def test_short_bag_gives_fewer_tiles() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="1E 3E")
    events = play(state, "redraw")
    assert records(events, "redrew")[0]["count"] == 2
    assert hand(state, 0) == {"1E", "3E"}
    assert decision(state) == "place 0"


def test_empty_bag_allows_no_redraw() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="")
    assert legal(state) == {"pass"}


def test_redraw_may_exhaust_bag_without_playable_tile() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="7B")
    play(state, "redraw")
    assert decision(state) == "stuck 0"
    assert legal(state) == {"pass"}


def test_pass_is_forced_without_redraw_option() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], rules="avalon-hill redraw_hand=false")
    assert legal(state) == {"pass"}


def test_pass_leads_to_purchase() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"])
    events = play(state, "pass")
    assert records(events, "passed") == [{"seat": 0}]
    assert decision(state) == "buy 0"
    play(state, "buy 1 tower")
    assert hand(state, 0) == set(STUCK.split())
    assert decision(state) == "place 1"


def test_hand_of_blocked_tiles_may_be_redrawn() -> None:
    seven = {
        "tower": "1A 2A", "continental": "4A 5A", "american": "7A 8A", "imperial": "1C 2C",
        "festival": "4C 5C", "luxor": "7C 8C", "worldwide": "1E 2E", "lone": "12A 12E",
    }  # fmt: skip
    state = position(seven, hands=["12B 12D", "12I", "12G"], bag="9I 8I 7I")
    assert legal(state) == {"redraw", "pass"}
    play(state, "redraw", "place 9I")
    assert decision(state) == "buy 0"


def test_empty_hand_can_only_pass() -> None:
    state = position(DEAD, hands=["", "12I", "12H"], bag="")
    assert decision(state) == "stuck 0"
    assert legal(state) == {"pass"}


def test_redraw_counts_as_changed_hand() -> None:
    state = position(DEAD, hands=[STUCK, "12I", "12H"], bag="7B", unchanged=3)
    play(state, "redraw", "pass", "buy nothing")
    assert state.ended == ""


def test_first_turn_can_place_any_tile() -> None:
    """No tile is dead or blocked before there are safe chains or seven chains."""
    for seats in acquire.SEATS:
        for number in range(30):
            state = acquire.deal(Rules(), seats, bytes([number]) * 32)
            assert len(acquire.legal_moves(state)) == 6
