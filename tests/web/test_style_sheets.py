"""The style sheets take every value from one list of tokens."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "games" / "static" / "games"
TOKENS = (STATIC / "css" / "tokens.css").read_text()
SHEETS = [path.name for path in sorted((STATIC / "css").glob("*.css")) if path.name != "tokens.css"]

RAW_COLOUR = r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)a?\("
RAW_TIME = r"\b\d*\.?\d+m?s\b"
RAW_SIZE = r"\b(?:font-size|padding|margin|gap|border-radius)[\w-]*: [^;]*?\d(?:rem|px)\b"
RAW_FONT = r"\bfont: [^;]*?(?:\d(?:rem|px|em)\b|system-ui|sans-serif)"
RAW_SHADOW = r"box-shadow: (?!none|inset|var\(|0 0 0 )"
# A token glued to a number or a name, as a careless replacement leaves it.
BROKEN_TOKEN = r"[\w.]var\("


def sheet(name: str) -> str:
    return re.sub(r"/\*.*?\*/", "", (STATIC / "css" / name).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("raw", [RAW_COLOUR, RAW_TIME, RAW_SIZE, RAW_FONT, RAW_SHADOW, BROKEN_TOKEN])
def test_values_come_from_the_tokens(name: str, raw: str) -> None:
    assert re.findall(raw, sheet(name)) == []


@pytest.mark.parametrize("name", SHEETS)
def test_every_token_that_is_used_exists(name: str) -> None:
    defined = set(re.findall(r"(--[\w-]+):", TOKENS + "".join(map(sheet, SHEETS))))
    assert set(re.findall(r"var\((--[\w-]+)", sheet(name))) <= defined


def test_text_is_at_least_12_pixels_high() -> None:
    sizes = {name: float(size) * 16 for name, size in re.findall(r"--t-([\w]+): ([\d.]+)rem;", TOKENS)}
    assert {name for name, size in sizes.items() if size < 12} == {"2xs"}


def test_display_face_is_loaded_early_and_comes_with_its_licence() -> None:
    [file] = re.findall(r'url\("\.\./(fonts/[\w.-]+)"\)', TOKENS)
    base = (Path(__file__).parents[2] / "templates" / "base.html").read_text()
    assert f"games/{file}" in base and "font-display: swap" in TOKENS
    assert (STATIC / file).stat().st_size < 16_000
    assert "SIL OPEN FONT LICENSE" in (STATIC / "fonts" / "LICENSE").read_text()
