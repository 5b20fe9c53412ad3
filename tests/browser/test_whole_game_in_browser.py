"""One whole game from "Play now" to the standings, with a visitor watching."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from tests.browser.page_player import OVER, Player, version, wait_for
from tests.browser.page_recorder import Witness, watched
from tests.site.site_record import improper, rows

pytestmark = [pytest.mark.without_services, pytest.mark.long]

# Seconds in which a tick certainly arrives, but fewer than a page waits before it polls.
PROMPT = 15


@dataclass
class Played:
    """A finished game, as recorded on its player's page and on a visitor's page.

    kinds    kinds of the decisions that the player answered, in order
    secrets  texts on the visitor's page that only a player may see
    """

    mine: Witness
    strangers: Witness
    public_id: str = ""
    kinds: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)

    @property
    def pages(self) -> list[Any]:
        return [self.mine.page, self.strangers.page]


@pytest.fixture(scope="module")
def game(browser, played_site, log_start):
    """A game of a guest against five bots; the visitor's page must follow every turn."""
    with watched(browser, played_site) as mine, watched(browser, played_site) as strangers:
        game = Played(mine, strangers)
        player = Player(mine.page, Random(1))
        player.start(opponents="5", level="random")
        game.public_id = mine.page.url.split("/")[-2]
        strangers.page.goto(mine.page.url)
        player.wait()
        while not player.is_over:
            follow(strangers.page, version(mine.page))
            game.secrets += strangers.page.locator("#decision, .hand, #table .mine").all_inner_texts()
            game.kinds.append(player.answer())
            player.wait()
        strangers.page.locator(OVER).wait_for(timeout=1000 * PROMPT)
        yield game


def follow(page, number):
    """Wait until the page shows this or a later version without a reload."""
    wait_for(page, lambda: version(page) >= number, f"version {number}", seconds=PROMPT)


def test_player_placed_and_bought(game):
    assert game.kinds.count("place") > 5
    assert game.kinds.count("buy") > 5


def test_both_pages_show_same_end(game, played_site):
    stored = rows(played_site, "SELECT version FROM games_game WHERE public_id = ?", game.public_id)
    assert [(version(page),) for page in game.pages] == stored * 2
    mine, strangers = (page.locator(f"{OVER} :is(.step, .score)").all_inner_texts() for page in game.pages)
    assert mine == strangers
    assert mine[0].split()[-1] == "1"
    assert len(mine) == 2 * 6


def test_no_page_was_reloaded(game):
    assert game.mine.loads == 2  # the lobby, and the game
    assert game.strangers.loads == 1


def test_visitor_saw_no_tiles(game):
    assert game.secrets == []


def test_pages_have_no_errors(game):
    assert game.mine.complaints == []
    assert game.strangers.complaints == []


def test_sockets_carry_ticks_only(game):
    for witness in (game.mine, game.strangers):
        # A page tells whether it is visible, and nothing about the game.
        assert set(witness.spoken) <= {'{"visible":true}', '{"visible":false}'}
        assert {tuple(tick) for tick in witness.ticks} == {("game", "version")}
        assert {tick["game"] for tick in witness.ticks} == {game.public_id}


def test_site_log_names_no_error_tile_or_seed(game, played_site, log_start):
    assert improper(played_site, since=log_start) == []


def test_game_replays_from_seed(game, played_site):
    assert played_site.manage("check_games", game.public_id).endswith(" moves replayed, 0 differ\n")


def test_deal_can_be_verified_on_its_page(game, played_site):
    page = game.strangers.page.context.new_page()
    page.goto(game.mine.page.url)
    [(seed,)] = rows(played_site, "SELECT seed FROM games_game WHERE public_id = ?", game.public_id)
    page.locator("#table-menu > summary").click()
    page.get_by_role("link", name="Check the deal").click()
    page.get_by_text(bytes(seed).hex(), exact=True).wait_for()
