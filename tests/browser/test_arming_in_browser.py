"""A button that sends wakes only a moment after a change that its player did not make."""

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import press, wait_until_armed
from tests.support.open_tables import Opener, prepare
from tests.support.played_site import PlayedSite
from tests.support.table_page import button

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Milliseconds from the swap that brings the next new table until its button is armed. They count from before
# the swap: after it, a busy machine may have started the button's clock long ago.
WAKING_TIME = """() => new Promise((found) => {
  let since;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id === "table") since ??= performance.now();
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target.id !== "table") return;
    const table = document.querySelector("#table.waking");
    new MutationObserver(() => {
      if (!table.classList.contains("waking")) found(performance.now() - since);
    }).observe(table, { attributeFilter: ["class"] });
  }, { once: true });
  document.querySelector("[data-go]").click();
})"""


SLOWLY = "document.documentElement.style.setProperty('--d-4', '5s')"
AT_ONCE = "document.documentElement.style.setProperty('--d-4', '0ms')"
SLOWLY_FROM_THE_START = f"document.addEventListener('readystatechange', () => {SLOWLY}, {{ once: true }})"


_numbers = count(1)


@pytest.fixture
def open_page(open_table: Opener, played_site: PlayedSite) -> Callable[..., "Page"]:
    """A function that opens the table of a game in which I place a tile, and then can buy nothing."""
    game = game_at(played_site, "alone", str(next(_numbers)))
    return lambda **options: open_table(game, 0, **options)


@pytest.fixture
def page(open_page: Callable[..., "Page"], request: pytest.FixtureRequest) -> "Page":
    options: dict[str, Any] = getattr(request, "param", {})
    return open_page(**options)


def version(page: "Page") -> int:
    return int(page.locator("[data-version]").get_attribute("data-version") or "")


def wait_for_new_table(page: "Page", known: int) -> None:
    page.locator(f"[data-version]:not([data-version='{known}'])").wait_for()


def choose_tile(page: "Page") -> None:
    page.locator("label.tile").first.click()


def tap_twice(page: "Page", waking: str) -> int:
    """Send a tile, tap at the same point as soon as the next question is there, and return its version."""
    choose_tile(page)
    wait_until_armed(page)
    page.evaluate(waking)
    before, box = version(page), button(page).bounding_box()
    assert box
    point = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*point)
    wait_for_new_table(page, before)
    asked = version(page)
    page.mouse.click(*point)
    page.wait_for_timeout(500)
    return asked


def test_second_tap_of_a_double_tap_sends_nothing(page: "Page") -> None:
    asked = tap_twice(page, SLOWLY)
    assert version(page) == asked == 1
    assert button(page).inner_text() == wording.BUY_NOTHING


def test_second_tap_would_send_if_buttons_were_armed_at_once(page: "Page") -> None:
    assert tap_twice(page, AT_ONCE) == 1
    wait_for_new_table(page, 1)


def test_second_enter_sends_nothing(page: "Page") -> None:
    choose_tile(page)
    button(page).focus()
    wait_until_armed(page)
    page.evaluate(SLOWLY)
    before = version(page)
    page.keyboard.press("Enter")
    wait_for_new_table(page, before)
    asked = version(page)
    page.keyboard.press("Enter")
    button(page).focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    assert version(page) == asked


@pytest.mark.parametrize("page", [{}, {"reduced_motion": "reduce"}], indirect=True, ids=["moving", "calm"])
def test_button_sleeps_for_seven_tenths_of_a_second(page: "Page") -> None:
    choose_tile(page)
    wait_until_armed(page)
    assert 690 <= page.evaluate(WAKING_TIME) < 3000


def test_early_press_loses_neither_choice_nor_focus(page: "Page") -> None:
    page.add_init_script(SLOWLY_FROM_THE_START)
    page.reload()
    choose_tile(page)
    before, words = version(page), button(page).inner_text()
    assert words.startswith("Place")
    button(page).focus()
    page.keyboard.press("Enter")
    assert page.locator("#table.waking [data-go]:focus:enabled:not([aria-disabled])").count() == 1
    wait_until_armed(page)
    assert version(page) == before
    assert button(page).inner_text() == words


def test_own_choices_never_disarm(page: "Page") -> None:
    wait_until_armed(page)
    for tile in page.locator("label.tile").all():
        tile.click()
        assert page.locator("#table.waking").count() == 0


def test_news_disarm(page: "Page") -> None:
    other = page.context.new_page()
    other.goto(page.url)
    wait_until_armed(other)
    other.evaluate(SLOWLY)
    before = version(page)
    choose_tile(page)
    press(button(page))
    wait_for_new_table(other, before)
    assert other.locator("#table.waking").count() == 1


# -- Buttons that come with news ------------------------------------------------------------------------


def main(name: str) -> None:
    """Create a game of three inside the site, in which time can run out, and print it for `prepare`."""
    from accounts.models import User
    from games.lobby.game_start import start_game
    from tests.support.open_tables import print_game

    people = [User.objects.create_user(f"{name}-{seat}") for seat in range(3)]
    game = start_game(
        system="acquire",
        preset="course",
        host=people[0],
        players=people,
        pace=86400,
        overrun=name.partition("-")[0],
    )
    print_game(game, people)


def run_out(public_id: str) -> None:
    """Let the time of the player who has to decide run out inside the site, and the extension after it."""
    from datetime import timedelta

    from django.utils import timezone

    from games.models import Game
    from games.play.deadlines.overdue import settle_timeout

    for _ in range(2):
        Game.objects.filter(public_id=public_id).update(deadline=timezone.now() - timedelta(seconds=1))
        game = Game.objects.get(public_id=public_id)
        settle_timeout(game.pk, game.version)


@pytest.mark.parametrize(
    ("overrun", "seat", "name", "answer"),
    [
        ("take", 0, wording.TAKE_SEAT_BACK, wording.CAME_BACK),
        ("vote", 1, "Vote for this move only", "You voted for a computer player to make this move."),
    ],
)
def test_buttons_about_absences_sleep_when_news_bring_them(
    overrun: str, seat: int, name: str, answer: str, open_table: Opener, played_site: PlayedSite
) -> None:
    game = prepare(played_site, __name__, f"{overrun}-away")
    page = open_table(game, seat)
    wait_until_armed(page)
    page.evaluate(SLOWLY)
    call = f"run_out({game.address.strip('/').split('/')[-1]!r})"
    played_site.shell(f"from {__name__} import run_out; {call}")
    sends = page.get_by_role("button", name=name)
    sends.wait_for()
    page.evaluate("window.here = true")
    sends.click()
    page.wait_for_timeout(500)
    assert page.evaluate("window.here"), "no other page has come"
    with page.expect_navigation():
        press(sends)
    page.get_by_text(answer).first.wait_for(state="attached")


# Another game that waits for the first player of the game "buy-next".
ANOTHER_GAME = """
from accounts.models import User
from games.lobby.game_start import start_game
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.games import put
from tests.support.merger_game import SEATED
people = list(User.objects.filter(username__startswith="buy-next-").order_by("username"))
game = start_game(
    system="acquire", preset="avalon-hill", host=people[0], players=people, options=SEATED, skips=False
)
put(game, position({"lone": "9F"}, hands=["5I", "12I", "12G"], decision="place 0"))
"""
UNDER_A_TAP = """link => {
    const { left, top, width, height } = link.getBoundingClientRect();
    return link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def test_way_to_the_next_game_sleeps_and_lies_beside_what_was_pressed(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "buy", "next"), 0)
    played_site.shell(ANOTHER_GAME)
    pressed, link = page.locator("[data-go]").bounding_box(), page.locator(".decision-bar .to-next")
    page.locator("#stock-tower .chain").click()
    wait_until_armed(page)
    page.evaluate(SLOWLY)
    page.locator("[data-go]").click()
    link.wait_for()
    assert not link.evaluate(UNDER_A_TAP)
    box = link.bounding_box()
    assert pressed and box and box["x"] + box["width"] <= pressed["x"]
    wait_until_armed(page)
    assert link.evaluate(UNDER_A_TAP)
