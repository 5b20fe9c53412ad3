"""Text at twice its size and pages at four times theirs: nothing is cut, covered or out of reach."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.browser.missed_turns import missed
from tests.browser.turn_positions import game_at
from tests.support.open_tables import Opener
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

# A window of 1280 × 1024 pixels at 400 %.
ZOOMED: "ViewportSize" = {"width": 320, "height": 256}
DESK: "ViewportSize" = {"width": 1280, "height": 1024}
PHONE: "ViewportSize" = {"width": 360, "height": 740}
# Twice the size that browsers have when nobody has changed it.
LARGE_TEXT = {"fontSizes": {"standard": 32, "fixed": 26}}

SIZES = ["zoomed", "large text", "large text on a phone"]

# Controls that something else covers wherever one scrolls, and text that is cut.
FAULTS = """() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.querySelectorAll("main *")) {
      const { left, right } = element.getBoundingClientRect();
      if (right > width + 1 && left < width) faults.push(`too wide: ${element.outerHTML.slice(0, 90)}`);
    }
  }
  const reached = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit && (element.contains(hit) || hit.contains(element));
  };
  for (const element of document.querySelectorAll("main :is(a, button, input, select, textarea, summary)")) {
    const target = element.closest("label") ?? element;
    if (!element.checkVisibility() || !target.getClientRects().length) continue;
    if (element.closest(".visually-hidden, .board, [popover]")) continue;
    const found = ["center", "start", "end"].some((block) => {
      target.scrollIntoView({ block, behavior: "instant" });
      return reached(target) || [...target.getClientRects()].length > 1;
    });
    if (!found) faults.push(`covered: ${target.outerHTML.slice(0, 110)}`);
  }
  for (const element of document.querySelectorAll("main *")) {
    const drawn = "[aria-hidden=true], .visually-hidden, .board, .mini-board, svg, select";
    if (!element.checkVisibility() || element.closest(drawn)) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    if (element.clientWidth <= 1) continue;  // for screen readers only
    const hides = [overflowX, overflowY].some((way) => way === "hidden" || way === "clip");
    const cuts = hides || element.matches("button");
    if (!cuts || !element.textContent.trim()) continue;
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 2) {
      const size = `${scrollWidth} × ${scrollHeight} in ${clientWidth} × ${clientHeight}`;
      faults.push(`cut: ${element.outerHTML.slice(0, 110)} ${size}`);
    }
  }
  return faults;
}"""


def enlarge_text(page: "Page") -> None:
    """Double the text, again until it holds: Chromium resets it soon after a change of the window's size."""
    session = page.context.new_cdp_session(page)
    for _ in range(50):
        session.send("Page.setFontSizes", LARGE_TEXT)
        page.wait_for_timeout(100)
        if page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px":
            return
    raise AssertionError("the text stays as it is")


def check(page: "Page", size: str) -> None:
    if size == "zoomed":
        page.set_viewport_size(ZOOMED)
        page.wait_for_timeout(100)
    else:
        page.set_viewport_size(PHONE if "phone" in size else DESK)
        enlarge_text(page)
    faults = page.evaluate(FAULTS)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", ["merge", "shares", "buy"])
def test_table_can_be_enlarged(step: str, size: str, open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, step, f"zoom-{SIZES.index(size)}"), 0)
    if step == "merge":
        page.locator("label.tile", has_text="4A").click()
    for panel in ("log", "chat", "stocks"):
        page.locator(f"[data-panel={panel}]:visible").click()
        check(page, size)


# Returns the pixels between the board and the bar of its replay, and those by which the sentence is cut.
REPLAY_BAR = """() => {
  const bar = document.querySelector(".replay");
  const said = bar.querySelector(".what");
  const board = document.querySelector(".felt").getBoundingClientRect();
  const gap = Math.round(bar.getBoundingClientRect().top - board.bottom);
  return [gap, Math.max(0, said.scrollHeight - said.clientHeight)];
}"""


def test_replay_with_large_text_stays_at_the_board(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "zoom-replay")
    page.locator(".replay").wait_for()
    page.locator(".replay .what").hover()
    page.mouse.down()  # holds the replay
    enlarge_text(page)
    gap, cut = page.evaluate(REPLAY_BAR)
    assert abs(gap) <= 1
    assert cut == 0


@pytest.mark.parametrize("size", SIZES)
def test_finished_table_can_be_enlarged(size: str, open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "over", f"zoom-{SIZES.index(size)}"), 0)
    page.locator(".podium").wait_for()
    check(page, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("address", ["/", "/games/new/", "/settings/"])
def test_pages_can_be_enlarged(address: str, size: str, open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", f"pages-{len(address)}-{SIZES.index(size)}"), 0)
    page.goto(address)
    check(page, size)


# Puzzles of today and yesterday; an open game, one that waits for ben, and a reviewed one with its insights.
SHOWN = """
from datetime import timedelta
from accounts.models import User
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.models import Game, Puzzle
from games.puzzles.puzzle_calendar import today
from tests.puzzles.made_puzzles import make_puzzle
from tests.support.clients import client_of
from tests.support.games import play_on, play_to_the_end, play_until_asked
from tests.support.reviewed_games import make_mistake
from django.core.cache import cache
Puzzle.objects.all().delete()
make_puzzle()
make_puzzle(day=today() - timedelta(days=1))
ann, ben = (User.objects.create_user(f"enlarged-{name}") for name in ("anneliese", "ben"))
create_game(host=ben, terms=GameTerms(system="acquire", preset="classic", least=2, most=4))
running, over = (
    start_game(system="acquire", preset="classic", host=ann, players=[ann, ben, "hard"], skips=False)
    for _ in range(2)
)
play_until_asked(play_on(running, 40), ben)
make_mistake(play_to_the_end(over), ann)
Game.objects.filter(pk__in=(running.pk, over.pk)).update(visibility="public")
cache.clear()
print(over.get_absolute_url(), client_of(ann).session.session_key)
"""


@dataclass(frozen=True)
class Shown:
    """The address of a reviewed game, and the session of one of its players."""

    game: str
    session: str


@pytest.fixture(scope="module")
def shown(played_site: PlayedSite) -> Shown:
    return Shown(*played_site.shell(SHOWN).splitlines()[-1].split())


OpenPage = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: "Browser", played_site: PlayedSite) -> Iterator[OpenPage]:
    """A function that opens a page, in a session if one is given."""
    contexts = []

    def open_page(address: str, session: str = "") -> "Page":
        context = browser.new_context(base_url=played_site.url, viewport=PHONE, reduced_motion="reduce")
        contexts.append(context)
        context.set_default_timeout(30_000)
        if session:
            cookie = {"name": "sessionid", "value": session, "url": played_site.url}
            context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        answer = page.goto(address)
        assert answer is not None and answer.ok
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_time_that_is_nearly_over_fits_in_large_text(open_page: OpenPage, shown: Shown) -> None:
    """These are the longest words that a row of a game ends with."""
    page = open_page("/", shown.session)
    time = '<time class="dim nowrap">less than a minute left</time>'
    page.locator(".row-end").first.evaluate("(end, time) => end.insertAdjacentHTML('beforeend', time)", time)
    check(page, "large text on a phone")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("address", ["/", "/watch/", "/learn/", "/learn/tiles/1/", "/puzzle/", "/puzzles/"])
def test_pages_for_strangers_can_be_enlarged(
    address: str, size: str, open_page: OpenPage, shown: Shown
) -> None:
    check(open_page(address), size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("address", ["/", "/insights/", "/retry/", "{game}review/20/"])
def test_pages_of_members_can_be_enlarged(address: str, size: str, open_page: OpenPage, shown: Shown) -> None:
    check(open_page(address.format(game=shown.game), shown.session), size)
