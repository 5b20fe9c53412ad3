"""The puzzle of the day on a phone and a desktop, with and without a script."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.armed_buttons import press
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}

MAKE = """
from games.models import Puzzle
from tests.puzzles.made_puzzles import make_puzzle
Puzzle.objects.all().delete()
print(make_puzzle().best)
"""


@pytest.fixture(scope="module")
def best(played_site: PlayedSite) -> str:
    """The best tile of today's puzzle."""
    return played_site.shell(MAKE).split()[-1]


@pytest.fixture(
    params=[
        {"viewport": PHONE, "color_scheme": "light"},
        {"viewport": DESK, "color_scheme": "dark"},
        {"viewport": PHONE, "color_scheme": "dark", "java_script_enabled": False},
        {"viewport": DESK, "color_scheme": "light", "java_script_enabled": False},
    ],
    ids=["phone", "desk", "phone without a script", "desk without a script"],
)
def page(browser: "Browser", played_site: PlayedSite, request: Any) -> "Iterator[Page]":
    context = browser.new_context(base_url=played_site.url, **request.param)
    context.set_default_timeout(20_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: said.type == "error" and faults.append(said.text))
    yield page
    assert faults == []
    context.close()


def look(page: "Page", name: str, request: pytest.FixtureRequest) -> None:
    """Assert that nothing scrolls sideways; store a picture if PICTURES names a folder."""
    assert page.viewport_size
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    if folder := os.environ.get("PICTURES"):
        of = request.node.callspec.id.replace(" ", "-")
        page.screenshot(path=f"{folder}/{name}-{of}.png", full_page=True)


def test_visitor_solves_puzzle_of_the_day(page: "Page", best: str, request: pytest.FixtureRequest) -> None:
    page.goto("/")
    look(page, "home", request)
    page.get_by_role("link", name="Open the puzzle").click()
    page.wait_for_url("**/puzzle/**")
    look(page, "puzzle", request)
    page.locator(f"#tile-{best}").check(force=True)
    press(page.locator("form#decision [data-go]"))
    page.get_by_text("Correct").first.wait_for()
    look(page, "solved", request)
    # The puzzle stays solved.
    page.goto("/puzzle/")
    page.get_by_text("Correct").first.wait_for()
    assert page.locator("form#decision").count() == 0
