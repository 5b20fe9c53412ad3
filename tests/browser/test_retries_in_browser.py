"""Retries, the archive of puzzles and insights on a phone and a desk, by keyboard and without a script."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.support.armed_buttons import press
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}

# A person of her own for each way of looking, because a mistake is retried once a day.
MAKE = """
from accounts.models import User
from games.lobby.game_start import start_game
from tests.support.games import play_to_the_end
from tests.support.reviewed_games import make_mistake
for number in range(3):
    user = User.objects.create_user(f"retrying-{number}", password="pass-word-1")
    game = start_game(system="acquire", preset="classic", host=user, players=[user, "random"], skips=False)
    mistake = make_mistake(play_to_the_end(game), user, lambda entry: entry.text.startswith("place"))
    print("mistake", user.username, mistake.best.removeprefix("place "))
"""

WAYS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": PHONE, "color_scheme": "light"},
    "desk": {"viewport": DESK, "color_scheme": "dark"},
    "phone without a script": {"viewport": PHONE, "color_scheme": "dark", "java_script_enabled": False},
}


@pytest.fixture(scope="module")
def mistakes(played_site: PlayedSite) -> list[list[str]]:
    """Names and best tiles, in the order of WAYS."""
    lines = played_site.shell(MAKE).splitlines()
    return [line.split()[1:] for line in lines if line.startswith("mistake")]


@pytest.fixture(params=list(WAYS))
def way(request: Any) -> str:
    return str(request.param)


@pytest.fixture
def best(way: str, mistakes: list[list[str]]) -> str:
    return mistakes[list(WAYS).index(way)][1]


@pytest.fixture
def page(
    browser: "Browser", played_site: PlayedSite, way: str, mistakes: list[list[str]]
) -> "Iterator[Page]":
    context = browser.new_context(base_url=played_site.url, **WAYS[way])
    context.set_default_timeout(20_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: said.type == "error" and faults.append(said.text))
    page.goto("/accounts/login/?next=/retry/")
    page.locator("input[name=login]").fill(mistakes[list(WAYS).index(way)][0])
    page.locator("input[name=password]").fill("pass-word-1")
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url("**/retry/")
    yield page
    assert faults == []
    context.close()


def look(page: "Page") -> None:
    """Assert that nothing scrolls sideways."""
    assert page.viewport_size
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_member_retries_a_mistake(page: "Page", best: str, way: str) -> None:
    look(page)
    page.get_by_role("link", name="Retry mistake").click()
    page.wait_for_url("**/retry/*/")
    look(page)
    tile = page.locator(f"#tile-{best}")
    if way == "desk":
        tile.focus()
        page.keyboard.press("Space")
    else:
        tile.check(force=True)
    press(page.locator("form#decision [data-go]"))
    page.get_by_text("Correct").first.wait_for()
    page.get_by_text("This mistake comes back on").wait_for()
    look(page)
    page.get_by_role("link", name="Retry your mistakes").click()
    page.get_by_text("You have no mistakes to retry now.").wait_for()


def test_archive_and_insights_fit_every_screen(page: "Page", way: str) -> None:
    for address in ("/puzzles/", "/insights/"):
        page.goto(address)
        look(page)
        if "script" not in way:
            assert Axe().run(page).response["violations"] == []
