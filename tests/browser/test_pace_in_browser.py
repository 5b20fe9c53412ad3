"""Two players take their live game to mail, each in a browser."""

from tests.browser.test_live_clock_in_browser import live_game
from tests.support.open_tables import Opener, fits
from tests.support.played_site import PlayedSite


def test_players_agree_to_go_on_by_mail(open_table: Opener, played_site: PlayedSite) -> None:
    game = live_game(played_site, "bymail", 175)
    tables = [open_table(game, seat) for seat in range(3)]
    first, *others = tables
    first.locator("#table-menu-button").click()
    first.get_by_role("link", name="Change the pace").click()
    fits(first)
    first.get_by_label("by mail, with 1 day per move").check()
    first.locator("form:has([name=pace]) button").click()
    first.locator(".strip [data-clock-ends]").wait_for()
    for page in others:
        # The proposal comes to the open tables by itself.
        page.get_by_role("link", name="Agree or keep the pace").click()
        page.get_by_role("button", name="Agree", exact=True).click()
    for page in tables:
        page.locator(".strip .live-clock").first.wait_for(state="detached")
        page.get_by_text("Move by").first.wait_for()
