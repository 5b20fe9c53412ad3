"""Dead tiles that are replaced at the end of a turn."""

import pytest

from tests.engine.rules.acquire.acquire_positions import decision, hand, play, position, records

DEAD = {"tower": "1A-12A", "american": "1C-12C"}
RULES = "quick-reference"


def test_dead_tiles_are_replaced_at_end_of_turn() -> None:
    state = position(DEAD, hands=["1B 2B 12I 5E 7E 9E", "12H", "12G"], bag="1E 3E 11E 1G", rules=RULES)
    aside = len(state.aside)
    events = play(state, "place 12I", "buy nothing")
    # The hand is filled up to six, loses its two dead tiles, and is filled up again.
    assert records(events, "drew") == [{"seat": 0, "count": 1}, {"seat": 0, "count": 2}]
    assert records(events, "turnedup") == [{"seat": 0, "squares": ("1B", "2B")}]
    assert hand(state, 0) == {"5E", "7E", "9E", "1E", "3E", "11E"}
    assert len(state.aside) == aside + 2
    assert decision(state) == "place 1"


def test_dead_tiles_among_replacements_are_replaced() -> None:
    state = position(DEAD, hands=["12I 1E 3E 5E 7E 9E", "12H", "12G"], bag="1B 2B 3B 1G 2G", rules=RULES)
    events = play(state, "place 12I", "buy nothing")
    assert records(events, "turnedup") == [
        {"seat": 0, "squares": ("1B",)},
        {"seat": 0, "squares": ("2B",)},
        {"seat": 0, "squares": ("3B",)},
    ]
    assert hand(state, 0) == {"1E", "3E", "5E", "7E", "9E", "1G"}


def test_dead_tiles_stay_when_bag_is_empty() -> None:
    state = position(DEAD, hands=["12I 1B 2B", "12H", "12G"], bag="", rules=RULES)
    events = play(state, "place 12I", "buy nothing")
    assert records(events, "turnedup") == []
    assert hand(state, 0) == {"1B", "2B"}


def test_all_dead_tiles_are_shown_if_bag_cannot_replace_them() -> None:
    state = position(DEAD, hands=["12I 1B 2B 3B 4B 1E", "12H", "12G"], bag="3E 5E", rules=RULES)
    events = play(state, "place 12I", "buy nothing")
    assert records(events, "turnedup") == [{"seat": 0, "squares": ("1B", "2B", "3B", "4B")}]
    assert hand(state, 0) == {"1E", "3E", "5E"}


def test_last_tile_of_bag_stays_though_dead() -> None:
    state = position(DEAD, hands=["12I 1B 1E 3E 5E 7E", "12H", "12G"], bag="9E 2B", rules=RULES)
    events = play(state, "place 12I", "buy nothing")
    assert records(events, "turnedup") == [{"seat": 0, "squares": ("1B",)}]
    assert hand(state, 0) == {"1E", "3E", "5E", "7E", "9E", "2B"}


def test_only_hand_on_turn_is_checked_for_dead_tiles() -> None:
    state = position(DEAD, hands=["12I", "1B 10I", "2B 8I"], rules=RULES)
    play(state, "place 12I", "buy nothing")
    assert "1B" in hand(state, 1)
    assert "2B" in hand(state, 2)
    play(state, "place 10I", "buy nothing")
    assert "1B" not in hand(state, 1)
    assert "2B" in hand(state, 2)


def test_blocked_tiles_are_not_replaced() -> None:
    seven = {
        "tower": "1A 2A", "continental": "4A 5A", "american": "7A 8A", "imperial": "1C 2C",
        "festival": "4C 5C", "luxor": "7C 8C", "worldwide": "1E 2E", "lone": "12A",
    }  # fmt: skip
    state = position(seven, hands=["12B 9I", "12I", "12G"], rules=RULES)
    events = play(state, "place 9I", "buy nothing")
    assert records(events, "turnedup") == []
    assert "12B" in hand(state, 0)


def test_dead_tiles_are_replaced_after_pass() -> None:
    state = position(DEAD, hands=["1B 2B 3B 4B 5B 6B", "12I", "12H"], rules=RULES)
    events = play(state, "pass", "buy nothing")
    assert len(records(events, "turnedup")[0]["squares"]) == 6


def test_tiles_dead_by_course_rules_are_replaced() -> None:
    chains = {"tower": "1A-12A", "american": "1C-3C"}
    rules = "quick-reference safe_merger=false"
    state = position(chains, hands=["12I 1B 4B", "12H", "12G"], bag="1E 3E 5E 7E 9E", rules=rules)
    events = play(state, "place 12I", "buy nothing")
    assert records(events, "turnedup") == [{"seat": 0, "squares": ("1B",)}]
    assert "4B" in hand(state, 0)


def test_dead_tiles_stay_when_end_is_declared() -> None:
    state = position(DEAD, hands=["1B 12I", "12H", "12G"], rules=RULES)
    events = play(state, "place 12I", "buy nothing and end")
    assert records(events, "turnedup") == records(events, "drew") == []
    assert hand(state, 0) == {"1B"}


@pytest.mark.parametrize("rules", ["avalon-hill", "classic", "course"])
def test_dead_tiles_stay_in_other_presets(rules: str) -> None:
    state = position(DEAD, hands=["12I 1B 1E", "12H", "12G"], rules=rules)
    events = play(state, "place 12I", "buy nothing")
    assert records(events, "turnedup") == []
    assert "1B" in hand(state, 0)


def test_replaced_tiles_count_as_changed_hand() -> None:
    full = ["1B 2B 3B 4B 5B 6B", "7B 8B 9B 10B 11B 12B"]
    state = position(DEAD, hands=full, bag="1E", unchanged=2, rules=RULES)
    play(state, "pass", "buy nothing")
    assert state.ended == ""
