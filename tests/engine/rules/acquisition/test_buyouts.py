"""Completed groups of three: owners, the deciding seat, and the effect of a buyout."""

from typing import Any

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import SQUARE_BY_NAME
from games.engine.rules.acquisition.buildings import built
from games.engine.rules.acquisition.state import State
from tests.engine.rules.acquisition.acquisition_positions import decision, legal, on, play, position, records

ASKED = {"buy out", "decline"}


def test_three_tiles_of_one_owner_are_a_landmark() -> None:
    state = position({"B": "a1 b1", "S": "e5 e7"})
    events = play(state, "place b2")
    assert records(events, "landmark") == [{"seat": 0, "squares": ("a1", "b1", "b2")}]
    assert records(events, "completed") == []
    assert decision(state) == "place 1"
    assert built(state, 0) == (1, 0, 0)


def test_owner_of_two_on_turn_may_buy_out_third() -> None:
    state = position({"B": "b4", "S": "b3 e7"})
    events = play(state, "place b2")
    assert records(events, "completed") == [{"squares": ("b2", "b3", "b4"), "owners": (0, 1, 0), "buyer": 0}]
    assert decision(state) == "buyout 0"
    assert legal(state) == ASKED
    assert state.reserve == [38, 38]
    events = play(state, "buy out")
    assert records(events, "boughtout") == [{"seat": 0, "squares": ("b3",), "owners": (1,)}]
    assert on(state, "B") == {"b2", "b3", "b4"}
    assert state.reserve == [37, 39]
    assert built(state, 0) == (1, 0, 0)
    assert decision(state) == "place 1"


def test_owner_of_two_may_buy_out_player_on_turn() -> None:
    """The decision is out of turn; the turn then goes on after the seat that placed the tile."""
    state = position({"B": "f6", "S": "b4 b3"})
    events = play(state, "place b2")
    assert records(events, "completed") == [{"squares": ("b2", "b3", "b4"), "owners": (0, 1, 1), "buyer": 1}]
    assert decision(state) == "buyout 1"
    events = play(state, "buy out")
    assert records(events, "boughtout") == [{"seat": 1, "squares": ("b2",), "owners": (0,)}]
    assert state.reserve == [39, 37]
    assert on(state, "S") == {"b2", "b3", "b4"}
    assert built(state, 1) == (1, 0, 0)
    assert decision(state) == "place 1"


@pytest.mark.parametrize(("seats", "owner"), [(3, 2), (3, 0), (4, 1), (4, 3)])
def test_owner_of_two_is_asked_in_any_seat(seats: int, owner: int) -> None:
    mark = "BSCG"[owner]
    turn = (owner + 1) % seats
    state = position({mark: "b3 b4"}, seats=seats, turn=turn)
    play(state, "place b2")
    assert decision(state) == f"buyout {owner}"
    play(state, "buy out")
    assert decision(state) == f"place {(turn + 1) % seats}"
    assert on(state, mark) == {"b2", "b3", "b4"}


@pytest.mark.parametrize("turn", [0, 1])
def test_declined_group_stays_as_it_is(turn: int) -> None:
    state = position({"B": "a1 b1"} if turn else {"B": "a1", "S": "b1"}, turn=turn)
    play(state, "place c1")
    board, reserve = state.board[:], state.reserve[:]
    assert decision(state) == "buyout 0"
    events = play(state, "decline")
    assert records(events, "declined") == [{"seat": 0, "squares": ("a1", "b1", "c1")}]
    assert (state.board, state.reserve) == (board, reserve)
    assert decision(state) == f"place {1 - turn}"
    assert {state.size[SQUARE_BY_NAME[square]] for square in ("a1", "b1", "c1")} == {3}
    assert not legal(state) & {"buy out", "decline", "place d1", "place a2", "place b2", "place c2"}
    assert state.tile == -1


def test_settled_group_cannot_be_bought_out_later() -> None:
    state = position({"B": "a1", "S": "b1"})
    play(state, "place c1", "decline", "place g7", "place i5", "place g5")
    assert decision(state) == "place 0"
    assert on(state, "S") >= {"b1"}


def scarce(seat: int, left: int) -> State:
    """A position where seat 0 completes a group with two tiles of `seat`, which keeps `left` in reserve."""
    mine, other = ("B", "S") if seat == 0 else ("S", "B")
    group = {mine: "a1", other: "c1"} if seat == 0 else {mine: "a1 c1", other: ""}
    placed = 2 + left
    spare = "a3 c3 e3 g3 a5 c5 e5 g5".split()  # noqa: SIM905
    each = 6
    group[mine] += " " + " ".join(spare[: each - placed])
    return position(group, tiles_each=each)


@pytest.mark.parametrize("seat", [0, 1])
def test_buyout_is_not_asked_without_reserve(seat: int) -> None:
    state = scarce(seat, 0)
    events = play(state, "place b1")
    (complete,) = records(events, "completed")
    assert complete["buyer"] is None
    assert records(events, "declined") == []
    if seat == 0:
        assert decision(state) == "place 1"
    else:
        assert state.ended == "no tile"


@pytest.mark.parametrize("seat", [0, 1])
def test_owner_of_two_needs_one_tile_in_reserve(seat: int) -> None:
    state = scarce(seat, 1)
    play(state, "place b1")
    assert decision(state) == f"buyout {seat}"
    play(state, "buy out")
    assert state.reserve[seat] == 0
    assert on(state, "BS"[seat]) >= {"a1", "b1", "c1"}


def test_returned_tile_can_be_placed_again() -> None:
    """A player without tiles who is bought out can go on with the returned tile."""
    state = position({"B": "a1", "S": "b1 e3"}, tiles_each=3)
    state_without = state.copy()
    play(state, "place c1", "buy out")
    assert state.reserve == [0, 2]
    play(state_without, "place c1", "decline")
    assert state_without.reserve == [1, 1]
    play(state, "place h1")
    assert state.ended == "no tile"
    state = position({"B": "a1", "S": "b1 e3 g3"}, tiles_each=3)
    assert state.reserve == [2, 0]
    declined = state.copy()
    play(state, "place c1", "buy out", "place h5")
    assert "h5" in on(state, "S")
    play(declined, "place c1", "decline")
    assert declined.ended == "no tile"


def three_owners(seats: int = 3, **fields: Any) -> State:
    return position({"S": "a1", "C": "b1"}, seats=seats, **fields)


@pytest.mark.parametrize("seats", [3, 4])
def test_player_on_turn_may_buy_out_both_of_three_owners(seats: int) -> None:
    state = three_owners(seats)
    each = state.rules.tiles_each(seats)
    events = play(state, "place c1")
    assert records(events, "completed") == [{"squares": ("a1", "b1", "c1"), "owners": (1, 2, 0), "buyer": 0}]
    assert decision(state) == "buyout 0"
    assert legal(state) == ASKED
    events = play(state, "buy out")
    assert records(events, "boughtout") == [{"seat": 0, "squares": ("a1", "b1"), "owners": (1, 2)}]
    assert on(state, "B") == {"a1", "b1", "c1"}
    assert state.reserve == [each - 3, *[each] * (seats - 1)]
    assert built(state, 0) == (1, 0, 0)
    assert decision(state) == "place 1"


def test_player_on_turn_is_asked_among_three_owners_in_any_seat() -> None:
    state = position({"S": "a1", "G": "c1"}, seats=4, turn=2)
    play(state, "place b1")
    assert decision(state) == "buyout 2"
    play(state, "buy out")
    assert on(state, "C") == {"a1", "b1", "c1"}
    assert decision(state) == "place 3"


def test_declined_buyout_of_three_owners_leaves_small_buildings() -> None:
    state = three_owners()
    play(state, "place c1", "decline")
    assert [built(state, seat) for seat in range(3)] == [(0, 0, 1)] * 3
    assert decision(state) == "place 1"


@pytest.mark.parametrize(("left", "asked"), [(0, False), (1, False), (2, True)])
def test_buyout_of_three_owners_needs_two_tiles_in_reserve(left: int, asked: bool) -> None:
    spare = "e3 g3 e5"
    state = position({"B": spare, "S": "a1", "C": "b1"}, seats=3, tiles_each=4 + left)
    events = play(state, "place c1")
    assert state.reserve[0] == left
    assert decision(state) == ("buyout 0" if asked else "place 1")
    assert [event["buyer"] for event in records(events, "completed")] == [0 if asked else None]


def test_other_owners_are_not_asked_among_three() -> None:
    state = position({"B": "e3 g3 e5", "S": "a1", "C": "b1"}, seats=3, tiles_each=4)
    events = play(state, "place c1")
    assert [event["buyer"] for event in records(events, "completed")] == [None]
    assert min(state.reserve[1:]) >= 2
    assert decision(state) == "place 1"


@pytest.mark.parametrize(
    "squares", [("a1", "b1", "c1"), ("c1", "a1", "b1"), ("b2", "a2", "b1"), ("g7", "g8", "h8")]
)
def test_group_may_have_any_shape_and_last_tile(squares: tuple[str, str, str]) -> None:
    first, second, last = squares
    state = position({"B": first, "S": second})
    play(state, f"place {last}", "buy out")
    assert on(state, "B") == set(squares)


def test_buyout_changes_nothing_around_group() -> None:
    state = position({"B": "a1 a3 e1", "S": "b1 d2 b3"})
    play(state, "place c1", "buy out")
    assert on(state, "B") == {"a1", "b1", "c1", "a3", "e1"}
    assert on(state, "S") == {"d2", "b3"}


def test_buyout_is_asked_of_one_seat() -> None:
    state = position({"B": "f6", "S": "b4 b3"})
    play(state, "place b2")
    assert acquisition.observe(state, 0).legal == ()
    assert {move.text for move in acquisition.observe(state, 1).legal} == ASKED
    assert {acquisition.observe(state, seat).group for seat in (None, 0, 1)} == {
        tuple(SQUARE_BY_NAME[square] for square in ("b2", "b3", "b4"))
    }
