"""Players of a live table see each other come and go."""

from tests.browser.test_live_clock_in_browser import live_game
from tests.support.open_tables import Opener, fits
from tests.support.played_site import PlayedSite


def test_dots_come_and_go_without_a_reload(open_table: Opener, played_site: PlayedSite) -> None:
    game = live_game(played_site, "present", 170)
    first = open_table(game, 0)
    first.evaluate("window.opened = true")
    shown = first.locator(".strip [data-here]:not([hidden])")
    shown.first.wait_for()
    assert shown.count() == 1
    second = open_table(game, 1)
    for page in (first, second):
        dots = page.locator(".strip [data-here]:not([hidden])")
        dots.nth(1).wait_for()
        assert dots.count() == 2
        assert dots.first.get_attribute("aria-label") == "At the table"
        fits(page)
    second.close()
    shown.nth(1).wait_for(state="detached")
    assert shown.count() == 1
    assert first.evaluate("window.opened")
