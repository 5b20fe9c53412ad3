"""Outlines of chains, and the drawing of the board."""

import re
from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.web.presenters.acquire.board_view import small_shapes
from games.web.presenters.board_shapes import (
    INSET,
    SQUARE,
    Point,
    board_svg,
    corners,
    mini_board_svg,
    outline,
)
from tests.engine.rules.acquire.acquire_positions import position

COLUMNS, ROWS = 12, 9


def drawn(*rows: str) -> frozenset[Point]:
    """The squares that are not a dot."""
    return frozenset((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != ".")


def area(squares: frozenset[Point]) -> float:
    """The area that the lines round these squares enclose, in squares, as if corners were not rounded."""
    doubled = 0
    for loop in corners(squares):
        for one, other in zip(loop, [*loop[1:], loop[0]], strict=True):
            doubled += one.x * other.y - other.x * one.y
    return doubled / 2 / SQUARE**2


def gaps(squares: frozenset[Point]) -> float:
    """The area of these squares that lies outside of their shape, computed from their neighbours."""
    lost = 0
    for x, y in squares:
        free = {
            side for side in ((0, -1), (1, 0), (0, 1), (-1, 0)) if (x + side[0], y + side[1]) not in squares
        }
        width = SQUARE - INSET * len(free & {(1, 0), (-1, 0)})
        height = SQUARE - INSET * len(free & {(0, 1), (0, -1)})
        lost += SQUARE**2 - width * height
        # Where two neighbours are there, and the one between them is not, its corner cuts into the square.
        for dx in (-1, 1):
            for dy in (-1, 1):
                if not {(dx, 0), (0, dy)} & free and (x + dx, y + dy) not in squares:
                    lost += INSET**2
    return lost / SQUARE**2


def test_single_square_has_four_round_corners() -> None:
    assert outline(drawn("X")) == "M5 80V20q0 -15 15 -15H80q15 0 15 15V80q0 15 -15 15H20q-15 0 -15 -15z"


def test_row_of_squares_has_no_line_between_them() -> None:
    assert [len(loop) for loop in corners(drawn("XXXX"))] == [4]


def test_inner_corner_is_rounded_the_other_way() -> None:
    [loop] = corners(drawn("X.", "XX"))
    assert len(loop) == 6
    assert [corner for corner in loop if 9 in map(abs, corner.before)] == [
        (SQUARE - INSET, SQUARE + INSET, (0, 9), (9, 0))
    ]


def test_squares_that_touch_at_a_corner_stay_apart() -> None:
    assert [len(loop) for loop in corners(drawn("X.", ".X"))] == [4, 4]
    assert [len(loop) for loop in corners(drawn(".X", "X."))] == [4, 4]
    assert [len(loop) for loop in corners(drawn("XX.", "X.X", "XXX"))] == [10]


def test_hole_has_a_line_of_its_own() -> None:
    assert sorted(len(loop) for loop in corners(drawn("XXX", "X.X", "XXX"))) == [4, 4]


@pytest.mark.parametrize("seed", range(30))
def test_shape_covers_its_squares_and_no_others(seed: int) -> None:
    rng = Random(f"shape {seed}")
    share = rng.uniform(0.1, 0.9)
    every = [(x, y) for x in range(COLUMNS) for y in range(ROWS)]
    squares = frozenset(place for place in every if rng.random() < share)
    assert area(squares) == pytest.approx(len(squares) - gaps(squares))


def test_board_has_a_well_for_each_empty_square_and_a_shape_for_each_chain() -> None:
    svg = str(board_svg(4, ["", "lone", "lone", "", "chain-tower", "chain-tower", "", ""]))
    paths = dict(re.findall('<path class="([^"]+)" d="([^"]+)"/>', svg))
    assert {css: path.count("M") for css, path in paths.items()} == {"wells": 4, "lone": 2, "chain-tower": 1}


def test_small_board_repeats_the_pattern_of_a_chain_on_each_of_its_squares() -> None:
    pieces = ["", "lone", "chain-tower", "chain-tower", "chain-luxor"]
    svg = str(mini_board_svg(5, pieces, 1, {"chain-tower": "h9", "chain-imperial": "v9"}))
    assert '<path class="pattern chain-tower" d="M200 0h9M300 0h9"/>' in svg
    assert "chain-imperial" not in svg
    assert svg.count('class="ring"') == 1 and 'class="ring" x="100" y="0"' in svg


def test_each_chain_has_a_pattern_of_its_own() -> None:
    places = ["1A-2A", "5A-6A", "1C-2C", "5C-6C", "1E-2E", "5E-6E", "1G-2G"]
    state = position(dict(zip(CHAIN_BY_NAME, places, strict=True)), decision="buy 0")
    svg = str(small_shapes(acquire.observe(state, None), None))
    patterns = re.findall('class="pattern chain-([a-z]+)" d="M[0-9]+ [0-9]+([^M]+)', svg)
    assert {name for name, _ in patterns} == set(CHAIN_BY_NAME)
    assert len({path for _, path in patterns}) == len(CHAIN_BY_NAME)


def test_board_is_small() -> None:
    rng = Random("small")
    names = ["", "", "lone", *(f"chain-{name}" for name in ("tower", "luxor", "american", "imperial"))]
    assert len(board_svg(COLUMNS, rng.choices(names, k=COLUMNS * ROWS))) < 6_000
    assert len(board_svg(COLUMNS, [""] * COLUMNS * ROWS)) < 2_500
