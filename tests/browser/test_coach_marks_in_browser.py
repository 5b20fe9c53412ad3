"""Coach marks at a table: by touch, by keyboard, to a screen reader, and without a script."""

from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_targets_in_browser import LEAST, TOO_SMALL
from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import press, wait_until_armed
from tests.support.open_tables import Opener, fits
from tests.support.page_checks import DESK
from tests.support.played_lessons import tab_to
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOUCH = {"has_touch": True, "is_mobile": True}
MARK = ".coach-mark"
# Board and bar, which may not move.
PLACES = """() => [".board", ".decision-bar"].map((name) => {
  const { top, bottom } = document.querySelector(name).getBoundingClientRect();
  return [Math.round(top), Math.round(bottom)];
})"""
# Controls of the decision that lie under the mark.
COVERED = """() => {
  const mark = document.querySelector(".coach-mark").getBoundingClientRect();
  const controls = document.querySelectorAll(
    ".board [data-choose], .hand label, .ways label, .market button, .decision-bar *");
  return [...controls].filter((one) => one.checkVisibility()).flatMap((one) => {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    const isApart = bottom <= mark.top || top >= mark.bottom || right <= mark.left || left >= mark.right;
    return isApart ? [] : [one.id || one.className];
  });
}"""
# The first answer to each decision.
ANSWERS = {
    "calm": ".hand label",
    "buy": "[data-step='1']",
    "end": "#end",
    "tie": ".hand label",
    "shares": ".way",
}
# Those whose answers all stand above the bar, together with the mark.
ALL_IN_SIGHT = ("calm", "tie", "shares")

_numbers = count(1)


def table(open_table: Opener, site: PlayedSite, step: str, **options: object) -> "Page":
    return open_table(game_at(site, step, f"coached{next(_numbers)}"), 0, **options)


@pytest.mark.parametrize("step", ANSWERS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_mark_is_in_nobodys_way_on_a_phone(
    open_table: Opener, played_site: PlayedSite, step: str, scheme: str
) -> None:
    page = table(open_table, played_site, step, color_scheme=scheme, **TOUCH)
    mark, answer = page.locator(MARK), page.locator(ANSWERS[step]).first
    mark.wait_for()
    fits(page)
    assert page.evaluate(COVERED) == [] and page.evaluate(TOO_SMALL, LEAST) == []
    box, bar = answer.bounding_box(), page.locator(".decision-bar").bounding_box()
    assert box and bar
    assert box["y"] + box["height"] <= bar["y"] or step == "end"  # its box stands in the bar
    before = page.evaluate(PLACES)
    if step in ALL_IN_SIGHT:
        last = page.locator(ANSWERS[step]).last.bounding_box()
        assert last and last["y"] + last["height"] <= bar["y"]
    mark.get_by_role("button", name=wording.GOT_IT).tap()
    mark.wait_for(state="detached")
    assert page.evaluate(PLACES) == before


def test_read_mark_stays_away_and_the_choice_stays(open_table: Opener, played_site: PlayedSite) -> None:
    page = table(open_table, played_site, "calm", **TOUCH)
    page.locator(".hand label").first.tap()
    page.locator(MARK).get_by_role("button").tap()
    page.locator(MARK).wait_for(state="detached")
    assert page.locator(".hand input:checked").count() == 1
    page.reload()
    assert page.locator(f"{MARK}:not([data-mark=place])").count() == page.locator(MARK).count()


def test_answer_takes_the_mark_with_it(open_table: Opener, played_site: PlayedSite) -> None:
    page = table(open_table, played_site, "calm", **TOUCH)
    assert page.locator(MARK).get_attribute("data-mark") == "place"
    page.locator(".hand label").first.tap()
    press(page.locator("[data-go]"))
    page.locator(f"{MARK}[data-mark=buy]").wait_for()
    assert "Press + to buy up to 3 shares." in page.locator("#announce").inner_text()


def test_mark_is_read_by_keyboard(open_table: Opener, played_site: PlayedSite) -> None:
    page = table(open_table, played_site, "calm")
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    fits(page)
    assert page.get_by_role("complementary", name="Tip").count() == 1
    wait_until_armed(page)
    tab_to(page, f"{MARK} button")
    page.keyboard.press("Enter")
    page.locator(MARK).wait_for(state="detached")
    page.locator("#headline:focus").wait_for()


def test_mark_works_without_a_script(open_table: Opener, played_site: PlayedSite) -> None:
    page = table(open_table, played_site, "buy", java_script_enabled=False)
    assert page.locator(MARK).get_attribute("data-mark") == "buy"
    page.get_by_role("button", name=wording.GOT_IT).click()
    page.locator(f"{MARK}[data-mark=safe]").wait_for()
    # The answer reads it as well.
    page.get_by_role("button", name="Buy nothing").click()
    page.locator("#decision").wait_for(state="detached")
    assert page.locator(MARK).count() == 0


def test_tips_are_turned_off_and_on_in_the_settings(open_table: Opener, played_site: PlayedSite) -> None:
    page = table(open_table, played_site, "calm")
    address = page.url
    for choice, shown in (("Off", 0), ("On: show each one again", 1)):
        page.goto("/settings/#display")
        page.get_by_label("Tips at the table").select_option(label=choice)
        page.get_by_text("Saved.").wait_for()
        page.goto(address)
        assert page.locator(MARK).count() == shown
