"""A player that reads a page and answers through its controls."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from tests.support import wording
from tests.support.armed_buttons import press

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASKED = "#decision"
OVER = ".podium"


def wait_for(page: "Page", condition: Callable[[], object], what: str, seconds: float = 20) -> None:
    """Wait until the condition is true while the page runs; `what` is named after a timeout."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds:.0f} s on {page.url}"
        page.wait_for_timeout(20)


def version(page: "Page") -> int:
    """The version of the game that the page shows."""
    return int(page.locator("[data-version]").get_attribute("data-version"))


@dataclass
class Player:
    """A player at one page.

    `rng` chooses the answers. A page without scripts is reloaded to see changes. `sender` is the button that
    sends the chosen answer, and `asks_again` whether that answer is always confirmed.
    """

    page: "Page"
    rng: Random
    scripts: bool = True
    sender: str = "[data-go]"
    asks_again: bool = False

    @property
    def is_asked(self) -> bool:
        return self.page.locator(ASKED).count() > 0

    @property
    def is_over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    @property
    def kind(self) -> str:
        """The kind of decision that the page asks for."""
        return self.page.locator("#decision [name=kind]").get_attribute("value")

    @property
    def choices(self) -> dict[str, dict[str, str]]:
        """The legal answers with their words, by the values of their fields."""
        return json.loads(self.page.locator("#decision").get_attribute("data-choices"))

    @property
    def fields(self) -> list[str]:
        return self.page.locator("#decision").get_attribute("data-fields").split()

    def start(self, **choices: str) -> None:
        """Start a game from the first page with these rules, opponents or level."""
        page = self.page
        page.goto("/")
        if choices:
            page.locator("summary", has_text=wording.RULES_AND_COMPUTERS).click()
        for name, value in choices.items():
            page.locator(f"select[name={name}]").select_option(value)
        page.locator("#play-acquire button[type=submit]").first.click()
        page.wait_for_url("**/games/*/")

    def wait(self) -> None:
        """Wait until the page asks for something or shows the end."""

        def ready() -> bool:
            if not self.scripts:
                self.page.reload()
            return self.is_asked or self.is_over

        if not (self.is_asked or self.is_over):
            wait_for(self.page, ready, "my turn")

    def answer(self) -> str:
        """Send one of the legal answers, wait for the next table, and return the kind of decision."""
        before, kind = version(self.page), self.kind
        if kind == "stuck":
            press(self.page.locator("#decision button[name=move]").first)
        else:
            self.choose(self.any_answer())
            self.send()
        wait_for(self.page, lambda: version(self.page) > before, f"an answer to {kind}")
        return kind

    def any_answer(self) -> str:
        """The key of a random legal answer; the end of the game is declared as soon as possible."""
        keys = list(self.choices)
        if "end" in self.fields:
            keys = [key for key in keys if key.endswith("1")]
        return self.rng.choice(keys)

    def choose(self, key: str) -> None:
        """Work the controls until the form holds this answer."""
        values = key.split(",") if self.fields else []  # with nothing to buy there are no fields
        answer = dict(zip(self.fields, values, strict=True))
        self.sender = "[data-nothing]" if self._buys_nothing(answer) else "[data-go]"
        self.asks_again = "question" in self.choices[key]
        if not self._choose_whole_answer(key):
            for name, value in answer.items():
                self._set(name, value)
        if self.scripts:
            # The button names the move.
            assert self.page.locator(self.sender).inner_text() == self.choices[key]["label"]

    def send(self) -> None:
        press(self.page.locator(self.sender))
        if self.asks_again and self.scripts:
            press(self.page.locator(self.sender))
        elif self.asks_again:
            self.page.get_by_role("button", name="Confirm").click()

    def _buys_nothing(self, answer: dict[str, str]) -> bool:
        counts = [value for name, value in answer.items() if name != "end"]
        return self.kind == "buy" and bool(answer) and set(counts) <= {"0"}

    def _choose_whole_answer(self, key: str) -> bool:
        """Press the answer that needs no number, or the one that leaves it to the numbers."""
        if not self.page.locator("[data-key]").count():
            return False
        whole = self.page.locator(f"label:has([data-key='{key}'])")
        (whole if whole.count() else self.page.locator("label:has(#way-mix)")).click()
        return whole.count() > 0

    def _set(self, name: str, value: str) -> None:
        page = self.page
        if name == "tile":
            self._choose_tile(value)
        elif name == "chain":
            page.locator(f"label:has(#chain-{value})").click()
        elif name == "end":
            page.locator("#end").set_checked(value == "1")
        elif self.scripts:
            self._step_to(name, int(value))
        elif page.locator(f"#number-{name}").count():
            page.locator(f"#number-{name}").fill(value)

    def _choose_tile(self, tile: str) -> None:
        # Without scripts a click on the board would place the tile at once.
        if self.scripts and self.rng.random() < 0.5:
            self.page.locator(f"#square-{tile}").click()
        else:
            self.page.locator(f"label:has(#tile-{tile})").click()

    def _step_to(self, name: str, value: int) -> None:
        field = self.page.locator(f"#number-{name}")
        if not field.count():
            assert value == 0
            return
        more = self.page.locator(f'[data-for="number-{name}"][data-step]').last
        for _ in range(value):
            if int(field.input_value() or 0) >= value:
                break
            more.click()
        assert int(field.input_value() or 0) == value
