"""Seconds until a slow phone has painted the board of the front page, on a site as in production."""

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, Final

from tests.support.page_checks import PHONE
from tests.tools import available_services
from tests.tools.served_site import ServedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NEEDED: Final = ("browser", "caddy", "postgres", "redis")
_VISITS: Final = 7
# Slow 4G, and a processor a quarter as fast as this one.
_NETWORK: Final = {
    "offline": False,
    "latency": 150,  # ms
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 0.75e6 / 8,
}
_SLOWDOWN: Final = 4

# Notes when a frame is drawn in which the board stands; none is drawn before the style sheets are there.
_WATCH: Final = """
requestAnimationFrame(function look() {
  const board = document.querySelector(".stage .shapes");
  if (board?.getBoundingClientRect().height) setTimeout(() => { window.boardAt = performance.now(); });
  else requestAnimationFrame(look);
});
"""
_PAINTED: Final = """() => {
  const [first] = performance.getEntriesByName("first-contentful-paint");
  return window.boardAt && first && Math.max(window.boardAt, first.startTime);
}"""


def front_page_paint() -> Iterator[tuple[str, float | str, str]]:
    """The median time from a first visit to the first still board of the front page."""
    if missing := available_services.first_missing(*_NEEDED):
        yield "front_page_paint_ms", f"skipped: there is no {missing}", "ms"
        return
    from playwright.sync_api import sync_playwright

    program = available_services.find("browser").path
    with ServedSite("caddy") as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        times = [_visit(browser, site.url) for _ in range(_VISITS)]
        browser.close()
    # The first visit fills the cache of the site.
    yield "front_page_paint_ms", median(times[1:]), "ms"


def _visit(browser: "Browser", address: str) -> float:
    """Milliseconds until a browser that has loaded nothing before has painted the board."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", _NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWDOWN})
    page.add_init_script(_WATCH)
    page.goto(address, wait_until="load")
    painted = float(page.wait_for_function(_PAINTED).json_value())
    context.close()
    return painted
