"""The table under fingers and keys, in a real browser on a running site."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import wait_for
from tests.support.table_page import PHONE, button, context, page, wait_for_my_turn

__all__ = ["context", "page"]  # fixtures

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

DESK = {"width": 1440, "height": 900}


def kind(page: "Page") -> str:
    return page.locator("form#decision [name=kind]").get_attribute("value") or ""


def answer(page: "Page") -> None:
    """Answer whatever is asked and wait until the table shows it."""
    version = page.locator("[data-version]").get_attribute("data-version")
    choose(page)
    page.locator("form#decision button[type=submit]").first.click()
    page.locator(f"[data-version]:not([data-version='{version}'])").wait_for()


def choose(page: "Page") -> None:
    choices = page.locator("label.tile")
    if choices.count():
        choices.first.click()


def answer_until(page: "Page", wanted: str) -> None:
    wait_for_my_turn(page)
    while kind(page) != wanted:
        answer(page)
        wait_for_my_turn(page)


WIDTHS = [{"viewport": {"width": width, "height": 740}} for width in (360, 640, 1000, 1440)]


@pytest.mark.parametrize("context", WIDTHS, indirect=True)
def test_the_level_of_a_computer_is_read_once_at_every_width(page: "Page") -> None:
    assert page.locator(".stocks").get_by_text("Random", exact=True).filter(visible=True).count() == 1


def test_a_tile_is_chosen_on_the_board_or_in_the_list_and_the_button_says_what_it_does(page: "Page") -> None:
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


def test_the_board_is_one_tab_stop_and_arrows_move_in_it(page: "Page") -> None:
    stops = page.locator(".board [tabindex='0']")
    stops.focus()
    for key in ("Control+Home", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.locator(":focus").get_attribute("id") == "square-2B"
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")  # there is nothing beyond the edge
    assert page.locator(":focus").get_attribute("id") == "square-12B"
    assert stops.count() == 1


def test_a_game_can_be_played_by_keyboard_and_the_focus_is_not_lost(page: "Page") -> None:
    answer_until(page, "place")
    version = page.locator("[data-version]").get_attribute("data-version")
    page.locator(".board [tabindex='0']").focus()
    page.keyboard.press("Enter")
    button(page).focus()
    page.keyboard.press("Enter")
    page.locator(f"[data-version]:not([data-version='{version}'])").wait_for()
    page.locator("#headline:focus").wait_for()
    # Computers may be moving: the next table has its own headline.
    announced, headline = page.locator("#announce"), page.locator("#headline")
    wait_for(
        page, lambda: announced.inner_text() == headline.inner_text().strip(), "the headline is read out"
    )


def test_steppers_go_only_where_a_purchase_is_legal(page: "Page") -> None:
    answer_until(page, "buy")
    assert button(page).inner_text() == "Buy nothing"
    more = page.locator("[data-step='1']")
    while more.count() == 0:  # no chain is on the board yet
        answer(page)
        answer_until(page, "buy")
        more = page.locator("[data-step='1']")
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


def test_what_others_do_appears_by_itself(page: "Page", context: "BrowserContext") -> None:
    """Two windows of one player: a move in one is seen in the other, and the title says whose turn it is."""
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
def test_nothing_scrolls_sideways_on_a_phone(page: "Page") -> None:
    for _ in range(6):
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width == page.viewport_size["width"]
        box = page.locator(".board").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
        answer(page)
        wait_for_my_turn(page)
    assert page.locator(".top").bounding_box()["height"] < 60


@pytest.mark.parametrize("context", [{"viewport": DESK, "java_script_enabled": False}], indirect=True)
def test_a_game_can_be_played_without_a_script(page: "Page") -> None:
    asked = set()
    for _ in range(12):
        asked.add(kind(page))
        if kind(page) == "place":
            page.locator(".board button[type=submit]").first.click()
        else:
            answer(page)
        wait_for_my_turn(page)
    assert {"place", "buy"} <= asked
    assert page.locator(".decision-bar .problem").count() == 0


def test_theme_and_patterns_are_kept(page: "Page") -> None:
    page.locator("[data-setting=theme]").select_option("dark")
    page.locator("[data-setting=patterns]").check()
    page.reload()
    assert page.locator("html.patterns[data-theme=dark]").count() == 1
    assert page.locator("[data-setting=patterns]").is_checked()


@pytest.mark.parametrize(
    "context", [{"viewport": DESK}, {"viewport": DESK, "java_script_enabled": False}], indirect=True
)
def test_enter_places_the_tile_that_was_chosen_in_the_list(page: "Page") -> None:
    """Not the one whose square happens to come first on the board."""
    radios = page.locator("input[type=radio][name=tile]")
    last = radios.nth(radios.count() - 1)
    name = last.get_attribute("value") or ""
    last.check(force=True)
    version = page.locator("[data-version]").get_attribute("data-version")
    last.press("Enter")
    page.locator(f"[data-version]:not([data-version='{version}'])").wait_for()
    assert f"placed {name}" in page.locator(".log").inner_text()
