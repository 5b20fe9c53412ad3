"""Exploration on a phone with a script, and on a desktop without one."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import Player, version, wait_for
from tests.browser.page_recorder import watched
from tests.site.site_record import improper, rows
from tests.support.open_tables import fits
from tests.support.page_checks import DESK, PHONE
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BAND = ".exploring"
COMPUTERS = "#explore-computers"


def entries(site: PlayedSite, address: str) -> int:
    """Number of log entries of the game at this address."""
    return counted(site, "games_logentry", address)


def explored(site: PlayedSite, address: str) -> int:
    """Number of explorations of the game at this address."""
    return counted(site, "games_exploration", address)


def counted(site: PlayedSite, table: str, address: str) -> int:
    game = address.strip("/").split("/")[-1]
    query = f"SELECT COUNT(*) FROM {table} JOIN games_game ON games_game.id = game_id WHERE public_id = ?"  # noqa: S608
    return rows(site, query, game)[0][0]


def explore(player: Player, **choices: str) -> str:
    """Start a game, explore it on the player's turn, and return the game's address."""
    player.start(**choices)
    player.wait()
    address = player.page.url
    player.page.locator("#table-menu > summary").click()
    player.page.get_by_role("button", name="Explore").click()
    player.page.wait_for_url("**/explore/")
    return address


def press(page: "Page", button: str, done: Callable[[], bool]) -> None:
    page.locator(button).click()
    wait_for(page, done, f"what {button} does")


@pytest.mark.parametrize("scripts", [True, False], ids=["with a script", "without"])
def test_exploration_is_taken_back_and_leaves_nothing(
    scripts: bool, browser: "Browser", played_site: PlayedSite, log_start: int
) -> None:
    options = {"viewport": PHONE if scripts else DESK, "java_script_enabled": scripts}
    with watched(browser, played_site, **options) as witness:
        page = witness.page
        player = Player(page, Random("explore"), scripts=scripts)
        address = explore(player)
        before, said, loads = entries(played_site, address), len(witness.spoken), witness.loads
        answered, computers = 0, 0
        while answered + computers < 10:
            step = version(page)
            if page.locator(COMPUTERS).count() and computers <= answered:
                press(page, COMPUTERS, lambda at=step: version(page) > at)
                computers += 1
            else:
                player.answer()
                answered += 1
            assert page.locator(BAND).is_visible()
            if scripts and answered + computers in (1, 2, 5, 8):
                fits(page)
        assert computers > 1 and answered > 3

        step = version(page)
        press(page, "#explore-back", lambda: version(page) == step - 1)
        if scripts:
            assert witness.loads == loads, "the page was not loaded again"
            page.locator("#explore-back:focus").wait_for()
        press(page, "#explore-start", lambda: version(page) == 0)
        press(page, "#explore-deal", lambda: page.locator("#explore-deal").is_visible())
        assert version(page) == 0
        assert not any("visible" in frame for frame in witness.spoken[said:]), "nobody is told who looks"
        page.get_by_role("button", name="Stop exploring").click()
        page.wait_for_url(address)
        assert player.is_asked, "the game itself waits as before"
        assert entries(played_site, address) == before
        assert explored(played_site, address) == 0
        assert witness.complaints == []
    assert improper(played_site, since=log_start) == []


def test_exploration_works_by_keyboard(browser: "Browser", played_site: PlayedSite) -> None:
    with watched(browser, played_site, viewport=DESK) as witness:
        page = witness.page
        player = Player(page, Random("keys"))
        explore(player, opponents="2")
        player.answer()
        while not page.locator(COMPUTERS).count():
            player.answer()
        step = version(page)
        page.locator(COMPUTERS).focus()
        page.keyboard.press("Enter")
        wait_for(page, lambda: version(page) > step, "the computers' answers")
        page.locator("#headline:focus, #explore-computers:focus").wait_for()
        page.keyboard.press("Tab")
        page.locator("#explore-back").focus()
        while version(page) > step:
            at = version(page)
            page.keyboard.press("Enter")
            wait_for(page, lambda at=at: version(page) < at, "a step taken back")
            page.locator("#explore-back:focus").wait_for()
        assert witness.complaints == []
