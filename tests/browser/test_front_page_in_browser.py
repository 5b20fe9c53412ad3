"""The front page: a newcomer's way to a first decision, the replay, and the page without a script."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_targets_in_browser import LEAST, TOO_SMALL
from tests.support import wording
from tests.support.armed_buttons import wait_until_armed
from tests.support.browser_person import Player
from tests.support.page_checks import DESK, PHONE
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OpenPage = Callable[..., "Page"]

PUZZLE = """
from games.models import Puzzle
from tests.puzzles.made_puzzles import make_puzzle
Puzzle.objects.all().delete()
make_puzzle()
from django.core.cache import cache
from games.web.showcase import front_page
cache.delete(front_page._cache_key())
"""


@pytest.fixture(scope="module")
def puzzle(played_site: PlayedSite) -> None:
    """Today's puzzle, which the front page shows at once."""
    played_site.shell(PUZZLE)


@pytest.fixture
def open_page(browser: "Browser", played_site: PlayedSite) -> Iterator[OpenPage]:
    """A function that opens the front page as a stranger; nothing may be reported in the console."""
    contexts = []
    faults: list[str] = []

    def open_page(**options: object) -> "Page":
        context = browser.new_context(base_url=played_site.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: said.type == "error" and faults.append(said.text))
        page.goto("/")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def words(page: "Page") -> str:
    return page.locator(".stage .words").inner_text()


def test_newcomer_makes_the_first_decision_with_three_taps(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_role("button", name=wording.PLAY_NOW).first.tap()
    page.wait_for_url(re.compile(r"/games/\w+/"))
    # Three computer players may decide first.
    page.locator("form#decision").wait_for(state="attached", timeout=90_000)
    before = page.locator("#table [data-version]").get_attribute("data-version")
    page.locator("label.tile").first.tap()
    wait_until_armed(page)
    page.locator("form#decision button[type=submit]").first.tap()
    page.locator(f"#table [data-version]:not([data-version='{before}'])").wait_for()


def test_replay_begins_by_itself_and_stops_by_a_key(open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    end = words(page)
    button = page.get_by_role("button", name="Pause replay")
    page.wait_for_function("end => document.querySelector('.stage .words').innerText !== end", arg=end)
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play replay").wait_for()
    shown = words(page)
    # Longer than any sentence stands.
    page.clock.install()
    page.clock.fast_forward(20_000)
    assert words(page) == shown
    page.keyboard.press("Enter")
    page.clock.run_for(10_000)
    page.wait_for_function("shown => document.querySelector('.stage .words').innerText !== shown", arg=shown)


# The height of the words of each frame in lines, in the window as it is.
HEIGHTS = """async () => {
  const stage = document.querySelector("[data-replay]");
  const page = await (await fetch(stage.dataset.replay)).text();
  const words = stage.querySelector(".words");
  const line = parseFloat(getComputedStyle(words).lineHeight);
  const frames = new DOMParser().parseFromString(page, "text/html");
  return [...frames.querySelectorAll(".frame .words")].map((told) => {
    words.replaceChildren(...told.childNodes);
    return stage.querySelector(".story").offsetHeight / line;
  });
}"""


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_words_of_the_replay_move_nothing_and_are_whole(
    viewport: dict[str, int], open_page: OpenPage
) -> None:
    page = open_page(viewport=viewport, reduced_motion="reduce")
    heights = page.evaluate(HEIGHTS)
    assert len(heights) > 20 and len(set(heights)) == 1 and round(heights[0]) <= 4
    assert page.locator(".stage .words").evaluate(
        "words => words.scrollHeight <= words.parentElement.offsetHeight"
    )


def test_players_of_the_replay_have_colours_of_their_own(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, reduced_motion="reduce")
    colours = page.locator(".scores b").evaluate_all(
        "all => all.map((one) => getComputedStyle(one, '::before').backgroundColor)"
    )
    assert len(set(colours)) == 4 and "rgba(0, 0, 0, 0)" not in colours


def test_board_stands_still_for_those_who_want_less_motion(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, reduced_motion="reduce")
    assert page.locator(".stage .shapes").is_visible()
    assert page.locator(".stage button").is_hidden()
    asked = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert not any("/replay/" in address for address in asked)


def test_page_works_without_a_script(puzzle: None, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, java_script_enabled=False)
    assert page.locator(".stage .shapes").is_visible()
    assert page.locator(".stage button").is_hidden()
    page.locator(".answers button").first.click()
    page.wait_for_url(re.compile(r"/puzzles?/"))
    page.get_by_text("evaluation").first.wait_for()
    page.goto("/")
    page.get_by_role("button", name=wording.PLAY_NOW).first.click()
    page.wait_for_url(re.compile(r"/games/\w+/"))


def test_targets_of_a_phone_are_large_enough(puzzle: None, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    for address in ("/", "/watch/"):
        page.goto(address)
        assert page.evaluate(TOO_SMALL, LEAST) == [], address


def test_pages_are_accessible(puzzle: None, player: Callable[..., Player]) -> None:
    stranger, member = player(), player("window-shopper")
    for address in ("/", "/watch/"):
        stranger.look_at(address)
    member.look_at("/")
