"""The page of live games moves on by itself."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.armed_buttons import press
from tests.support.open_tables import PHONE, Game, Opener, fits, prepare
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

DESK = {"width": 1440, "height": 900}
OpenPage = Callable[..., "Page"]


def main(name: str) -> None:
    """Create two live games inside the site and print the second, of the better players, for `prepare`."""
    from django.core.cache import cache

    from accounts.models import User
    from games.lobby.game_start import start_game
    from games.models import Rating
    from tests.support.open_tables import print_game

    people = [User.objects.create_user(f"{name}{number}", time_zone="UTC") for number in range(3)]
    columns = {"sigma": 5, "games": 20, "wins": 9, "standing": 20, "ranked": True}
    Rating.objects.create(user=people[2], system="acquire", mu=60, **columns)
    for pair in (people[:2], people[1:]):
        game = start_game(
            system="acquire",
            preset="classic",
            host=pair[0],
            players=pair,
            pace=120,
            bank=3600,
            cap=3600,
            visibility="public",
        )
    cache.clear()
    asked = game.waiting_for
    print_game(game, sorted(pair, key=lambda user: user != asked))


@pytest.fixture
def open_page(browser: "Browser", played_site: PlayedSite) -> Iterator[OpenPage]:
    """A function that opens the page as a stranger; nothing may be reported in the console."""
    contexts = []
    faults: list[str] = []

    def open_page(**options: object) -> "Page":
        context = browser.new_context(base_url=played_site.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: said.type == "error" and faults.append(said.text))
        page.goto("/watch/live/")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def place(game: Game) -> str:
    """The selector of the card of a game."""
    return f"#live-{game.address.strip('/').split('/')[-1]}"


def board(card: "Locator") -> str:
    return card.locator(".shapes").inner_html()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_move_at_a_table_moves_its_board_on_the_page(
    open_page: OpenPage, open_table: Opener, played_site: PlayedSite, size: dict[str, int]
) -> None:
    game = prepare(played_site, __name__, f"mover{size['width']}")
    page, table = open_page(viewport=size), open_table(game, 0)
    card, other = page.locator(place(game)), page.locator(f".live-game:not({place(game)})").first
    fits(page)
    before, still = board(card), board(other)
    table.locator("label.tile").first.click()
    press(table.locator("form#decision button[type=submit]").first)
    page.wait_for_function(
        "([place, before]) => document.querySelector(`${place} .shapes`).innerHTML !== before",
        arg=[place(game), before],
    )
    assert board(other) == still
    fits(page)


def test_clock_ticks_and_the_title_leads_to_the_table(open_page: OpenPage, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "ticker")
    page = open_page(viewport=DESK)
    clock = page.locator(f"{place(game)} [data-clock-ends]")
    first = clock.inner_text()
    page.wait_for_function(
        "([place, first]) => document.querySelector(`${place} [data-clock-ends]`).textContent !== first",
        arg=[place(game), first],
        timeout=5000,
    )
    page.locator(f"{place(game)} h2 a").click()
    page.wait_for_url(f"**{game.address}")
    page.locator(".strip").wait_for()
    assert page.locator("form#decision").count() == 0
