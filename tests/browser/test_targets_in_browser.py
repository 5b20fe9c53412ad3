"""Whatever one presses at a table is large enough for a thumb, and three shares of a chain take four taps."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.turn_positions import game_at
from tests.support.armed_buttons import press, wait_until_armed
from tests.support.open_tables import Opener, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEAST = 44
TAPS = {"has_touch": True, "is_mobile": True}

# All targets that are too small. Squares of the board cannot be larger, and have a chip in the hand each;
# links within a sentence are as high as its lines.
TOO_SMALL = """(least) => {
  const words = (element) => element.textContent.replace(/\\s+/g, " ").trim();
  const inSentence = (element) => getComputedStyle(element).display === "inline"
    && words(element.closest("p, li, td, dd, label, .dim") ?? element) !== words(element);
  const faults = [];
  for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    const target = element.closest("label") ?? element;
    const { width, height, right, bottom } = target.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (element.closest(".board") || !element.checkVisibility() || style.pointerEvents === "none") continue;
    if (right <= 0 || bottom + scrollY <= 0 || element.closest(".visually-hidden")) continue;
    if (width >= least - 0.5 && height >= least - 0.5) continue;
    const size = `${Math.round(width)}×${Math.round(height)}`;
    if (!inSentence(element)) faults.push(`${size} ${target.outerHTML.slice(0, 110)}`);
  }
  return faults;
}"""


def check_targets(page: "Page") -> None:
    """Assert that all targets are large enough, in all panels, and that nothing scrolls sideways."""
    for tab in page.locator("[role=tab]:visible").all():
        tab.click()
        unfold(page)
        assert page.evaluate(TOO_SMALL, LEAST) == []
        for width in (360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.set_viewport_size({"width": 360, "height": 740})


def unfold(page: "Page") -> None:
    """Open all that is folded in the panel that is shown."""
    for fold in page.locator("details:not([open]) > summary").all():
        if fold.is_visible() and not fold.evaluate("fold => fold.closest('.menu')"):
            fold.click()
    while (folded := page.locator(".market [aria-expanded=false]:visible")).count():
        folded.first.click()


@pytest.mark.parametrize("step", ["calm", "merge", "shares", "buy", "end", "broke", "stuck", "practice"])
def test_targets_of_every_step_are_large_enough(
    step: str, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, step, "targets"), 0)
    wait_until_armed(page)
    if step == "shares":
        page.locator("label:has(#way-mix)").click()
    check_targets(page)


@pytest.mark.parametrize(("step", "tile"), [("found", "9G"), ("tie", "4A"), ("three", "6B")])
def test_targets_are_large_enough_where_a_chain_is_asked_for(
    step: str, tile: str, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, step, "targets"), 0)
    page.locator("label.tile", has_text=tile).click()
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)
    assert page.locator(".choices label").count() > 1
    check_targets(page)


def test_targets_of_a_finished_table_are_large_enough(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "end", "over"), 0)
    page.locator("#end").check()
    for _ in ("asked", "sent"):
        press(page.locator("[data-nothing]"))
    page.locator(".podium").first.wait_for()
    check_targets(page)


def test_targets_are_large_enough_for_those_who_wait(open_table: Opener, played_site: PlayedSite) -> None:
    check_targets(open_table(game_at(played_site, "merge", "waiting"), 1))


def test_tap_beside_a_square_counts_for_it(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "beside"), 0)
    square = page.locator("#square-5I").bounding_box()
    assert square
    x, y = square["x"] + square["width"] / 2, square["y"] + square["height"] / 2
    chosen = page.locator("[name=tile]:checked")
    page.mouse.click(x - 24, y)
    assert chosen.count() == 0
    page.mouse.click(x - 20, y)
    assert chosen.get_attribute("value") == "5I"
    page.mouse.click(x + 12, y - 12)
    assert chosen.get_attribute("value") == "5I"
    assert page.locator("#square-5I").get_attribute("aria-pressed") == "true"


def test_small_targets_are_found(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "small"), 0)
    page.evaluate(
        "for (const button of document.querySelectorAll('[data-step]')) button.style.width = '43px'"
    )
    assert any("43×44" in fault for fault in page.evaluate(TOO_SMALL, LEAST))


def test_three_shares_of_a_chain_take_four_taps(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "taps"), 0, **TAPS)
    page.locator("label.tile", has_text="5I").tap()
    wait_until_armed(page)
    page.locator("[data-go]").tap()
    wait_for_version(page, 1)
    page.locator("#stock-tower .chain").tap()
    wait_until_armed(page)
    page.locator("[data-go]").tap()
    wait_for_version(page, 2)
    assert "bought 3 Tower" in page.locator(".log").inner_text()


def test_tap_on_a_row_takes_what_others_leave(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "row"), 0)
    page.locator("[data-for=number-american][data-step='1']").click()
    page.locator("#stock-tower .chain").click()
    assert page.locator("[data-go]").inner_text().startswith("Buy 2 Tower and 1 American for $")
    assert "1st with 5 after this · row" in page.locator("#stock-tower .standing").inner_text().replace(
        "buy-", ""
    )
    assert page.locator(".market .open").count() == 0
    page.locator("#stock-tower [aria-expanded]").click()
    assert page.locator("#rest-tower").is_visible()
    assert page.locator("#number-tower").input_value() == "2", "the details change nothing"
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)


def test_names_of_chains_are_whole_on_the_smallest_phone(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "names"), 0)
    page.set_viewport_size({"width": 320, "height": 740})
    shown = page.locator(".market .label").all_inner_texts()
    assert sorted(shown) == [
        "American",
        "Continental",
        "Festival",
        "Imperial",
        "Sackson",
        "Tower",
        "Worldwide",
    ]
    for name in page.locator(".market .label").all():
        assert name.evaluate("name => name.getClientRects().length") == 1
