"""A player leaves a live table: a computer keeps the seat until its player is back."""

from typing import TYPE_CHECKING

import pytest

from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.live_tables import live_game
from tests.support.open_tables import Opener, fits
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long


# The minute after which a computer keeps a seat, and the time until the page shows it, in milliseconds.
MINUTE = 90_000


def name_of(reader: "Page", other: "Page") -> str:
    """The name that the table of another player shows for this reader."""
    number = reader.locator(".strip .is-reader [data-here]").get_attribute("data-here")
    name = other.locator(f".strip .who:has([data-here='{number}'])").get_attribute("title")
    assert name
    return name


def test_computer_keeps_the_seat_until_its_player_is_back(
    open_table: Opener, played_site: PlayedSite
) -> None:
    game = live_game(played_site, "leaving", 170)
    others = [open_table(game, seat) for seat in (0, 2)]
    leaver = open_table(game, 1)
    stays = others[0]
    stays.locator(".strip [data-here]:not([hidden])").nth(2).wait_for()
    name = name_of(leaver, stays)
    leaver.goto("/")
    stays.get_by_text(f"{name} has been away for").wait_for()
    fits(stays)

    kept = stays.get_by_text(wording.COMPUTER_PLAYS_FOR_OTHER % {"name": name})
    kept.wait_for(timeout=MINUTE)
    assert stays.get_by_text(f"{name} has been away for").count() == 0
    fits(stays)

    leaver.goto(game.address)
    leaver.get_by_text(wording.COMPUTER_PLAYS_FOR_YOU).first.wait_for()
    fits(leaver)
    press(leaver.get_by_role("button", name=wording.TAKE_SEAT_BACK))
    leaver.get_by_text(wording.CAME_BACK).first.wait_for(state="attached")
    kept.wait_for(state="detached")


@pytest.mark.proof
def test_hidden_page_keeps_the_seat(open_table: Opener, played_site: PlayedSite) -> None:
    game = live_game(played_site, "hidden", 170)
    stays, hidden, leaver = (open_table(game, seat) for seat in range(3))
    name = name_of(hidden, stays)
    dots = stays.locator(".strip [data-here]:not([hidden])")
    dots.nth(2).wait_for()
    hidden.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    hidden.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    dots.nth(2).wait_for(state="detached")
    leaver.goto("/")
    kept = stays.locator(".absences").get_by_text(wording.COMPUTER_PLAYS_FOR_OTHER.partition("%")[0])
    kept.wait_for(timeout=MINUTE)
    assert name not in kept.inner_text()
