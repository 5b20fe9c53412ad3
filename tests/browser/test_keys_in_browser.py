"""Single keys at a table choose, lead and explain; they never send, and never act while one types."""

import string
from typing import TYPE_CHECKING

import pytest

from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import press as press_when_armed
from tests.support.armed_buttons import wait_until_armed
from tests.support.open_tables import Opener, fits, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page


def shown_panel(page: "Page") -> str | None:
    return page.locator("[role=tab][aria-selected=true]:visible").get_attribute("data-panel")


def press(page: "Page", *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def is_claimed(page: "Page", key: str) -> bool:
    """Press a key and return whether the page keeps it from the browser."""
    page.evaluate("window.addEventListener('keydown', event => { window.last = event; }, { once: true })")
    press(page, key)
    return bool(page.evaluate("window.last.defaultPrevented"))


def test_letters_of_chains_buy_shares(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "letters"), 0)
    button = page.locator("[data-go]")
    press(page, "3")
    assert shown_panel(page) == "log"
    press(page, "t")
    assert shown_panel(page) == "stocks"
    assert button.inner_text() == "Buy 1 Tower for $500"
    press(page, "t", "a", "c", "Shift+T")
    assert button.inner_text() == "Buy 1 Tower and 1 American for $1,300"
    assert page.locator("#announce").inner_text() == button.inner_text()
    press(page, "Escape")
    assert button.inner_text() == wording.CHOOSE_SHARES
    assert button.is_disabled()


def test_digits_choose_tabs_but_not_while_one_types(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "digits"), 0)
    for number, panel in enumerate(("turn", "stocks", "log", "chat"), start=1):
        press(page, str(number))
        assert shown_panel(page) == panel
    page.locator("#say").focus()
    press(page, "1", "t", "?")
    assert shown_panel(page) == "chat"
    assert page.locator("#say").input_value() == "1t?"
    assert page.locator("#legend").is_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator("#headline").focus()
    press(page, "3")
    assert shown_panel(page) == "log"


def test_all_keys_are_explained_one_press_away_and_can_be_switched_off(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "calm", "help"), 0)
    press(page, "?")
    legend = page.locator("#legend")
    assert legend.is_visible()
    listed = set(legend.locator("kbd").all_inner_texts())
    assert page.evaluate(
        "document.getElementById('legend-keys').getBoundingClientRect().bottom < innerHeight"
    )
    assert {"1", "4", "A", "W", "S", "T", "H", "Esc", "J", "?"} <= listed
    fits(page)
    legend.get_by_label("Use single letters and digits as keys").uncheck()
    press(page, "?")
    assert legend.is_visible()
    page.reload()
    press(page, "3")
    assert shown_panel(page) == "turn"


def test_letters_decide_about_shares_of_a_defunct_chain(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "shares", "ways"), 0)
    for key, words in {"h": "Hold all 2", "s": "Sell 2 for $400", "t": "Trade 2 for 1 Tower"}.items():
        press(page, key)
        assert page.locator("[data-go]").inner_text() == words


@pytest.mark.parametrize("step", ["buy", "shares"])
def test_no_letter_or_digit_sends(step: str, open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, step, "harmless"), 0)
    wait_until_armed(page)
    version = page.locator("[data-version]").get_attribute("data-version")
    press(page, *string.ascii_lowercase, *string.digits, "Escape", *string.ascii_lowercase)
    page.wait_for_timeout(800)
    assert page.locator("[data-version]").get_attribute("data-version") == version
    assert page.locator("[data-go]").is_enabled()


def test_keys_are_listed_and_switched_off_after_a_swap_of_an_exploration(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "calm", "explored"), 0)
    page.locator("#table-menu > summary").click()
    page.get_by_role("button", name="Explore").click()
    page.wait_for_url("**/explore/")
    page.locator("label.tile", has_text="5I").click()
    press_when_armed(page.locator("[data-go]"))
    wait_for_version(page, 1)
    press(page, "?")
    switch = page.get_by_label("Use single letters and digits as keys")
    assert switch.is_checked()
    switch.uncheck()
    press(page, "Escape", "3")
    assert shown_panel(page) == "stocks"
    page.locator("#explore-back").click()
    wait_for_version(page, 0)
    assert not page.locator("[data-keys]").is_checked()
    press(page, "3")
    assert shown_panel(page) == "turn"


def test_keys_are_announced_only_while_they_work(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "shares", "announced"), 0)
    assert page.locator("#way-hold").get_attribute("aria-keyshortcuts") == "H"
    press(page, "?")
    page.get_by_label("Use single letters and digits as keys").uncheck()
    assert page.locator("[aria-keyshortcuts]").count() == 0


def test_practice_table_has_keys_of_its_own_for_the_cover(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "practice", "cover"), 0)
    wait_until_armed(page)
    press(page, "d")
    page.locator("#decision").wait_for()
    press(page, "h")
    assert page.locator("[data-go]").inner_text() == "Hold all 2"
    press(page, "d")
    page.locator("form:has(> [name=seat])").wait_for()
    assert page.locator("#decision").count() == 0


def test_escape_closes_the_menu_before_it_clears(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "menu"), 0)
    menu, button = page.locator("#table-menu"), page.locator("[data-go]")
    press(page, "t")
    for elsewhere in (False, True):
        menu.locator("summary").click()
        if elsewhere:
            page.locator("#headline").focus()
        assert menu.get_attribute("open") is not None
        press(page, "Escape")
        assert menu.get_attribute("open") is None
        assert button.inner_text() == "Buy 1 Tower for $500"
    press(page, "Escape")
    assert button.inner_text() == wording.CHOOSE_SHARES


def test_escape_belongs_to_the_browser_when_nothing_is_chosen(
    open_table: Opener, played_site: PlayedSite
) -> None:
    game = game_at(played_site, "buy", "nothing")
    mine, other = open_table(game, 0), open_table(game, 1)
    assert not is_claimed(other, "Escape")
    assert not is_claimed(mine, "Escape")
    press(mine, "t")
    assert is_claimed(mine, "Escape")


@pytest.mark.parametrize(
    ("step", "keys"),
    [("calm", "←→↑↓Enter?"), ("buy", "CTAShift?"), ("shares", "STH?")],
)
def test_desk_shows_the_keys_of_the_step(
    step: str, keys: str, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, step, "shown"), 0)
    shown = page.locator(".step-keys kbd:visible")
    assert shown.count() == 0, "a phone has no keys"
    page.set_viewport_size({"width": 1440, "height": 900})
    assert "".join(shown.all_inner_texts()) == keys
    fits(page)
    press(page, "?")
    page.locator("#legend").get_by_label("Use single letters and digits as keys").uncheck()
    assert "".join(shown.all_inner_texts()) == ("←→↑↓Enter" if step == "calm" else "")
