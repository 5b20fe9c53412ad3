"""Advice on a running site, by keyboard and without a script."""

from typing import TYPE_CHECKING

import pytest

from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.table_page import PHONE, button, context, page, wait_for_my_turn

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["context", "page"]  # fixtures

QUESTION = "What would Expert do?"


def test_advice_by_keyboard_fills_form_without_sending(page: "Page") -> None:
    version = page.locator("[data-version]").get_attribute("data-version")
    page.get_by_role("button", name=QUESTION).focus()
    page.keyboard.press("Enter")
    page.locator("#advice", has_text=wording.YOUR_WINNING_CHANCE).wait_for()
    assert page.locator(":focus").get_attribute("id") == "advised"
    order = page.locator("#advice strong").inner_text()
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == wording.USE_THIS_MOVE
    page.keyboard.press("Enter")
    assert button(page).inner_text() == order
    assert button(page).is_enabled()
    assert page.locator("#announce").inner_text() == order
    assert page.locator("[data-version]").get_attribute("data-version") == version
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_advice_is_gone_after_move(page: "Page") -> None:
    page.get_by_role("button", name=QUESTION).click()
    page.get_by_role("button", name=wording.USE_THIS_MOVE).click()
    version = page.locator("[data-version]").get_attribute("data-version")
    press(button(page))
    page.locator(f"[data-version]:not([data-version='{version}'])").wait_for()
    wait_for_my_turn(page)
    assert page.get_by_text(wording.YOUR_WINNING_CHANCE).count() == 0


def test_lost_request_for_advice_is_repeated(page: "Page") -> None:
    """In another tab, because the browser itself reports the lost request as an error."""
    tab = page.context.new_page()
    tab.goto(page.url)
    lost: list[str] = []

    def lose_the_first_look(route: "Route") -> None:
        if route.request.method == "GET" and not lost:
            lost.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    tab.route("**/advice/*/", lose_the_first_look)
    tab.get_by_role("button", name=QUESTION).click()
    tab.get_by_text(wording.YOUR_WINNING_CHANCE).wait_for()
    assert lost


@pytest.mark.parametrize("context", [{"viewport": PHONE, "java_script_enabled": False}], indirect=True)
def test_advice_appears_on_reload_without_script(page: "Page") -> None:
    page.get_by_role("button", name=QUESTION).click()
    told = page.get_by_text(wording.YOUR_WINNING_CHANCE)
    for _ in range(100):
        if told.count():
            return
        page.get_by_role("link", name="Refresh").click()
    pytest.fail(f"No advice came: {page.locator('#advice').inner_text()}")
