"""While an answer is on its way the bar shows it, and nothing else can be chosen."""

from typing import TYPE_CHECKING

from tests.browser.turn_positions import game_at
from tests.support.armed_buttons import press
from tests.support.open_tables import Opener, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LINE = "getComputedStyle(document.querySelector('.decision-bar'), '::before').content !== 'none'"
INERT = (
    "[...document.querySelectorAll('.board, .deck, #panel-turn, #panel-stocks')].map((part) => part.inert)"
)


def hold_the_answer(page: "Page") -> "list[Route]":
    """Let no move through, and return those that were held."""
    held: list[Route] = []
    page.route("**/moves/**", lambda route: held.append(route))
    return held


def test_controls_wait_while_an_answer_is_sent(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "sending"), 0)
    page.locator("label.tile", has_text="5I").click()
    words = page.locator("[data-go]").inner_text()
    held = hold_the_answer(page)
    assert not page.evaluate(LINE)
    press(page.locator("[data-go]"))
    page.locator("#decision.htmx-request").wait_for()
    assert page.evaluate(LINE)
    assert set(page.evaluate(INERT)) == {True}
    assert page.locator("[data-go]").inner_text() == words
    page.locator("label.tile", has_text="12H").click(force=True)
    assert page.locator("#tile-5I").is_checked()
    held[0].continue_()
    wait_for_version(page, 1)
    assert set(page.evaluate(INERT)) == {False}
    assert not page.evaluate(LINE)


def test_controls_are_back_when_an_answer_could_not_be_sent(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "calm", "failing"), 0)
    page.locator("label.tile", has_text="5I").click()
    held = hold_the_answer(page)
    press(page.locator("[data-go]"))
    page.locator("#decision.htmx-request").wait_for()
    held[0].abort()
    page.locator(".decision-bar [data-trouble]:visible").wait_for()
    assert set(page.evaluate(INERT)) == {False}
    assert page.locator("[data-go]:focus").count() == 1
    page.locator("label.tile", has_text="12H").click()
    assert page.locator("#tile-12H").is_checked()
