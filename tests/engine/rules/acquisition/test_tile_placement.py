"""Placement of building tiles."""

from itertools import product

import pytest

from games.engine.rules.acquisition import rule_system as acquisition_rule_system
from games.engine.rules.acquisition.board import SQUARE_BY_NAME, SQUARE_NAMES
from games.engine.rules.acquisition.moves import MOVES
from games.engine.rules.acquisition.state import State
from games.engine.rules.rule_errors import IllegalMove
from tests.engine.rules.acquisition.acquisition_positions import (
    FREE,
    FULL,
    PARKS,
    decision,
    legal,
    on,
    play,
    position,
    records,
)


def refused(state: State, square: str) -> tuple[str, dict[str, object]]:
    with pytest.raises(IllegalMove) as refusal:
        acquisition_rule_system.check_move(state, acquisition_rule_system.parse_move(f"place {square}"))
    return refusal.value.reason, refusal.value.facts


@pytest.mark.parametrize("seats", acquisition_rule_system.SEATS)
def test_turns_go_round(seats: int) -> None:
    state = position(seats=seats)
    for number, square in enumerate(["a1", "c1", "e1", "g1", "a3", "c3", "e3"]):
        assert decision(state) == f"place {number % seats}"
        play(state, f"place {square}")
        assert square in on(state, "BSCG"[number % seats])


def test_tile_comes_from_reserve() -> None:
    state = position({"B": "a1", "S": "c1 e1"})
    assert state.reserve == [39, 38]
    play(state, "place h7")
    assert state.reserve == [38, 38]


@pytest.mark.parametrize(
    ("tiles", "square", "size"),
    [("a1", "b1", 2), ("a1 b1", "c1", 3), ("a1 b1", "b2", 3), ("a1 c1", "b1", 3), ("b1 a2", "b2", 3)],
)
def test_group_of_up_to_three_may_be_made(tiles: str, square: str, size: int) -> None:
    """The group may have one owner or any mix of owners."""
    for marks in product("BS", repeat=len(tiles.split())):
        owned = {
            mark: " ".join(n for n, m in zip(tiles.split(), marks, strict=True) if m == mark) for mark in "BS"
        }
        state = position(owned)
        assert f"place {square}" in legal(state)
        (event,) = records(play(state, f"place {square}"), "placed")
        assert event == {"seat": 0, "square": square, "size": size, "forced": False}
        members = [*tiles.split(), square]
        assert {state.size[SQUARE_BY_NAME[member]] for member in members} == {size}


@pytest.mark.parametrize(
    ("tiles", "square", "size"),
    [
        ("a1 b1 c1", "d1", 4),
        ("a1 b1 b2", "c2", 4),
        ("a1 b1 b2", "a2", 4),
        ("a1 b1 d1", "c1", 4),
        ("b1 a2 c2", "b2", 4),
        ("b1 a2 c2 b3", "b2", 5),
        ("a1 b1 d1 e1", "c1", 5),
        ("a2 b2 c3 c4 d2 e2 c1", "c2", 8),
    ],
)
def test_group_of_more_than_three_is_refused(tiles: str, square: str, size: int) -> None:
    for marks in product("BS", repeat=len(tiles.split())):
        owned = {
            mark: " ".join(n for n, m in zip(tiles.split(), marks, strict=True) if m == mark) for mark in "BS"
        }
        state = position(owned)
        assert f"place {square}" not in legal(state)
        assert refused(state, square) == ("too large", {"square": square, "size": size})


def test_tiles_touching_by_corner_are_no_group() -> None:
    state = position({"B": "a1 c3", "S": "b2"})
    (event,) = records(play(state, "place d4"), "placed")
    assert event["size"] == 1


def test_ends_of_adjacent_rows_do_not_touch() -> None:
    state = position({"B": "l1"})
    (event,) = records(play(state, "place a2"), "placed")
    assert event["size"] == 1


def test_parks_belong_to_no_group() -> None:
    state = position({"B": "a1 b1", "S": "d1 e1"}, parks="c1 c2 l12 k12 g7 a9")
    (event,) = records(play(state, "place d2"), "placed")
    assert event["size"] == 3
    assert state.size[SQUARE_BY_NAME["c1"]] == 0
    assert "place b2" in legal(position({"B": "a1 b1", "S": "d1 e1"}, parks="c1 c2 l12 k12 g7 a9"))


def test_taken_square_is_refused_with_its_piece() -> None:
    state = position({"S": "a1"})
    assert refused(state, "a1") == ("tile there", {"square": "a1", "owner": 1})
    assert refused(state, "l12") == ("park there", {"square": "l12"})


def test_all_other_squares_are_legal() -> None:
    state = position({"B": "a1 b1 c1", "S": "f6"})
    closed = {"a1", "b1", "c1", "f6", "a2", "b2", "c2", "d1", *PARKS[2].split()}
    assert legal(state) == {f"place {square}" for square in SQUARE_NAMES if square not in closed}


def test_no_move_passes() -> None:
    assert {move.kind for move in MOVES} == {"park", "place", "buyout", "decline"}
    assert {move.kind for move in acquisition_rule_system.legal_moves(position())} == {"place"}


def test_full_board_has_named_free_squares() -> None:
    assert legal(position(FULL, parks="b2 d4 c6 f8 g10 a10")) == {
        f"place {square}" for square in FREE.split()
    }


def test_last_square_is_taken_without_asking() -> None:
    state = position(FULL, parks="b2 d4 c6 f8 g10 i12")
    events = play(state, "place a12")
    assert records(events, "placed") == [
        {"seat": 0, "square": "a12", "size": 1, "forced": False},
        {"seat": 1, "square": "e12", "size": 1, "forced": True},
    ]
    assert state.ended == "no square"
    assert state.turn == 0


def test_last_square_stays_empty_without_tile() -> None:
    state = position(FULL.replace("S", "B", 3), parks="b2 d4 c6 f8 g10 i12", tiles_each=30, turn=1)
    assert state.reserve == [0, 6]
    events = play(state, "place a12")
    assert len(records(events, "placed")) == 1
    assert state.ended == "no tile"
