"""Sounds are off until they are asked for, and wait for a press."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.browser.turn_positions import game_at
from tests.support.armed_buttons import press
from tests.support.browser_person import Player
from tests.support.open_tables import Opener, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Counts the notes that begin.
COUNT_NOTES = """
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.notes += 1; return start.apply(this, when); };
"""


def ask_for_sounds(page: "Page") -> None:
    """Switch sounds on in the settings, and come back."""
    table = page.url
    page.goto("/settings/")
    page.get_by_label("Sounds").check()
    page.locator("#choice-saved .toast").wait_for()
    page.goto(table)


def place_tile(page: "Page") -> None:
    page.locator("label.tile", has_text="5I").click()
    press(page.locator("[data-go]"))
    page.locator("[data-version='0']").wait_for(state="detached")


def test_table_is_silent_unless_sounds_were_asked_for(open_table: Opener, played_site: PlayedSite) -> None:
    for name, loud in (("silent", False), ("loud", True)):
        page = open_table(game_at(played_site, "calm", name), 0)
        page.context.add_init_script(COUNT_NOTES)
        page.reload()
        if loud:
            ask_for_sounds(page)
        place_tile(page)
        assert (page.evaluate("notes") > 0) is loud, name


def test_nothing_sounds_before_a_press(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "unheard")
    watcher, mover = open_table(game, 1), open_table(game, 0)
    watcher.context.add_init_script(COUNT_NOTES)
    ask_for_sounds(watcher)
    place_tile(mover)
    wait_for_version(watcher, 1)
    assert watcher.evaluate("notes") == 0


def test_browser_of_a_visitor_keeps_what_its_footer_offers(player: Callable[..., Player]) -> None:
    page = player().page
    page.goto("/")
    for name, shown in (("Sounds", "sounds"), ("Names on empty squares", "square-names")):
        box = page.get_by_label(name)
        assert not box.is_checked()
        box.check()
        page.reload()
        assert box.is_checked()
        assert page.locator(f"html.{shown}").count() == 1
