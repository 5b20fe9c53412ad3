"""Milliseconds from the answer to an own move until its table is painted, on a site as in production."""

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tests.browser.page_player import Player
from tests.load.measurements import percentile
from tests.support.page_checks import DESK, PHONE
from tests.tools import available_services
from tests.tools.served_site import ServedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NEEDED: Final = ("browser", "caddy", "postgres", "redis")
_MOVES: Final = 30
# A processor as fast as this one, and one a quarter as fast, like that of a cheap phone.
_SLOWDOWNS: Final = {"desk": 1, "phone": 4}

# The answer is there when htmx begins to read it; what follows the next frame comes after its painting.
_WATCH: Final = """
window.paints = [];
let answeredAt = null;
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  if (detail.requestConfig.verb === "post" && detail.xhr.status === 200) answeredAt = performance.now();
});
document.addEventListener("htmx:afterSwap", () => {
  if (answeredAt === null) return;
  const since = answeredAt;
  answeredAt = null;
  requestAnimationFrame(() => setTimeout(() => window.paints.push(performance.now() - since)));
});
"""


def move_paint() -> Iterator[tuple[str, float | str, str]]:
    """The 95th percentile of the time from the answer to a move until its table is painted."""
    if missing := available_services.first_missing(*_NEEDED):
        yield "move_paint_desk_ms", f"skipped: there is no {missing}", "ms"
        return
    from playwright.sync_api import sync_playwright

    program = available_services.find("browser").path
    with ServedSite("caddy") as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, slowdown in _SLOWDOWNS.items():
            yield f"move_paint_{name}_ms", percentile(_paints(browser, site.url, slowdown), 95), "ms"
        browser.close()


def _paints(browser: "Browser", address: str, slowdown: int) -> list[float]:
    """The times of the moves of a guest in a new game, on a phone if the processor is slow."""
    size: Any = PHONE if slowdown > 1 else DESK
    context = browser.new_context(base_url=address, viewport=size, has_touch=size is PHONE)
    page = context.new_page()
    page.add_init_script(_WATCH)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    player = Player(page, Random(1))
    player.start()
    for _ in range(_MOVES):
        player.wait()
        if player.is_over:
            break
        player.answer()
    page.wait_for_timeout(500)
    paints: list[float] = page.evaluate("paints")
    context.close()
    return paints
