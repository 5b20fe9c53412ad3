"""The table by touch and keyboard, on a running site."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import wait_for
from tests.support import wording
from tests.support.armed_buttons import press, wait_until_armed
from tests.support.table_page import PHONE, button, context, page, wait_for_my_turn

__all__ = ["context", "page"]  # fixtures

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

DESK = {"width": 1440, "height": 900}


def kind(page: "Page") -> str:
    return page.locator("form#decision [name=kind]").get_attribute("value") or ""


def answer(page: "Page") -> None:
    """Answer the decision and wait until the table shows it."""
    version = page.locator("[data-version]").get_attribute("data-version")
    choose(page)
    nothing = page.locator("[data-nothing]")
    press(nothing if nothing.count() else page.locator("form#decision button[type=submit]").first)
    page.locator(f"[data-version]:not([data-version='{version}'])").wait_for()


def choose(page: "Page") -> None:
    choices = page.locator("label.tile, label.way")
    if choices.count():
        choices.first.click()


def answer_until(page: "Page", wanted: str) -> None:
    wait_for_my_turn(page)
    while kind(page) != wanted:
        answer(page)
        wait_for_my_turn(page)


def wait_for_the_present_board(page: "Page") -> None:
    """Wait for the end of a replay of what bots have done: it puts other boards in the place of this one."""
    page.locator("#table:not([data-replays])").wait_for()


WIDTHS = [{"viewport": {"width": width, "height": 740}} for width in (360, 640, 1000, 1440)]


@pytest.mark.parametrize("context", WIDTHS, indirect=True)
def test_level_of_bot_is_shown_once_at_every_width(page: "Page") -> None:
    if page.viewport_size and page.viewport_size["width"] < 768:
        page.locator("[data-panel=stocks]:visible").click()
    levels = page.locator(".strip, .stocks").get_by_text("Random", exact=True).filter(visible=True)
    widths = levels.evaluate_all("all => all.map((level) => level.clientWidth || level.offsetWidth)")
    assert len([width for width in widths if width > 1]) == 1, "one for eyes; others for screen readers only"


def test_tile_is_chosen_on_board_or_in_list(page: "Page") -> None:
    answer_until(page, "place")
    assert button(page).is_disabled()
    square = page.locator(".board [data-choose]").last
    square.click()
    name = square.get_attribute("data-choose")
    assert button(page).inner_text().startswith(f"Place {name}")
    assert square.get_attribute("aria-pressed") == "true"
    first = page.locator("label.tile").first
    first.click()
    assert button(page).inner_text().startswith(f"Place {first.inner_text().split()[0]}")
    assert page.locator(".board [aria-pressed=true]").count() == 1


def test_board_is_one_tab_stop_with_arrow_keys(page: "Page") -> None:
    wait_for_my_turn(page)
    wait_for_the_present_board(page)
    stops = page.locator(".board [tabindex='0']")
    stops.focus()
    for key in ("Control+Home", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.locator(":focus").get_attribute("id") == "square-2B"
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")  # the edge of the board
    assert page.locator(":focus").get_attribute("id") == "square-12B"
    assert stops.count() == 1


def test_move_by_keyboard_keeps_focus(page: "Page") -> None:
    answer_until(page, "place")
    wait_for_the_present_board(page)
    version = page.locator("[data-version]").get_attribute("data-version")
    page.locator(".board [tabindex='0']").focus()
    page.keyboard.press("Enter")
    button(page).focus()
    wait_until_armed(page)
    page.keyboard.press("Enter")
    page.locator(f"[data-version]:not([data-version='{version}'])").wait_for()
    page.locator("#headline:focus").wait_for()
    # Bots may be moving: each new table has its own headline.
    announced, headline = page.locator("#announce"), page.locator("#headline")
    wait_for(
        page, lambda: announced.inner_text() == headline.inner_text().strip(), "the headline is read out"
    )


def test_steppers_stop_at_legal_purchases(page: "Page") -> None:
    answer_until(page, "buy")
    more = page.locator("[data-step='1']")
    while more.count() == 0:  # there is no chain yet
        assert button(page).inner_text() == wording.BUY_NOTHING
        answer(page)
        answer_until(page, "buy")
        more = page.locator("[data-step='1']")
    assert button(page).inner_text() == wording.CHOOSE_SHARES
    assert button(page).is_disabled()
    for _ in range(3):
        more.first.click()
    bought = re.match(r"Buy 3 \w+ for \$[\d,]+$", button(page).inner_text())
    assert bought, button(page).inner_text()
    assert all(more.nth(place).is_disabled() for place in range(more.count()))
    number = page.locator("input[type=number]").first
    number.fill("7")
    number.press("Tab")
    assert number.input_value() == "3"
    page.locator("[data-step='-1']").first.click()
    assert button(page).inner_text().startswith("Buy 2 ")


def test_move_appears_in_other_window(page: "Page", context: "BrowserContext") -> None:
    """Its title also shows when it is the player's turn again."""
    other = context.new_page()
    other.goto(page.url)
    assert other.title().startswith("● ")
    version = page.locator("[data-version]").get_attribute("data-version")
    answer(page)
    other.locator(f"[data-version]:not([data-version='{version}'])").wait_for()
    answer_until(page, "place")
    other.locator("[data-my-turn]").wait_for()


@pytest.mark.parametrize(
    "context", [{"viewport": PHONE}, {"viewport": {"width": 700, "height": 900}}], indirect=True
)
def test_table_does_not_scroll_sideways_on_phone(page: "Page") -> None:
    for _ in range(6):
        # All at once: the next news may replace the table between two questions.
        width, left, right = page.evaluate(
            """() => {
                const board = document.querySelector(".board").getBoundingClientRect();
                return [document.documentElement.scrollWidth, board.left, board.right];
            }"""
        )
        assert width == page.viewport_size["width"]
        assert 0 <= left < right <= width
        answer(page)
        wait_for_my_turn(page)
    assert page.locator(".top").bounding_box()["height"] < 60


@pytest.mark.parametrize("context", [{"viewport": DESK, "java_script_enabled": False}], indirect=True)
def test_game_is_played_without_script(page: "Page") -> None:
    asked = set()
    for _ in range(12):
        asked.add(kind(page))
        if kind(page) == "place":
            page.locator(".board button[type=submit]").first.click()
        else:
            answer(page)
        wait_for_my_turn(page)
    assert {"place", "buy"} <= asked
    assert not page.locator(".decision-bar .problem").is_visible()


def test_theme_and_patterns_are_kept(page: "Page") -> None:
    page.locator("[data-setting=theme]").select_option("dark")
    page.locator("[data-setting=patterns]").check()
    page.reload()
    assert page.locator("html.patterns[data-theme=dark]").count() == 1
    assert page.locator("[data-setting=patterns]").is_checked()


@pytest.mark.parametrize(
    "context", [{"viewport": DESK}, {"viewport": DESK, "java_script_enabled": False}], indirect=True
)
def test_enter_places_tile_chosen_in_list(page: "Page") -> None:
    """Not the tile whose square comes first on the board."""
    radios = page.locator("input[type=radio][name=tile]")
    last = radios.nth(radios.count() - 1)
    name = last.get_attribute("value") or ""
    last.check(force=True)
    version = page.locator("[data-version]").get_attribute("data-version")
    wait_until_armed(page)
    last.press("Enter")
    page.locator(f"[data-version]:not([data-version='{version}'])").wait_for()
    assert f"placed {name}" in page.locator(".log").inner_text()
