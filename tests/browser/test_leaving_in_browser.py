"""A player leaves a live table: a computer keeps the seat until its player is back."""

from typing import TYPE_CHECKING

from tests.browser.test_live_clock_in_browser import live_game
from tests.support import wording
from tests.support.open_tables import Opener, fits
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page


def let_a_minute_pass(site: PlayedSite, address: str) -> None:
    """Move all absences from the table a minute into the past."""
    site.shell(f"from {__name__} import shift; shift({address!r})")


def shift(address: str) -> None:
    """Move what the site knows of this game, and of itself, into the past."""
    from datetime import timedelta

    from django.db.models import F
    from django.utils import timezone

    from games.clocks.site_presence import SEEN_MARK
    from games.models import Game, GameVisit, Heartbeat, OpenPage

    game, minute = Game.objects.get(public_id=address.strip("/").split("/")[-1]), timedelta(seconds=61)
    long_ago = (timezone.now() - 10 * minute).isoformat()
    Heartbeat.objects.filter(name=SEEN_MARK).update(detail=long_ago)
    Game.objects.filter(pk=game.pk).update(started=F("started") - minute)
    GameVisit.objects.filter(game=game).update(at=F("at") - minute)
    gone = OpenPage.objects.filter(game=game, open_until__lte=timezone.now())
    gone.update(open_until=F("open_until") - minute)


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

    let_a_minute_pass(played_site, game.address)
    kept = stays.get_by_text(wording.COMPUTER_PLAYS_FOR_OTHER % {"name": name})
    kept.wait_for()
    assert stays.get_by_text(f"{name} has been away for").count() == 0
    fits(stays)

    leaver.goto(game.address)
    leaver.get_by_text(wording.COMPUTER_PLAYS_FOR_YOU).first.wait_for()
    fits(leaver)
    leaver.get_by_role("button", name=wording.TAKE_SEAT_BACK).click()
    leaver.get_by_text(wording.CAME_BACK).first.wait_for(state="attached")
    kept.wait_for(state="detached")


def test_hidden_page_keeps_the_seat(open_table: Opener, played_site: PlayedSite) -> None:
    game = live_game(played_site, "hidden", 170)
    stays, hidden = open_table(game, 0), open_table(game, 1)
    name = name_of(hidden, stays)
    dots = stays.locator(".strip [data-here]:not([hidden])")
    dots.nth(1).wait_for()
    hidden.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    hidden.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    dots.nth(1).wait_for(state="detached")
    let_a_minute_pass(played_site, game.address)
    # The third player never came, so the computer plays for nobody else.
    stays.locator(".absences").get_by_text(wording.COMPUTER_PLAYS_FOR_OTHER.partition("%")[0]).wait_for()
    assert stays.get_by_text(wording.COMPUTER_PLAYS_FOR_OTHER % {"name": name}).count() == 0
