"""Pages of one live game: they are played on, and cut off the network."""

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from tests.browser.page_player import Player, version, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Sockets that can be cut: open ones close, and no new one opens before they are mended.
CUTTABLE = """
const Real = window.WebSocket, sockets = new Set();
let isCut = false;
class Dead extends EventTarget {
  readyState = Real.CLOSED;
  constructor() { super(); setTimeout(() => this.dispatchEvent(new Event("close"))); }
}
window.WebSocket = new Proxy(Real, {
  construct(target, words) {
    if (isCut) return new Dead();
    const socket = new Real(...words);
    sockets.add(socket);
    return socket;
  },
});
window.cut = () => { isCut = true; for (const socket of sockets) socket.close(); };
window.mend = () => { isCut = false; };
"""


def play(pages: Sequence["Page"], moves: int) -> None:
    """Make this many moves, each from the page of the player to move."""
    for _ in range(moves):
        page = asked(pages)
        before = version(page)
        Player(page, Random(1)).answer()
        wait_for(page, lambda page=page, before=before: version(page) > before, "the answer")


def play_without_first(pages: Sequence["Page"]) -> int:
    """Let the first player answer until another one is asked; return the version."""
    first, *others = pages
    while Player(first, Random(1)).is_asked:
        play([first], 1)
    asked(others)
    return version(first)


def asked(pages: Sequence["Page"]) -> "Page":
    """Wait until one of these pages asks its player, and return it."""
    found: list[Page] = []

    def look() -> bool:
        found.extend(page for page in pages if Player(page, Random(1)).is_asked)
        return bool(found)

    # A page that a busy site has refused an answer asks again, after half a minute at the latest.
    wait_for(pages[0], look, "a question", 40)
    return found[0]


def cut(page: "Page") -> None:
    """Cut a page with the script `CUTTABLE` off the network, until `mend`."""
    page.context.set_offline(True)
    page.evaluate("cut()")


def mend(page: "Page") -> None:
    page.context.set_offline(False)
    page.evaluate("mend()")
