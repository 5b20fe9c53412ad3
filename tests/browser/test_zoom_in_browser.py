"""Text at twice its size and pages at four times theirs: nothing is cut, covered or out of reach."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.turn_positions import game_at
from tests.support.open_tables import Opener
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

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


def check(page: "Page", size: str) -> None:
    if size == "zoomed":
        page.set_viewport_size(ZOOMED)
    else:
        page.set_viewport_size(PHONE if "phone" in size else DESK)
        page.context.new_cdp_session(page).send("Page.setFontSizes", LARGE_TEXT)
    page.wait_for_timeout(100)
    if "large text" in size:
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
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
