"""A whole game of Acquisition: two people, one of them by keyboard alone, and two bots."""

from collections.abc import Iterator
from random import Random
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.page_player import Player, version, wait_for
from tests.browser.page_recorder import watched
from tests.site.site_record import improper
from tests.support import wording
from tests.support.armed_buttons import press, wait_until_armed
from tests.support.browser_person import Person, unfold
from tests.support.open_tables import PHONE, fits
from tests.support.played_site import PlayedSite, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

PERMISSION = "Whoever designed it, for this test"
TILES = 14

# True if every square of the board stands in the column and the row of its name.
IN_PLACE = """() => {
    const squares = [...document.querySelectorAll(".board .square")];
    const boxes = squares.map(square => square.getBoundingClientRect());
    const size = boxes[1].left - boxes[0].left;
    const near = (place, number, first) => Math.abs(place - first - number * size) < size / 2;
    return squares.length === 144 && squares.every(({dataset}, at) =>
        near(boxes[at].left, +dataset.column, boxes[0].left)
        && near(boxes[at].top, +dataset.row, boxes[0].top));
}"""


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A running site that offers Acquisition."""
    with play(tmp_path_factory.mktemp("city"), ACQUISITION_PERMISSION=PERMISSION) as site:
        yield site


class Builder(Player):
    """A player of Acquisition, by mouse or finger."""

    def answer(self) -> str:
        before, kind = version(self.page), self.kind
        if kind == "buyout":
            self.decide()
        else:
            square = self.rng.choice(list(self.choices))
            self.choose_square(square)
            assert self.page.locator("[data-go]").inner_text() == self.choices[square]["label"]
            self.send()
        wait_for(self.page, lambda: version(self.page) > before, f"an answer to {kind}")
        return kind

    def decide(self) -> None:
        press(self.page.locator("#decision button[name=move]").nth(self.rng.randrange(2)))

    def choose_square(self, square: str) -> None:
        self.page.locator(f"#square-{square}").click()


class Typist(Builder):
    """A player of Acquisition by keyboard alone."""

    def decide(self) -> None:
        self.tab_to("#decision button[name=move]")
        if self.rng.random() < 0.5:
            self.page.keyboard.press("Tab")
        wait_until_armed(self.page)
        self.page.keyboard.press("Enter")

    def choose_square(self, square: str) -> None:
        self.tab_to(".board .square")
        column, row = (int(self.active(name)) for name in ("data-column", "data-row"))
        goal_column, goal_row = "abcdefghijkl".index(square[0]), int(square[1:]) - 1
        for by, more, less in (
            (goal_column - column, "ArrowRight", "ArrowLeft"),
            (goal_row - row, "ArrowDown", "ArrowUp"),
        ):
            for _ in range(abs(by)):
                self.page.keyboard.press(more if by > 0 else less)
        self.page.keyboard.press("Enter")

    def send(self) -> None:
        self.tab_to("[data-go]")
        wait_until_armed(self.page)
        self.page.keyboard.press("Enter")

    def tab_to(self, selector: str) -> None:
        for _ in range(60):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"No way to {selector} by keyboard on {self.page.url}")

    def active(self, name: str) -> str:
        return self.page.evaluate("name => document.activeElement.getAttribute(name)", name)


@pytest.fixture(scope="module")
def players(browser: "Browser", city: PlayedSite) -> Iterator[list[Any]]:
    """Both people at the end of the game, and the kinds of their answers."""
    ann = Person(browser, city, viewport={"width": 1280, "height": 800})
    ben = Person(browser, city, viewport={"width": 360, "height": 740})
    for person, name in ((ann, "ann"), (ben, "ben")):
        # Names are new each time, because a second run of this module uses the same site.
        person.sign_up(f"{name}-{token_hex(4)}")
        person.page.wait_for_url(f"{city.url}/")
    page = ann.page
    page.goto(f"{city.url}/games/new/")
    page.get_by_role("navigation", name="Game").get_by_role("link", name="Acquisition").click()
    unfold(page)
    page.locator("[name=option_tiles]").select_option(str(TILES))
    page.locator("[name=least]").select_option("4")
    page.locator("[name=seat_1]").select_option("medium")
    page.locator("[name=seat_2]").select_option("random")
    page.get_by_role("button", name=wording.CREATE_GAME).click()
    ben.page.goto(page.url)
    ben.page.get_by_role("button", name=wording.JOIN_GAME).click()
    table = [Typist(ann.page, Random(1)), Builder(ben.page, Random(2))]
    kinds: list[str] = []
    for player in table:
        player.page.locator("[data-version]").wait_for()
    while not all(player.is_over for player in table):
        for player in table:
            if player.is_asked:
                assert player.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
                assert player.page.evaluate(IN_PLACE), player.kind
                kinds.append(player.answer())
        ann.page.wait_for_timeout(20)
    yield [ann, ben, kinds]
    for person in (ann, ben):
        person.context.close()


def test_both_placed_parks_and_tiles(players: list[Any]) -> None:
    kinds = players[2]
    assert kinds.count("park") == 2
    assert kinds.count("place") > 10


def test_both_see_same_standings(players: list[Any]) -> None:
    # The ratings appear later, in a table of their own.
    final = f"section:has-text('{wording.FINAL_STANDINGS}') .standings"
    texts = [
        person.page.locator(f"{final} td.n, {final} td:first-child").all_inner_texts()
        for person in players[:2]
    ]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 4 * 4
    assert players[0].page.locator("#headline").inner_text()


def test_every_page_credits_designer(players: list[Any], city: PlayedSite) -> None:
    page = players[0].page.context.new_page()
    game = players[0].page.url
    about = f"{city.url}/about/acquisition/"
    addresses = [
        game,
        f"{game}log/",
        f"{game}deal/",
        f"{game}rules/",
        f"{city.url}/rules/acquisition/",
        about,
    ]
    for address in addresses:
        page.goto(address)
        assert "Phil Leduc" in page.locator("body").inner_text(), address
    assert PERMISSION in page.locator("main").inner_text()


def test_pages_and_log_have_no_errors(players: list[Any], city: PlayedSite) -> None:
    for person in players[:2]:
        assert person.page.evaluate("window.violations") == []
        assert person.faults == []
    assert improper(city) == []


def test_game_replays_from_seed(players: list[Any], city: PlayedSite) -> None:
    assert city.manage("check_games").endswith(", 0 differ\n")


def test_keys_are_listed_and_can_be_switched_off(browser: "Browser", city: PlayedSite) -> None:
    with watched(browser, city, viewport=PHONE) as witness:
        page = witness.page
        page.goto("/")
        page.get_by_role("button", name=f"{wording.PLAY_NOW}: Acquisition").click()
        page.wait_for_url("**/games/*/")
        Player(page, Random(4)).wait()
        page.locator("#table-menu > summary").click()
        page.get_by_role("button", name="Keys").click()
        listed = page.locator("#legend kbd").all_inner_texts()
        assert listed == ["←", "→", "↑", "↓", "Enter", "Tab", "1", "3", "Esc", "J", "?"]
        fits(page)
        page.keyboard.press("Escape")
        log = page.locator("[role=tab][data-panel=log]:visible")
        page.keyboard.press("2")
        assert log.get_attribute("aria-selected") == "true"
        page.keyboard.press("?")
        page.get_by_label("Use single letters and digits as keys").uncheck()
        page.keyboard.press("Escape")
        page.keyboard.press("1")
        assert log.get_attribute("aria-selected") == "true"
        assert witness.complaints == []


def test_square_is_button_without_script(browser: "Browser", city: PlayedSite) -> None:
    with watched(browser, city, java_script_enabled=False) as witness:
        page = witness.page
        page.goto("/")
        page.get_by_role("button", name=f"{wording.PLAY_NOW}: Acquisition").click()
        page.wait_for_url("**/games/*/")
        player = Player(page, Random(3), scripts=False)
        kinds = []
        while len(kinds) < 4:
            player.wait()
            before, kind = version(page), player.kind
            if kind == "buyout":
                page.locator("#decision button[name=move]").first.click()
            else:
                page.locator("button.square[data-choose]").nth(player.rng.randrange(40)).click()
            assert version(page) > before
            kinds.append(kind)
        assert kinds[0] == "park"
        assert "place" in kinds
        assert witness.complaints == []
