"""Contrast of text and its background, in light and dark themes (WCAG AA)."""

import re
from itertools import product
from pathlib import Path

import pytest

from games.engine.rules.acquire.chains import CHAIN_BY_NAME

TOKENS = Path(__file__).parents[3] / "games" / "static" / "games" / "css" / "tokens.css"
ENOUGH_FOR_TEXT = 4.5
ENOUGH_FOR_SHAPES = 3.0
THEMES = {"light": 0, "dark": 1}


def colours(theme: str) -> dict[str, str]:
    """Colours among the tokens, by name; `light-dark()` is resolved for the theme."""
    css = TOKENS.read_text()
    pair = {name: found for name, *found in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", css)}
    plain = dict(re.findall(r"--([\w-]+): (#\w+);", css))
    return plain | {name: both[THEMES[theme]] for name, both in pair.items()}


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


GROUNDS = ("ground", "surface", "raised", "sunken")
MEANINGS = ("accent", "gain", "warn", "alarm")
SEATS = [f"seat-{seat}" for seat in range(6)]
TEXTS = [
    *product(("ink", "dim"), GROUNDS),
    *product(MEANINGS, ("ground", "surface", "raised")),
    *((name, f"{name}-soft") for name in MEANINGS),
    ("ink", "accent-soft"),
    ("ink", "well"),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    ("on-stone", "stone"),
    *product(SEATS, ("surface",)),
    *((f"on-{chain}", chain) for chain in CHAIN_BY_NAME),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_text_has_contrast(theme: str, text: str, ground: str) -> None:
    known = colours(theme)
    assert contrast(known[text], known[ground]) >= ENOUGH_FOR_TEXT


@pytest.mark.parametrize("theme", THEMES)
def test_edge_of_a_field_is_visible(theme: str) -> None:
    known = colours(theme)
    assert contrast(known["edge"], known["surface"]) >= ENOUGH_FOR_SHAPES
