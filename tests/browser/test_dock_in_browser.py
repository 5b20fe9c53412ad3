"""The main pages at the foot of a phone's window."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_targets_in_browser import LEAST
from tests.browser.test_zoom_in_browser import enlarge_text
from tests.browser.turn_positions import game_at
from tests.support.open_tables import Opener
from tests.support.page_checks import DESK, PHONE
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OpenPage = Callable[..., "Page"]

NAMES = ["Lobby", "Learn", "Watch", "Leaderboard"]


@pytest.fixture
def open_page(browser: "Browser", played_site: PlayedSite) -> Iterator[OpenPage]:
    """A function that opens a page as a stranger."""
    contexts = []

    def open_page(address: str, **options: object) -> "Page":
        context = browser.new_context(base_url=played_site.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_dock_stays_at_the_foot_of_a_phone(open_page: OpenPage) -> None:
    page = open_page("/watch/", viewport=PHONE, java_script_enabled=False)
    links = page.locator(".dock a")
    assert links.all_inner_texts() == NAMES
    assert page.locator(".dock [aria-current=page]").all_inner_texts() == ["Watch"]
    for link in links.all():
        box = link.bounding_box()
        assert box is not None and box["width"] >= LEAST and box["height"] >= LEAST
        assert box["y"] + box["height"] == PHONE["height"]
    links.nth(1).click()
    page.wait_for_url("**/learn/")


def test_nothing_ends_under_the_dock(open_page: OpenPage) -> None:
    page = open_page("/", viewport=PHONE)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last, dock = page.locator(".bottom").bounding_box(), page.locator(".dock").bounding_box()
    assert last is not None and dock is not None
    assert last["y"] + last["height"] <= dock["y"] + 0.5


def test_dock_ends_the_page_where_text_is_large(open_page: OpenPage) -> None:
    page = open_page("/", viewport=PHONE)
    enlarge_text(page)
    last, dock = page.locator(".bottom").bounding_box(), page.locator(".dock").bounding_box()
    assert last is not None and dock is not None
    assert dock["y"] >= last["y"] + last["height"] - 0.5
    assert page.locator(".dock a").evaluate_all(
        "links => links.every((link) => link.scrollWidth <= link.clientWidth)"
    )


def test_desk_has_no_dock(open_page: OpenPage) -> None:
    page = open_page("/watch/", viewport=DESK)
    assert page.locator(".dock").is_hidden()


def test_dock_leaves_the_foot_to_bars_of_decisions(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "dock"), 0)
    assert page.locator(".decision-bar").is_visible()
    assert page.locator(".dock").count() == 0
    for address, bar in (("/games/new/", ".sum-up"), ("/learn/tiles/1/", ".decision-bar")):
        page.goto(address)
        assert page.locator(bar).first.is_visible(), address
        assert page.locator(".dock").count() == 0, address


def test_opening_a_menu_closes_the_others(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "alone", "menus"), 0)
    for summary in ("#table-menu-button", ".top .tight > summary", ".top .end .menu > summary"):
        page.locator(summary).click()
        assert page.locator("details.menu[open]").count() == 1
