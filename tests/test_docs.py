"""Links, files, commands and make targets that the docs name exist."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FOLDERS = ("accounts/", "acquire_site/", "deploy/", "docs/", "games/", "templates/", "tests/")
# The docs write paths relative to these folders.
SHORT_FROM = ("", "games/", "accounts/", "templates/")


def each_page(test: Callable[..., None]) -> Any:
    return pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))(test)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_there(name: str) -> bool:
    """Return whether a name looks like no file of ours, or the file or folder exists."""
    is_file = re.search(r"\.(py|md|html|css|js|txt|yml|yaml|json)$", name)
    if name.startswith(("/", "data/")) or not (is_file or name.startswith(FOLDERS)):
        return True
    pattern = re.sub(r"<\w+>", "*", name)
    return any(any(ROOT.glob(root + pattern)) for root in (SHORT_FROM if is_file else ("",)))


@each_page
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if link.startswith(("http", "mailto")):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@each_page
def test_named_files_exist(page: Path) -> None:
    names = re.findall(r"`([\w.<>/-]+/[\w.<>-]*)`", page.read_text())
    assert not [name for name in names if not is_there(name)]


@each_page
def test_named_commands_exist(page: Path) -> None:
    text = page.read_text()
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"manage\.py ([a-z]\w*)", text)) <= set(get_commands())
    assert set(re.findall(r"(?:^    |`)make ([a-z][\w-]*)", text, re.M)) <= targets
