"""Past positions of a game: keys, slider and playback, and without a script."""

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import Player, version, wait_for
from tests.browser.page_recorder import watched
from tests.support import wording
from tests.support.open_tables import fits
from tests.support.page_checks import DESK, PHONE
from tests.support.played_site import PlayedSite
from tests.support.table_page import show_panel

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def running(browser: "Browser", played_site: PlayedSite) -> tuple[str, int]:
    """The id of a game that waits for its player after some turns, and the number of its log entries."""
    with watched(browser, played_site, viewport=DESK) as witness:
        page = witness.page
        player = Player(page, Random("history"))
        player.start()
        address = page.url
        while version(page) < 25:
            player.wait()
            player.answer()
        player.wait()

        # Its past shows the own hand and nothing hidden.
        page.goto(f"{address}at/20/")
        assert page.locator(".hand .tile").count() > 0
        assert page.get_by_text(wording.HIDDEN_INFORMATION).count() == 0
        assert page.locator("#decision").count() == 0
        page.get_by_role("link", name=wording.CURRENT_POSITION).click()
        player.wait()
        assert page.locator("#decision").count() == 1
        return address.rstrip("/").rsplit("/", 1)[-1], version(page)


def at(page: "Page") -> int:
    return int(page.locator(".past").get_attribute("data-at") or "-1")


def comes_to(page: "Page", number: int) -> None:
    wait_for(page, lambda: at(page) == number, f"position {number}")
    wait_for(page, lambda: page.url.endswith(f"/at/{number}/"), f"the address of {number}")


def turns(page: "Page") -> list[int]:
    return [int(turn) for turn in (page.locator(".past").get_attribute("data-turns") or "").split(",")]


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_keys_slider_and_playback_move_through_game(
    viewport: dict[str, int], browser: "Browser", played_site: PlayedSite, running: tuple[str, int]
) -> None:
    public_id, last = running
    with watched(browser, played_site, viewport=viewport) as witness:
        page = witness.page
        page.goto(f"/games/{public_id}/")
        show_panel(page, "log")
        page.get_by_role("link", name="Replay", exact=True).click()
        comes_to(page, last)
        fits(page)
        loads = witness.loads
        starts = turns(page)

        for key, number in [
            ("Home", 0),
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("ArrowLeft", 1),
            ("ArrowDown", next(turn for turn in starts if turn > 1)),
            ("ArrowUp", 0),
            ("End", last),
            ("Shift+ArrowLeft", max(turn for turn in starts if turn < last)),
            ("Shift+ArrowRight", last),
        ]:
            page.keyboard.press(key)
            comes_to(page, number)
        # Keys in quick succession all count.
        page.keyboard.press("Home")
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        comes_to(page, 5)
        assert "Position 5 of" in page.locator("#announce").inner_text()
        fits(page)

        # A step by button keeps the focus, and the browser's Back undoes it.
        page.locator("#go-after").click()
        comes_to(page, 6)
        wait_for(page, lambda: page.evaluate("document.activeElement.id") == "go-after", "the focus")
        page.go_back()
        comes_to(page, 5)

        page.locator("#slide").fill(str(last // 2))
        comes_to(page, last // 2)

        page.locator("#speed").select_option("500")
        page.locator("#playback").click()
        assert page.locator("#playback").inner_text() == "Pause"
        wait_for(page, lambda: at(page) >= last // 2 + 2, "playback")
        assert page.locator("#speed").input_value() == "500"
        page.locator("#playback").click()
        wait_for(page, lambda: page.locator("#playback").inner_text() == "Play", "the pause")
        page.wait_for_timeout(1500)  # a step under way may still arrive
        stopped = at(page)
        page.wait_for_timeout(900)
        assert at(page) == stopped

        page.locator("#go-last").click()
        comes_to(page, last)
        assert page.locator("#go-after").get_attribute("aria-disabled") == "true"
        assert witness.loads == loads, "the page was not loaded again"
        assert witness.complaints == []
        page.get_by_role("link", name=re.compile("Back to")).click()
        page.wait_for_url(f"**/games/{public_id}/")


def test_past_positions_work_without_script(
    browser: "Browser", played_site: PlayedSite, running: tuple[str, int]
) -> None:
    public_id, last = running
    with watched(browser, played_site, viewport=DESK, java_script_enabled=False) as witness:
        page = witness.page
        page.goto(f"/games/{public_id}/at/")
        assert at(page) == last
        page.locator("#go-first").click()
        assert at(page) == 0
        page.locator("#go-after").click()
        assert at(page) == 1
        page.locator("#slide").fill("7")
        page.get_by_role("button", name="Show position").click()
        assert at(page) == 7
        assert not page.locator("#playback").is_visible()
