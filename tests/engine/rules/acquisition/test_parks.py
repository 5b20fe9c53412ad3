"""Parks: their number and order, and the asymmetry after the last one."""

from random import Random

import pytest

from games.engine.rules.acquisition import rule_system as acquisition_rule_system
from games.engine.rules.acquisition.board import SQUARE_NAMES, SQUARES, SYMMETRIES
from games.engine.rules.acquisition.parks import is_symmetrical
from games.engine.rules.acquisition.rule_options import PARKS, SEATS, Rules
from games.engine.rules.acquisition.state import State
from games.engine.rules.rule_errors import IllegalMove
from tests.engine.rules.acquisition.acquisition_positions import decision, legal, on, play, position

# The image of column x and row y, both from 0, for each symmetry: a second implementation.
SEVEN = {
    "quarter turn": lambda x, y: (11 - y, x),
    "half turn": lambda x, y: (11 - x, 11 - y),
    "three quarter turn": lambda x, y: (y, 11 - x),
    "left and right": lambda x, y: (11 - x, y),
    "top and bottom": lambda x, y: (x, 11 - y),
    "falling diagonal": lambda x, y: (y, x),
    "rising diagonal": lambda x, y: (11 - y, 11 - x),
}


def place(name: str) -> tuple[int, int]:
    return "abcdefghijkl".index(name[0]), int(name[1:]) - 1


def name(x: int, y: int) -> str:
    return f"{'abcdefghijkl'[x]}{y + 1}"


def parked(seats: int, *squares: str) -> State:
    state = acquisition_rule_system.deal(Rules(), seats, bytes(32))
    play(state, *(f"park {square}" for square in squares))
    return state


@pytest.mark.parametrize(("seats", "parks"), [(2, 6), (3, 6), (4, 4)])
def test_parks_are_placed_in_turn_before_tiles(seats: int, parks: int) -> None:
    assert PARKS[seats] == parks
    state = parked(seats)
    squares = "a1 b1 c2 d5 a3 l7".split()[:parks]  # noqa: SIM905
    for number, square in enumerate(squares):
        assert decision(state) == f"park {number % seats}"
        assert state.parks == parks - number
        (event,) = play(state, f"park {square}")
        assert acquisition_rule_system.event_to_json(event) == {
            "kind": "parked",
            "seat": number % seats,
            "square": square,
            "left": parks - number - 1,
        }
    assert decision(state) == "place 0"
    assert on(state, "P") == set(squares)
    assert legal(state) == {f"place {square}" for square in SQUARE_NAMES if square not in squares}


def test_park_goes_on_any_empty_square() -> None:
    state = parked(2, "a1", "l12")
    assert legal(state) == {f"park {square}" for square in SQUARE_NAMES if square not in ("a1", "l12")}


@pytest.mark.parametrize("symmetry", SEVEN)
def test_symmetries_are_those_of_the_square(symmetry: str) -> None:
    image = SYMMETRIES[symmetry]
    for square in SQUARES:
        assert SQUARE_NAMES[image[square]] == name(*SEVEN[symmetry](*place(SQUARE_NAMES[square])))
    assert len({tuple(image) for image in SYMMETRIES.values()} | {tuple(SQUARES)}) == 8
    assert len(SYMMETRIES) == 7


def orbits(symmetry: str, parks: int) -> list[str]:
    """`parks` squares that this symmetry maps onto themselves, and no others but those it implies."""
    found: list[str] = []
    for start in ("b1", "d2", "e1"):
        orbit = [start]
        while (after := name(*SEVEN[symmetry](*place(orbit[-1])))) != start:
            orbit.append(after)
        if len(found) + len(orbit) <= parks:
            found += orbit
    return found


# No quarter turn maps six squares onto themselves, as it fixes no square.
CASES = [
    (symmetry, seats)
    for symmetry in SEVEN
    for seats in SEATS
    if PARKS[seats] == 4 or "quarter" not in symmetry
]


@pytest.mark.parametrize(("symmetry", "seats"), CASES)
def test_last_park_must_not_leave_symmetry(symmetry: str, seats: int) -> None:
    *first, last = orbits(symmetry, PARKS[seats])
    assert len(first) + 1 == PARKS[seats]
    state = parked(seats, *first)
    with pytest.raises(IllegalMove) as refusal:
        acquisition_rule_system.check_move(state, acquisition_rule_system.parse_move(f"park {last}"))
    assert refusal.value.reason == "symmetrical"
    assert refusal.value.facts == {"square": last}
    elsewhere = name(place(last)[0], (place(last)[1] + 5) % 12)
    play(state, f"park {elsewhere}")
    assert decision(state) == "place 0"


def test_symmetrical_set_bars_whole_axis_for_last_park() -> None:
    state = parked(4, "b1", "a2", "c3")
    diagonal = {f"park {column}{row + 1}" for row, column in enumerate("abcdefghijkl")}
    everywhere = {f"park {square}" for square in SQUARE_NAMES if square not in ("b1", "a2", "c3")}
    assert everywhere - legal(state) == diagonal - {"park c3"}


def test_symmetry_before_last_park_is_allowed() -> None:
    state = parked(2, "a1", "l12", "a12", "l1")
    assert is_symmetrical([SQUARES[0], SQUARES[-1]])
    assert decision(state) == "park 0"


def test_last_park_is_barred_exactly_by_symmetries() -> None:
    rng = Random(1)
    barred = 0
    for _ in range(60):
        seats = rng.choice(SEATS)
        symmetry = SEVEN[rng.choice(list(SEVEN))]
        squares: list[str] = []
        while len(squares) < PARKS[seats] - 1:
            square = rng.choice(SQUARE_NAMES)
            for one in (square, name(*symmetry(*place(square)))):
                if one not in squares and len(squares) < PARKS[seats] - 1:
                    squares.append(one)
        offered = legal(parked(seats, *squares))
        for square in SQUARE_NAMES:
            if square not in squares:
                taken = {place(one) for one in (*squares, square)}
                same = any({image(x, y) for x, y in taken} == taken for image in SEVEN.values())
                assert (f"park {square}" in offered) != same
                barred += same
    assert barred > 20


def test_parks_cannot_be_moved_and_precede_tiles() -> None:
    state = parked(2, "a1")
    for text, reason in (
        ("park a1", "park there"),
        ("place b1", "other decision"),
        ("decline", "other decision"),
    ):
        with pytest.raises(IllegalMove) as refusal:
            acquisition_rule_system.check_move(state, acquisition_rule_system.parse_move(text))
        assert refusal.value.reason == reason
    with pytest.raises(IllegalMove, match="other decision"):
        acquisition_rule_system.check_move(position(), acquisition_rule_system.parse_move("park a1"))
