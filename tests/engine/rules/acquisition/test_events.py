"""Events of a game."""

from random import Random

import pytest

from games.engine.rules.acquisition import rule_system as acquisition_rule_system
from games.engine.rules.acquisition.events import event_to_json
from tests.engine.rules.acquisition.acquisition_positions import dealt, on, whole_game


def test_events_account_for_all_pieces() -> None:
    for number in range(20):
        state, events = whole_game(Random(number))
        board: dict[str, str] = {}
        large = [0] * state.seats
        for record in map(event_to_json, events):
            match record["kind"]:
                case "parked":
                    board[record["square"]] = "P"
                case "placed":
                    board[record["square"]] = "BSCG"[record["seat"]]
                case "completed":
                    assert [board[square] for square in record["squares"]] == [
                        "BSCG"[owner] for owner in record["owners"]
                    ]
                case "boughtout":
                    for square, owner in zip(record["squares"], record["owners"], strict=True):
                        assert board[square] == "BSCG"[owner]
                        board[square] = "BSCG"[record["seat"]]
                    large[record["seat"]] += 1
                case "landmark":
                    assert {board[square] for square in record["squares"]} == {"BSCG"[record["seat"]]}
                    large[record["seat"]] += 1
                case "scored":
                    assert record["large"] == large[record["seat"]]
        assert acquisition_rule_system.worth(state) == large
        for mark in "PBSCG":
            assert {square for square, there in board.items() if there == mark} == on(state, mark)


def test_every_group_of_three_has_one_event() -> None:
    for number in range(20):
        state, events = whole_game(Random(number))
        records = [event_to_json(event) for event in events]
        complete = [record for record in records if record["kind"] in ("landmark", "completed")]
        assert 3 * len(complete) == state.size.count(3)
        answers = [record for record in records if record["kind"] in ("boughtout", "declined")]
        asked = [record for record in complete if record.get("buyer") is not None]
        assert [record["seat"] for record in answers] == [record["buyer"] for record in asked]


def test_failed_move_stops_recording() -> None:
    state = dealt(Random(1))
    with pytest.raises(KeyError):
        acquisition_rule_system.play(state, object())  # type: ignore[arg-type]
    assert state.events is None


def test_last_events_are_end_and_scores() -> None:
    for number in range(10):
        state, events = whole_game(Random(number))
        kinds = [event_to_json(event)["kind"] for event in events]
        assert kinds[-1 - state.seats :] == ["ended", *["scored"] * state.seats]
        assert kinds.count("ended") == 1
