"""Invariants: each fault is found."""

from collections.abc import Callable

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import PARK, SQUARE_BY_NAME
from games.engine.rules.acquisition.invariants import invariants
from games.engine.rules.acquisition.moves import PLACE
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.acquisition.state import BUYOUTS, DECISIONS, OVER, State
from tests.engine.rules.acquisition.acquisition_positions import FULL, play, position


def parking() -> State:
    state = acquisition.deal(Rules(), 2, bytes(32))
    play(state, "park a1", "park c1")
    return state


def quiet() -> State:
    return position({"B": "a1 b1 e5", "S": "c1 g7"})


def asking() -> State:
    state = position({"B": "a1", "S": "b1", "C": "g7"}, seats=3)
    play(state, "place c1")
    return state


def over() -> State:
    return position({"B": "a1", "S": "c1"}, tiles_each=1, ended="no tile")


def full() -> State:
    return position(FULL, parks="b2 d4 c6 a12 e12 i12", ended="no square")


def put(state: State, square: str, value: int) -> None:
    state.board[SQUARE_BY_NAME[square]] = value


FAULTS: list[tuple[Callable[[], State], Callable[[State], object], str]] = [
    (quiet, lambda s: setattr(s, "seats", 5), "5 seats"),
    (quiet, lambda s: setattr(s, "turn", 2), "no seat 2"),
    (quiet, lambda s: s.reserve.append(0), "reserve of 3 seats instead of 2"),
    (quiet, lambda s: s.buildings[2].pop(), "buildings of 1 seats instead of 2"),
    (quiet, lambda s: put(s, "a5", 3), "nothing like 3 to be on a5"),
    (quiet, lambda s: put(s, "a5", -1), "nothing like -1 to be on a5"),
    (quiet, lambda s: put(s, "a5", PARK), "7 parks are on the board and 0 to come"),
    (quiet, lambda s: setattr(s, "parks", 1), "6 parks are on the board and 1 to come"),
    (quiet, lambda s: put(s, "a5", 1), "seat 0 has 4 tiles on the board and 37 in reserve, out of 40"),
    (quiet, lambda s: s.reserve.__setitem__(1, 39), "seat 1 has 2 tiles on the board and 39 in reserve"),
    (quiet, lambda s: s.size.__setitem__(0, 2), "the group of a1 counts 2 tiles and has 3"),
    (quiet, lambda s: s.size.__setitem__(50, 1), "the group of c5 counts 1 tiles and has 0"),
    (quiet, lambda s: put(s, "d1", 1), "a1 is in a group of 4 tiles"),
    (quiet, lambda s: s.buildings[1].__setitem__(0, 7), "counted as"),
    (quiet, lambda s: setattr(s, "open", s.open[1:]), "the open squares are not"),
    (quiet, lambda s: setattr(s, "open", (*s.open, PLACE[3])), "the open squares are not"),
    (quiet, lambda s: setattr(s, "open", s.open[:1]), "asked for a place with 1 squares to choose from"),
    (quiet, lambda s: setattr(s, "tile", 0), "a group is pending without a decision"),
    (quiet, lambda s: setattr(s, "ended", "no tile"), "the game ended (no tile) and goes on"),
    (quiet, lambda s: setattr(s, "decision", DECISIONS["place"][1]), "seat 1 decides in the turn of seat 0"),
    (quiet, lambda s: setattr(s, "decision", DECISIONS["park"][0]), "parks after it"),
    (quiet, lambda s: setattr(s, "decision", OVER), "over without a reason"),
    (quiet, lambda s: setattr(s, "reserve", [0, 38]), "seat 0 has no tile to place"),
    (parking, lambda s: setattr(s, "decision", DECISIONS["place"][0]), "tiles come before the last park"),
    (parking, lambda s: put(s, "f6", 1), "a tile is on the board before the last park"),
    (
        parking,
        lambda s: s.__setattr__("decision", OVER) or setattr(s, "ended", "no tile"),
        "before the last park",
    ),
    (asking, lambda s: setattr(s, "tile", -1), "a group is pending without a decision"),
    (asking, lambda s: setattr(s, "tile", SQUARE_BY_NAME["b1"]), "b1 is no tile of seat 0"),
    (asking, lambda s: setattr(s, "decision", BUYOUTS[1]), "seat 1 cannot buy out the group of c1"),
    (asking, lambda s: setattr(s, "decision", BUYOUTS[2]), "seat 2 cannot buy out the group of c1"),
    (asking, lambda s: s.size.__setitem__(SQUARE_BY_NAME["c1"], 2), "the group of c1 is not complete"),
    (asking, lambda s: s.reserve.__setitem__(0, 0), "seat 0 cannot buy out"),
    (over, lambda s: s.reserve.__setitem__(0, 1), "the game is over and seat 0 has a tile"),
    (over, lambda s: setattr(s, "ended", "no square"), "the game is over and there is a square"),
    (over, lambda s: setattr(s, "ended", ""), "over without a reason"),
    (over, lambda s: setattr(s, "tile", 0), "a group is pending without a decision"),
    (full, lambda s: setattr(s, "open", PLACE[:2]), "the game is over and there is a square"),
]


@pytest.mark.parametrize(("make", "spoil", "fault"), FAULTS, ids=[fault for _, _, fault in FAULTS])
def test_fault_is_found(make: Callable[[], State], spoil: Callable[[State], object], fault: str) -> None:
    state = make()
    assert invariants(state) == []
    spoil(state)
    assert any(fault in found for found in invariants(state)), invariants(state)


def test_symmetrical_parks_are_a_fault() -> None:
    state = quiet()
    for square in (square for square, value in enumerate(state.board) if value == PARK):
        state.board[square] = 0
    for name in ("a12", "l12", "b11", "k11", "c10", "j10"):
        put(state, name, PARK)
    assert "the parks are symmetrical" in invariants(state)
