"""Live tables through faults of the device: no move is lost, and the clock stays that of the server."""

import itertools
import time
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.browser.live_pages import CUTTABLE, cut, mend, play, play_without_first
from tests.browser.page_player import Player, version, wait_for
from tests.support.live_tables import AHEAD, WRONG_CLOCK, live_game
from tests.support.open_tables import Game, Opener
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

_numbers = itertools.count(1)

# Seconds without a connection.
SHORT, LONG = 4, 40

# The lid is closed: timers may run, but the page is hidden and its steady clock stands still.
SLEEP = """
const before = performance.now.bind(performance), at = before();
performance.now = () => at;
Object.defineProperty(document, "hidden", { value: true, configurable: true });
document.dispatchEvent(new Event("visibilitychange"));
window.wake = () => {
  const lost = before() - at;
  performance.now = () => before() - lost;
  Object.defineProperty(document, "hidden", { value: false, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""


@pytest.fixture
def game(played_site: PlayedSite) -> Game:
    """A live game of three people; the first of them has a hundred seconds left."""
    return live_game(played_site, f"fault{next(_numbers)}", 100)


def opened(open_table: Opener, game: Game, script: str = "") -> list["Page"]:
    """The tables of all players, the first of which runs the script."""
    pages = [open_table(game, seat) for seat in range(3)]
    if script:
        pages[0].add_init_script(script)
        pages[0].reload()
    return pages


def catches_up(page: "Page", others: Sequence["Page"], seconds: float) -> None:
    """Assert that the page shows soon what the others show, with the right clock."""
    wait_for(page, lambda: version(page) >= max(map(version, others)), "news", seconds)
    page.wait_for_timeout(1000)
    if page.locator(".strip [data-clock-ends]").count():
        assert abs(page.evaluate(AHEAD)) <= 0.6


def cut_off(pages: Sequence["Page"], seconds: float) -> None:
    """Cut the first page off the network for this many seconds, while another player moves."""
    first = pages[0]
    before = play_without_first(pages)
    cut(first)
    play(pages[1:], 1)
    first.wait_for_timeout(seconds * 1000)
    assert version(first) == before
    mend(first)


def test_page_that_was_cut_off_catches_up(open_table: Opener, game: Game) -> None:
    pages = opened(open_table, game, CUTTABLE)
    cut_off(pages, SHORT)
    catches_up(pages[0], pages[1:], 15)


@pytest.mark.proof
def test_page_that_was_long_cut_off_catches_up(open_table: Opener, game: Game) -> None:
    pages = opened(open_table, game, CUTTABLE)
    cut_off(pages, LONG)
    catches_up(pages[0], pages[1:], 15)


def put_to_sleep(pages: Sequence["Page"]) -> None:
    """Let the device of the first page sleep while another player moves."""
    before = play_without_first(pages)
    pages[0].evaluate("cut()")
    pages[0].evaluate(SLEEP)
    play(pages[1:], 1)
    assert version(pages[0]) == before
    pages[0].evaluate("mend()")


def test_page_that_wakes_shows_at_once_what_happened(open_table: Opener, game: Game) -> None:
    pages = opened(open_table, game, CUTTABLE)
    put_to_sleep(pages)
    pages[0].evaluate("wake()")
    catches_up(pages[0], pages[1:], 4)


def test_page_that_never_asks_again_would_be_noticed(open_table: Opener, game: Game) -> None:
    pages = opened(open_table, game, CUTTABLE)
    put_to_sleep(pages)
    pages[0].route("**/table/**", lambda route: route.fulfill(status=204))
    pages[0].evaluate("wake()")
    with pytest.raises(AssertionError, match="news"):
        catches_up(pages[0], pages[1:], 4)


@pytest.mark.parametrize("hours", [-7, 31])
def test_wrong_clock_of_the_device_costs_no_time(
    open_table: Opener, played_site: PlayedSite, game: Game, hours: int
) -> None:
    pages = opened(open_table, game, WRONG_CLOCK.replace("HOURS", str(hours)))
    play(pages[:1], 1)
    catches_up(pages[0], pages[1:], 10)
    for page in pages[1:]:
        wait_for(page, lambda page=page: version(page) == version(pages[0]), "news")
    assert bank(played_site, game) > 100


def test_page_that_hears_a_wrong_time_would_be_noticed(open_table: Opener, game: Game) -> None:
    pages = [open_table(game, 0)]

    def answer(route: "Route") -> None:
        # The page asks for the time without its cookies, the measurement asks with them.
        wrong = str(round((time.time() + 60) * 1000))
        route.continue_() if "cookie" in route.request.headers else route.fulfill(body=wrong)

    pages[0].route("**/server-time/", answer)
    pages[0].reload()
    pages[0].wait_for_timeout(1000)
    with pytest.raises(AssertionError):
        catches_up(pages[0], pages, 4)


def test_two_tabs_of_one_player_agree_and_one_move_counts(
    open_table: Opener, played_site: PlayedSite, game: Game
) -> None:
    first, second = open_table(game, 0), open_table(game, 0)
    stale = Player(second, Random(2))
    second.route("**/table/**", lambda route: route.fulfill(status=204))  # it gets no updates
    play([first], 1)
    before = version(first)
    stale.answer()
    wait_for(second, lambda: version(second) == before, "the table that the other tab shows")
    assert version(first) == before
    second.unroute("**/table/**")
    for tab in (first, second):
        assert abs(tab.evaluate(AHEAD)) <= 0.6
    assert bank(played_site, game) > 100


def bank(site: PlayedSite, game: Game) -> float:
    """The seconds in the time bank of the player who has moved first."""
    public_id = game.address.rstrip("/").rpartition("/")[2]
    return float(site.shell(f"from {__name__} import main; main({public_id!r})").splitlines()[-1])


# -- Inside the site ---------------------------------------------------------------------------------


def main(public_id: str) -> None:
    from games.models import LogEntry

    first = LogEntry.objects.filter(game__public_id=public_id, kind="move").order_by("number")[0]
    print(first.game.seats.get(number=first.seat).time_bank_left.total_seconds())
