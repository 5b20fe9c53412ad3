"""A busy site refuses the table for which a page asks; the page asks again when it was told to."""

from random import Random
from typing import TYPE_CHECKING

from tests.browser.page_player import Player, version, wait_for
from tests.browser.turn_positions import game_at
from tests.support.open_tables import Opener, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Route

# Without being told, a page asks again after 19 seconds at the earliest.
SOON = 10
SETTLED = 2_500  # by then a page that has opened has asked twice


def test_refused_table_is_asked_for_again(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "refused")
    mover, watcher = open_table(game, 0), open_table(game, 1)
    watcher.wait_for_timeout(SETTLED)
    refused: list[str] = []

    def refuse(route: "Route") -> None:
        refused.append(route.request.url)
        route.fulfill(status=503, headers={"Retry-After": "2"}, content_type="text/plain", body="Busy.")

    watcher.route("**/table/**", refuse, times=2)
    Player(mover, Random(1)).answer()
    wait_for_version(mover, 1)
    wait_for(watcher, lambda: version(watcher) == 1, "the table after two refusals", SOON)
    assert len(refused) == 2
    assert watcher.locator("#trouble, [data-trouble]").filter(visible=True).count() == 0
