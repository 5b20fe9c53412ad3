"""A page that was cut off, or hidden, says what it has missed."""

import itertools
from typing import TYPE_CHECKING

import pytest

from tests.browser.live_pages import CUTTABLE, asked, play, play_without_first
from tests.browser.page_player import version, wait_for
from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import wait_until_armed
from tests.support.open_tables import Game, Opener, fits
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

_numbers = itertools.count(1)

PANEL = "#while-away dialog"
# Returns true while nothing of the first rows of the hand, the board, the headline and the bar is covered.
UNCOVERED = """() => {
    const parts = ["#headline", ".felt .board", ".hand .tile", ".decision-bar"];
    return parts.every((part) => {
      const one = document.querySelector(part);
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const hit = document.elementFromPoint(x, y);
      return top >= 0 && y < innerHeight && one.contains(hit);
    });
}"""


def hide(page: "Page", hidden: bool) -> None:
    """Show another tab instead of this page, or this page again."""
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


@pytest.fixture
def game(played_site: PlayedSite) -> Game:
    """A game of three people with chains, so that a turn has two moves at least."""
    return game_at(played_site, "calm", f"away{next(_numbers)}")


def opened(open_table: Opener, game: Game, script: str = "") -> list["Page"]:
    pages = [open_table(game, seat) for seat in range(3)]
    if script:
        pages[0].add_init_script(script)
        pages[0].reload()
    return pages


def test_page_that_was_cut_off_says_what_it_missed_until_its_next_move(
    open_table: Opener, game: Game
) -> None:
    pages = opened(open_table, game, CUTTABLE)
    first, *others = pages
    play_without_first(pages)
    with first.expect_event("requestfailed", lambda request: "/table/" in request.url):
        first.context.set_offline(True)
        first.evaluate("cut()")
        play(others, 2)
    assert first.locator(PANEL).count() == 0
    first.context.set_offline(False)
    first.evaluate("mend()")
    panel = first.locator(PANEL)
    panel.wait_for()
    assert "While you were away" in panel.inner_text()
    wait_for(first, lambda: version(first) == max(map(version, others)), "the moves")
    first.locator(".replay").wait_for(state="hidden")
    fits(first)
    assert first.evaluate(UNCOVERED)
    play(others, 1)
    wait_for(first, lambda: version(first) == max(map(version, others)), "the next move")
    assert panel.is_visible()
    while asked(pages) is not first:
        play(others, 1)
    wait_until_armed(first)
    play([first], 1)
    panel.wait_for(state="detached")


@pytest.mark.parametrize("closed_by", ["button", "Escape"])
def test_panel_can_be_closed(closed_by: str, open_table: Opener, game: Game) -> None:
    pages = opened(open_table, game)
    first, *others = pages
    play_without_first(pages)
    hide(first, True)
    play(others, 2)
    wait_for(first, lambda: version(first) == max(map(version, others)), "the moves, while hidden")
    hide(first, False)
    first.locator(PANEL).wait_for()
    if closed_by == "button":
        first.locator(PANEL).get_by_role("button", name=wording.GOT_IT).click()
    else:
        first.get_by_role("region", name="While you were away").press("Escape")
    first.locator(PANEL).wait_for(state="hidden")
    first.locator("#headline:focus").wait_for()  # the browser tells of the closing a moment later
    play(others, 1)
    wait_for(first, lambda: version(first) == max(map(version, others)), "the next move", 10)


def test_page_without_a_network_says_what_it_missed(open_table: Opener, game: Game) -> None:
    """Its socket seems to be open all the time."""
    pages = opened(open_table, game)
    first, *others = pages
    play_without_first(pages)
    first.route("**/table/**", lambda route: route.abort("internetdisconnected"))
    play(others, 1)
    first.unroute("**/table/**")
    play(others, 1)
    first.locator(PANEL).wait_for()


def test_page_whose_socket_drops_for_a_moment_has_missed_nothing(open_table: Opener, game: Game) -> None:
    pages = opened(open_table, game, CUTTABLE)
    first, *others = pages
    play_without_first(pages)
    first.evaluate("cut()")
    play(others, 2)
    first.evaluate("mend()")
    wait_for(first, lambda: version(first) == max(map(version, others)), "the moves")
    assert first.locator(PANEL).count() == 0


def test_page_without_a_socket_still_sees_the_moves(open_table: Opener, game: Game) -> None:
    """It asks every few seconds."""
    pages = opened(open_table, game, CUTTABLE)
    first, *others = pages
    play_without_first(pages)
    first.evaluate("cut()")
    play(others, 2)
    wait_for(first, lambda: version(first) == max(map(version, others)), "the moves", 20)
    assert first.locator(PANEL).count() == 0


def test_page_that_sees_every_move_has_missed_none(open_table: Opener, game: Game) -> None:
    pages = opened(open_table, game)
    first, *others = pages
    play_without_first(pages)
    play(others, 2)
    wait_for(first, lambda: version(first) == max(map(version, others)), "the moves")
    assert first.locator(PANEL).count() == 0
