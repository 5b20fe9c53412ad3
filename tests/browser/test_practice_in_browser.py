"""Practice tables: three people and a bot on one device."""

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import Player, wait_for
from tests.support import wording
from tests.support.armed_buttons import wait_until_armed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 360, "height": 740}
PEOPLE = ("Ann", "Bob", "Cyd")

HAND_ON = "form:has(> [name=seat])"


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def page(request: pytest.FixtureRequest, browser: "Browser", played_site) -> "Iterator[Page]":
    context = browser.new_context(base_url=played_site.url, viewport=PHONE, java_script_enabled=request.param)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.scripts = request.param  # type: ignore[attr-defined]
    page.faults = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.faults.append(str(error)))  # type: ignore[attr-defined]
    page.on("console", lambda said: said.type == "error" and page.faults.append(said.text))  # type: ignore[attr-defined]
    yield page
    context.close()


def start(page: "Page") -> None:
    page.goto("/")
    page.get_by_role("link", name="Practice table").first.click()
    for number, name in enumerate(PEOPLE, start=1):
        page.get_by_label(f"Seat {number}", exact=True).select_option("person")
        page.get_by_label(f"Name on seat {number}").fill(name)
    page.get_by_label("Seat 4", exact=True).select_option("random")
    page.get_by_role("button", name=wording.START_GAME).click()
    page.wait_for_url("**/games/*/")


def hands_on_the_page(page: "Page") -> int:
    return page.locator("fieldset.hand").count()


def open_hand(page: "Page") -> str:
    """Open the hand by keyboard and return the player's name."""
    assert hands_on_the_page(page) == 0
    name = page.locator("#headline").inner_text().removeprefix(wording.PASS_THE_DEVICE_TO.format(name=""))
    button = page.get_by_role("button", name=wording.SHOW_MY_TILES % {"name": name})
    button.focus()
    wait_until_armed(page)
    page.keyboard.press("Enter")
    page.locator("#decision").wait_for()
    assert page.locator("#headline").inner_text().startswith(f"{name} · ")
    return name


def fits(page: "Page") -> bool:
    return not page.scripts or page.evaluate("document.documentElement.scrollWidth <= innerWidth")  # type: ignore[attr-defined]


def ready(page: "Page", player: Player) -> bool:
    """Return whether a person can act on the page."""
    if not page.scripts:  # type: ignore[attr-defined]
        page.reload()
    return player.is_asked or page.locator(HAND_ON).count() > 0


def test_three_people_and_bot_share_phone(page: "Page") -> None:
    start(page)
    player, opened = Player(page, Random(1), scripts=page.scripts), []  # type: ignore[attr-defined]
    while len(opened) < 7:
        wait_for(page, lambda: ready(page, player), "the next decision")
        if page.locator(HAND_ON).count():
            assert fits(page)
            opened.append(open_hand(page))
        assert hands_on_the_page(page) == 1
        player.answer()
    # The device goes round in the order of the seats.
    assert set(opened[:3]) == set(PEOPLE)
    assert opened[3:6] == opened[:3]
    assert page.faults == []  # type: ignore[attr-defined]


def test_covered_hand_is_covered_on_other_page(page: "Page") -> None:
    start(page)
    player = Player(page, Random(1), scripts=page.scripts)  # type: ignore[attr-defined]
    wait_for(page, lambda: ready(page, player), "somebody's turn")
    open_hand(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert hands_on_the_page(other) == 1
    page.get_by_role("button", name="Hide my tiles").click()
    page.locator(HAND_ON).wait_for()
    assert hands_on_the_page(page) == 0
    other.reload()
    assert hands_on_the_page(other) == 0
    assert page.faults == []  # type: ignore[attr-defined]
