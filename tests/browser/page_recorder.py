"""Recording of a page: versions shown, messages of sockets, and everything that failed."""

import contextlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response

# Runs before the page's own scripts. Blocked content becomes an error, and every version of the
# game that is shown is recorded with the time in seconds.
OBSERVE = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`blocked by ${event.violatedDirective}: ${event.blockedURI}`);
});
window.versionsShown = [];
document.addEventListener("DOMContentLoaded", () => {
  const note = () => {
    const stamp = document.querySelector("[data-version]");
    const last = window.versionsShown.at(-1);
    if (stamp && (!last || last[0] !== Number(stamp.dataset.version))) {
      window.versionsShown.push([Number(stamp.dataset.version), performance.now() / 1000]);
    }
  };
  note();
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
});
"""


class Witness:
    """Record of a page from the moment it is opened.

    loads       number of full page loads
    complaints  errors and warnings of scripts, blocked content, failed requests and refusals
    frames      texts received over sockets
    spoken      texts sent over sockets
    """

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.loads = 0
        self.complaints: list[str] = []
        self.frames: list[str] = []
        self.spoken: list[str] = []
        page.on("load", self._loaded)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("websocket", self._listen)

    @property
    def versions(self) -> list[tuple[int, float]]:
        """Versions of the game shown since the page was loaded, with seconds."""
        return [(version, at) for version, at in self.page.evaluate("window.versionsShown")]

    @property
    def ticks(self) -> list[Any]:
        return [json.loads(frame) for frame in self.frames]

    def _loaded(self, _: object) -> None:
        self.loads += 1

    def _complain(self, what: str) -> None:
        self.complaints.append(what)

    def _said(self, message: "ConsoleMessage") -> None:
        if message.type in {"error", "warning"}:
            self._complain(message.text)

    def _answered(self, response: "Response") -> None:
        if response.status >= 400:
            self._complain(f"{response.status} {response.url}")

    def _failed(self, request: "Request") -> None:
        # The browser aborts polling when an answer is sent, and icons when it leaves the page.
        if not (request.method == "GET" and request.failure == "net::ERR_ABORTED"):
            self._complain(f"{request.method} {request.url} {request.failure}")

    def _listen(self, socket: Any) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(frame))
        socket.on("framesent", lambda frame: self.spoken.append(frame))
        socket.on("socketerror", lambda error: self._complain(f"socket: {error}"))


@contextlib.contextmanager
def watched(browser: "Browser", site: Any, **options: Any) -> Iterator[Witness]:
    """A page of this site in a context of its own; `options` are Playwright's."""
    context = browser.new_context(base_url=site.url, **options)
    context.add_init_script(OBSERVE)
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield Witness(page)
    context.close()
