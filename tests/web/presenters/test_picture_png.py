"""The board in share pictures: joined shapes, in the same places as in the SVG."""

from io import BytesIO

from PIL import Image

from games.web.presenters.board_drawing import BoardPicture, Cell
from games.web.presenters.picture_png import png
from games.web.presenters.share_picture import Picture, picture

RED, GREY = "#c00000", "#808080"
# A ring of a chain round an empty square.
RING = ("XXX", "X.X", "XXX")


def drawn(*rows: str) -> Picture:
    cells = tuple(
        Cell(x, y, RED, joins=True) if mark == "X" else Cell(x, y, GREY)
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
    )
    return picture("", "", BoardPicture(len(rows[0]), len(rows), cells), (), "")


def colour(shown: Picture, x: float, y: float) -> tuple[int, ...]:
    """The colour at this place of the board, in squares."""
    image = Image.open(BytesIO(png(shown))).convert("RGB")
    board = shown.board
    found = image.getpixel((round(board.x + x * board.side), round(board.y + y * board.side)))
    assert isinstance(found, tuple)
    return found


def near(found: tuple[int, ...], wanted: str) -> bool:
    parts = (int(wanted[start : start + 2], 16) for start in (1, 3, 5))
    return all(abs(one - other) < 12 for one, other in zip(found, parts, strict=True))


def test_neighbours_of_a_chain_are_joined() -> None:
    shown = drawn("XX.", "...", "...")
    assert near(colour(shown, 1, 0.5), RED), "between two squares of the chain"
    assert not near(colour(shown, 2, 0.5), RED)
    assert not near(colour(shown, 2, 0.5), GREY), "a gap to the empty square"


def test_hole_of_a_chain_shows_what_lies_in_it() -> None:
    shown = drawn(*RING)
    assert near(colour(shown, 1.5, 1.5), GREY)
    assert near(colour(shown, 1.5, 0.5), RED)


def test_chain_is_one_shape_and_other_squares_are_apart() -> None:
    shapes = drawn(*RING, "...").board.shapes
    assert sorted(len(shape.squares) for shape in shapes) == [1, 1, 1, 1, 8]
