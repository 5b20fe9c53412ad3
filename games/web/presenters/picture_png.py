"""Share pictures as PNG files."""

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from games.web.presenters.board_shapes import SQUARE, Corner, corners
from games.web.presenters.share_picture import Board, Picture, Shape

if TYPE_CHECKING:
    from PIL import Image, ImageFont

# The Latin, Greek and Cyrillic letters of DejaVu Sans; its licence lies beside it.
_FONT: Final = Path(__file__).parent / "fonts" / "DejaVuSans-part.ttf"
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}
# Boxes and shapes are drawn larger by this factor and scaled down, which smooths their corners.
_FINER: Final = 2
# The points of a curve at a corner, as parts of its length.
_CURVE: Final = (0, 0.25, 0.5, 0.75, 1)


def png(picture: Picture) -> bytes:
    """Render the picture as a PNG; letters missing from the font show as empty boxes."""
    # Imported late: few processes draw pictures.
    from PIL import Image, ImageDraw

    size = (picture.width * _FINER, picture.height * _FINER)
    large = Image.new("RGB", size)
    pen = ImageDraw.Draw(large)
    for box in picture.boxes:
        left, top = box.x * _FINER, box.y * _FINER
        right, bottom = left + box.width * _FINER - 1, top + box.height * _FINER - 1
        pen.rounded_rectangle((left, top, right, bottom), box.corner * _FINER, fill=box.fill)
    for shape in picture.board.shapes:
        _paint(large, picture.board, shape)
    image = large.resize((picture.width, picture.height), Image.Resampling.BOX)
    pen = ImageDraw.Draw(image)
    for label in picture.labels:
        at, anchor = (label.x, label.y), _ANCHORS[label.anchor]
        pen.text(at, label.text, fill=label.fill, font=_font(label.size), anchor=anchor)
    found = BytesIO()
    # The picture has few colours: with a palette the file is a third as large.
    image.quantize(128).save(found, "PNG", optimize=True)
    return found.getvalue()


def _paint(image: "Image.Image", board: Board, shape: Shape) -> None:
    """Fill the shape: what an odd number of its lines surround."""
    from PIL import Image, ImageChops, ImageDraw

    lines = [_points(line, board) for line in corners(shape.squares)]
    if len(lines) == 1:
        ImageDraw.Draw(image).polygon(lines[0], fill=shape.fill)
        return
    inside = Image.new("1", image.size)
    for line in lines:
        around = Image.new("1", image.size)
        ImageDraw.Draw(around).polygon(line, fill=1)
        inside = ImageChops.logical_xor(inside, around)
    image.paste(shape.fill, mask=inside)


def _points(line: list[Corner], board: Board) -> list[tuple[float, float]]:
    """The line as a polygon in pixels of the large image."""
    scale = board.side * _FINER / SQUARE
    return [
        (board.x * _FINER + x * scale, board.y * _FINER + y * scale)
        for corner in line
        for x, y in _curve(corner)
    ]


def _curve(corner: Corner) -> list[tuple[float, float]]:
    """Points of the curve of a corner: a quadratic one, as in the SVG."""
    (dx, dy), (to_x, to_y) = corner.before, corner.after
    return [
        (corner.x - (1 - t) ** 2 * dx + t**2 * to_x, corner.y - (1 - t) ** 2 * dy + t**2 * to_y)
        for t in _CURVE
    ]


@lru_cache(maxsize=8)
def _font(size: int) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.truetype(_FONT, size)
