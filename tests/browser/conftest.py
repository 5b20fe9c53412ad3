"""Fixtures of tests in browsers."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.support.browser_person import Player
from tests.support.open_tables import PHONE, Game, Opener, free_names
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


_BEGAN = pytest.StashKey[datetime]()


@pytest.fixture(autouse=True)
def chosen_names_are_free(request: pytest.FixtureRequest) -> None:
    """A test that is run again meets none of the accounts that its earlier run created."""
    stash = request.node.stash
    if _BEGAN in stash:
        free_names(request.getfixturevalue("played_site"), stash[_BEGAN])
    else:
        stash[_BEGAN] = datetime.now(UTC)


@pytest.fixture
def player(browser: "Browser", played_site: PlayedSite) -> Iterator[Callable[..., Player]]:
    """A function that creates visitors and members, each with a browser; no page may fail."""
    players: list[Player] = []

    def player(name: str = "", **options: object) -> Player:
        players.append(Player(browser, played_site, **options))
        if name:
            players[-1].become_a_member(name)
        return players[-1]

    yield player
    for one in players:
        assert one.page.evaluate("window.violations") == []
        assert one.faults == []
        one.context.close()


@pytest.fixture
def open_table(browser: "Browser", played_site: PlayedSite) -> Iterator[Opener]:
    """A function that opens the table of a game from a seat, on a phone; scripts must not fail."""
    contexts = []
    faults: list[str] = []

    def open_table(game: Game, seat: int, **options: object) -> "Page":
        context = browser.new_context(base_url=played_site.url, viewport=PHONE, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(30_000)
        cookie = {"name": "sessionid", "value": game.sessions[seat], "url": played_site.url}
        context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(game.address)
        return page

    yield open_table
    for context in contexts:
        context.close()
    assert faults == []
