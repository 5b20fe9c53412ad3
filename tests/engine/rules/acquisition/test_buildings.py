"""Buildings, and the standings that they decide."""

from collections.abc import Mapping

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.buildings import built, standings
from tests.engine.rules.acquisition.acquisition_positions import play, position


@pytest.mark.parametrize(
    ("tiles", "brick", "steel"),
    [
        ({"B": "a1"}, (0, 0, 1), (0, 0, 0)),
        ({"B": "a1 b1"}, (0, 1, 0), (0, 0, 0)),
        ({"B": "a1", "S": "b1"}, (0, 0, 1), (0, 0, 1)),
        ({"B": "a1 b1 c1"}, (1, 0, 0), (0, 0, 0)),
        ({"B": "a1 b1 b2"}, (1, 0, 0), (0, 0, 0)),
        # Two tiles of one owner in a mixed group: one building if they touch, else two small ones.
        ({"B": "a1 b1", "S": "c1"}, (0, 1, 0), (0, 0, 1)),
        ({"B": "a1 c1", "S": "b1"}, (0, 0, 2), (0, 0, 1)),
        ({"B": "a1 b2", "S": "b1"}, (0, 0, 2), (0, 0, 1)),
        ({"B": "a1 b1", "S": "b2"}, (0, 1, 0), (0, 0, 1)),
        # Corners and parks do not connect.
        ({"B": "a1 b2 c1"}, (0, 0, 3), (0, 0, 0)),
        ({"B": "k11 l10 j12", "S": "i11"}, (0, 0, 3), (0, 0, 1)),
        ({"B": "a1 b1 a3 b3 d1 d2 d3 f1", "S": "h1 i1 h3 i3 i4"}, (1, 2, 1), (1, 1, 0)),
    ],
)
def test_buildings_have_one_colour(
    tiles: Mapping[str, str], brick: tuple[int, int, int], steel: tuple[int, int, int]
) -> None:
    state = position(tiles, parks="l12 k12 i12 l11 l8 j11")
    assert (built(state, 0), built(state, 1)) == (brick, steel)


def test_three_owners_have_small_buildings() -> None:
    state = position({"B": "a1", "S": "b1", "C": "c1"}, seats=3)
    assert [built(state, seat) for seat in range(3)] == [(0, 0, 1)] * 3


def test_count_follows_each_tile() -> None:
    state = position()
    seen = []
    for square in ("a1", "d4", "a2", "d5", "c1", "d6", "e1", "h8", "d1"):
        play(state, f"place {square}")
        seen.append((built(state, 0), built(state, 1)))
    assert seen == [
        ((0, 0, 1), (0, 0, 0)),
        ((0, 0, 1), (0, 0, 1)),
        ((0, 1, 0), (0, 0, 1)),
        ((0, 1, 0), (0, 1, 0)),
        ((0, 1, 1), (0, 1, 0)),
        ((0, 1, 1), (1, 0, 0)),
        ((0, 1, 2), (1, 0, 0)),
        ((0, 1, 2), (1, 0, 1)),
        # One tile turns two small buildings into a large one.
        ((1, 1, 0), (1, 0, 1)),
    ]


@pytest.mark.parametrize(
    ("brick", "steel", "concrete", "expected"),
    [
        # Most large buildings.
        ("a1 b1 c1", "a3 b3", "a5", [(1, 0, 1), (2, 1, 0), (3, 2, 0)]),
        ("a1", "a3 b3 c3", "a5 b5 e5 f5 h5", [(1, 1, 1), (2, 2, 0), (3, 0, 0)]),
        # With equal large buildings, most medium ones, even against more small ones.
        ("a1 b1 c1 e1 g1 i1", "a3 b3 c3 e3 f3", "", [(1, 1, 1), (2, 0, 1), (3, 2, 0)]),
        # Medium buildings break ties, but lift nobody above a seat with more large ones.
        ("a1 b1 c1", "a3 b3 c3 e3 f3", "a5 b5 d5 e5 g5 h5", [(1, 1, 1), (2, 0, 1), (3, 2, 0)]),
        # With equal large and medium buildings, most small ones.
        ("a1 b1 c1 e1 f1 h1", "a3 b3 c3 e3 f3", "a5 b5 c5 e5 f5 h5 j5", [(1, 2, 1), (2, 0, 1), (3, 1, 1)]),
        # A tie.
        ("a1 b1 c1 e1", "a3 b3 c3 e3", "a5", [(1, 0, 1), (1, 1, 1), (3, 2, 0)]),
        ("a1", "a3 b3", "a5", [(1, 1, 0), (2, 0, 0), (2, 2, 0)]),
        ("a1", "a3", "a5", [(1, 0, 0), (1, 1, 0), (1, 2, 0)]),
    ],
)
def test_standings_rank_large_then_medium_then_small_buildings(
    brick: str, steel: str, concrete: str, expected: list[tuple[int, int, int]]
) -> None:
    state = position({"B": brick, "S": steel, "C": concrete}, seats=3)
    assert standings(state) == expected


def test_worth_is_number_of_large_buildings() -> None:
    state = position({"B": "a1 b1 c1 a3 b3 c3", "S": "a5 b5 c5 e5 f5"})
    assert acquisition.worth(state) == [2, 1]
    acquisition.worth(state).append(7)
    assert acquisition.worth(state) == [2, 1]


def test_buyout_moves_buildings_between_seats() -> None:
    state = position({"B": "a1", "S": "b1 d4"})
    play(state, "place c1")
    assert (built(state, 0), built(state, 1)) == ((0, 0, 2), (0, 0, 2))
    play(state, "buy out")
    assert (built(state, 0), built(state, 1)) == ((1, 0, 0), (0, 0, 1))
