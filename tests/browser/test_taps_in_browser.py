"""A whole game on a phone takes few taps."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import OVER, version, wait_for
from tests.support import wording
from tests.support.armed_buttons import wait_until_armed
from tests.support.browser_person import Player
from tests.support.page_checks import PHONE
from tests.support.played_site import PlayedSite, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

# From the home page to the final standings.
MOST_TAPS = 60


class Thumb:
    """A thumb that plays a game and counts its taps."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.taps: dict[str, int] = {}

    def tap(self, what: "Locator", step: str) -> None:
        wait_until_armed(self.page)
        what.tap()
        self.count(step)

    def choose(self, name: str, value: str) -> None:
        """Choose from a list, which a phone shows at the first tap."""
        self.page.locator(f"select[name={name}]").select_option(value)
        self.count("start", 2)

    def count(self, step: str, taps: int = 1) -> None:
        self.taps[step] = self.taps.get(step, 0) + taps

    def start(self) -> None:
        """Start a game of six from the home page."""
        self.page.goto("/")
        self.page.locator("summary", has_text=wording.RULES_AND_COMPUTERS).tap()
        self.choose("level", "easy")
        self.choose("opponents", "5")
        self.page.locator("#play-acquire button[type=submit]").first.tap()
        self.count("start", 2)
        self.page.wait_for_url("**/games/*/")

    def play(self) -> None:
        """Place the first tile, buy as much as possible of the first chain, sell in mergers, end soon."""
        decisions = {
            "place": self.place,
            "buy": self.buy,
            "dispose": self.dispose,
            "stuck": self.first_button,
        }
        while self.is_asked():
            before = version(self.page)
            kind = self.page.locator("#decision [name=kind]").get_attribute("value") or ""
            decisions.get(kind, self.choose_chain)()
            wait_for(self.page, lambda before=before: version(self.page) > before, f"an answer to {kind}", 60)

    def is_asked(self) -> bool:
        """Wait for the next decision; false at the end."""
        asked, over = self.page.locator("#decision"), self.page.locator(OVER)
        wait_for(self.page, lambda: asked.count() or over.count(), "my turn", seconds=180)
        return over.count() == 0

    def place(self) -> None:
        self.tap(self.page.locator("label.tile").first, "tile")
        self.send()

    def buy(self) -> None:
        ending = self.page.locator("#end")
        if ending.count():
            self.tap(ending, "end")
        row = self.page.locator(".market tbody tr:has(.number-stepper)").first
        if row.count():
            self.tap(row.locator(".chain"), "row")
        if self.page.locator("[data-go]:enabled").count():
            self.send()
        else:
            self.buy_nothing()

    def buy_nothing(self) -> None:
        """Press the button once, or again if it asks for that."""
        before, nothing = version(self.page), self.page.locator("[data-nothing]")
        words = nothing.all_inner_texts()
        self.tap(nothing, "nothing")
        wait_for(
            self.page,
            lambda: version(self.page) > before or nothing.all_inner_texts() != words,
            "an answer to nothing",
        )
        if version(self.page) == before:
            self.tap(nothing, "sure")

    def dispose(self) -> None:
        self.tap(self.page.locator("label.way.sell"), "sell")
        self.send()

    def choose_chain(self) -> None:
        self.tap(self.page.locator(".choices label").first, "chain")
        self.send()

    def first_button(self) -> None:
        self.tap(self.page.locator("#decision button[name=move]").first, "stuck")

    def send(self) -> None:
        self.tap(self.page.locator("[data-go]"), "send")


@pytest.fixture(scope="module")
def played_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site of its own, whose first game is always dealt alike."""
    with play(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def phone(browser: "Browser", played_site: PlayedSite) -> "Player":
    return Player(browser, played_site, viewport=PHONE, has_touch=True, is_mobile=True)


@pytest.mark.proof
def test_whole_game_of_six_takes_few_taps(phone: Player) -> None:
    thumb = Thumb(phone.page)
    thumb.start()
    thumb.play()
    total = sum(thumb.taps.values())
    print(f"{total} taps: {thumb.taps}")
    assert total <= MOST_TAPS, thumb.taps
    assert phone.faults == []
    phone.context.close()
