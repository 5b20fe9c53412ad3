"""The clock of a live table ticks by the server's time, whatever the clock of the device shows."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_sounds_in_browser import COUNT_NOTES, ask_for_sounds
from tests.support.live_tables import AHEAD, WRONG_CLOCK, live_game
from tests.support.open_tables import Opener, fits
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Leaves the player to move so many seconds, on this page alone.
LEAVE = """seconds => {
  for (const clock of document.querySelectorAll("[data-clock-ends]"))
    clock.dataset.clockEnds = Date.now() + seconds * 1000;
}"""


def seconds(page: "Page") -> int:
    shown = page.locator(".strip [data-clock-ends]").inner_text()
    minutes, rest = shown.split(":")
    return int(minutes) * 60 + int(rest)


@pytest.mark.parametrize("hours", [-7, 0, 31])
def test_clock_shows_the_time_of_the_server(open_table: Opener, played_site: PlayedSite, hours: int) -> None:
    page = open_table(live_game(played_site, f"wrong{hours + 7}", 180), 0)
    page.context.add_init_script(WRONG_CLOCK.replace("HOURS", str(hours)))
    page.reload()
    page.wait_for_timeout(1500)
    # Whole seconds are shown, and the answer takes a moment.
    assert abs(page.evaluate(AHEAD)) <= 0.6
    fits(page)


def test_clock_ticks_for_everybody_without_an_update(open_table: Opener, played_site: PlayedSite) -> None:
    game = live_game(played_site, "ticking", 170)
    for page in (open_table(game, 0), open_table(game, 1)):
        before = seconds(page)
        page.wait_for_timeout(3000)
        assert 2 <= before - seconds(page) <= 4


def test_clock_is_right_at_once_after_sleep(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(live_game(played_site, "asleep", 170), 0)
    page.wait_for_timeout(1500)
    # The steady clock of the page stood still for a minute while the device slept.
    page.evaluate("const real = performance.now.bind(performance); performance.now = () => real() - 60_000")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(1000)
    assert abs(page.evaluate(AHEAD)) <= 0.6


def test_last_seconds_warn_by_colour_and_sound(open_table: Opener, played_site: PlayedSite) -> None:
    game = live_game(played_site, "late", 170)
    page, other = open_table(game, 0), open_table(game, 1)
    page.context.add_init_script(COUNT_NOTES)
    ask_for_sounds(page)
    page.mouse.click(5, 5)  # a browser plays nothing before a first press
    for watched in (page, other):
        assert watched.locator(".strip .low").count() == 0
        watched.evaluate(LEAVE, 12)
        watched.locator(".strip .low").wait_for()
        assert seconds(watched) <= 10
    page.wait_for_function("window.notes > 0")
    assert page.locator("#announce").inner_text() == "Ten seconds left."


def test_nothing_beats_for_readers_who_want_no_motion(open_table: Opener, played_site: PlayedSite) -> None:
    game = live_game(played_site, "still", 170)
    for motion, name in (("reduce", "none"), ("no-preference", "low-time")):
        page = open_table(game, 0, reduced_motion=motion)
        page.evaluate(LEAVE, 8)
        low = page.locator(".strip .low")
        low.wait_for()
        assert low.evaluate("clock => getComputedStyle(clock).animationName") == name
