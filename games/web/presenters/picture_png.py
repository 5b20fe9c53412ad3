"""Share pictures as PNG files."""

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from games.web.presenters.share_picture import Picture

if TYPE_CHECKING:
    from PIL import ImageFont

# The Latin, Greek and Cyrillic letters of DejaVu Sans; its licence lies beside it.
_FONT: Final = Path(__file__).parent / "fonts" / "DejaVuSans-part.ttf"
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}
# Boxes are drawn larger by this factor and scaled down, which smooths their corners.
_FINER: Final = 2


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
    image = large.resize((picture.width, picture.height), Image.Resampling.BOX)
    pen = ImageDraw.Draw(image)
    for label in picture.labels:
        at, anchor = (label.x, label.y), _ANCHORS[label.anchor]
        pen.text(at, label.text, fill=label.fill, font=_font(label.size), anchor=anchor)
    found = BytesIO()
    # The picture has few colours: with a palette the file is a third as large.
    image.quantize(128).save(found, "PNG", optimize=True)
    return found.getvalue()


@lru_cache(maxsize=8)
def _font(size: int) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.truetype(_FONT, size)
