"""A table at which nothing happens asks seldom for what has ticks of its own."""

from typing import TYPE_CHECKING

from tests.browser.page_player import wait_for
from tests.browser.turn_positions import game_at
from tests.support.open_tables import Opener
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

# A page asks for its table once in this time, in milliseconds.
A_WHILE = 33_000
WHILES = 40


def quiet(page: "Page") -> list[str]:
    """The addresses for which the page asks while nothing happens for so long."""
    asked: list[str] = []
    page.clock.install()
    page.reload()
    page.locator("#table:not(.waking)").wait_for(state="attached")
    page.clock.run_for(A_WHILE)
    page.on("request", lambda request: asked.append(request.url))
    for number in range(1, WHILES + 1):
        page.clock.run_for(A_WHILE)
        wait_for(page, lambda number=number: _tables(asked) >= number, "a request for the table")
    return asked


def _tables(asked: list[str]) -> int:
    return sum("/table/" in url for url in asked)


def test_quiet_table_asks_seldom_for_chat_and_other_games(
    open_table: Opener, played_site: PlayedSite
) -> None:
    asked = quiet(open_table(game_at(played_site, "calm", "quiet"), 0))
    for what in ("/talk/unread/", "/waiting/"):
        assert 1 <= sum(what in url for url in asked) <= 0.6 * WHILES
