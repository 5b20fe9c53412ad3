"""The tick of a player's own move comes before the answer to it, and asks for nothing more."""

import json
from random import Random
from typing import TYPE_CHECKING

from tests.browser.page_player import Player, version, wait_for
from tests.browser.turn_positions import game_at
from tests.support.armed_buttons import press
from tests.support.open_tables import Game, Opener, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Page, Route

# After this time a page has asked for what may have come while its socket opened.
SETTLED = 2500


class LateAnswer:
    """A page whose answer to a move is held back until the tick of the move has come."""

    def __init__(self, open_table: Opener, game: Game) -> None:
        self.page: Page = open_table(game, 0)
        self.held: list[tuple[Route, APIResponse]] = []
        self.ticks: list[int] = []
        self.asked: list[str] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.page.on("request", lambda request: "/table/" in request.url and self.asked.append(request.url))
        self.page.route("**/moves/**", lambda route: self.held.append((route, route.fetch())))
        self.page.reload()
        self.page.wait_for_timeout(SETTLED)

    def _hear(self, frame: str | bytes) -> None:
        self.ticks.append(json.loads(frame)["version"])

    def move(self) -> None:
        """Make the first move of the game."""
        self.page.locator("label.tile", has_text="5I").click()
        press(self.page.locator("[data-go]"))
        wait_for(self.page, lambda: self.held and 1 in self.ticks, "the tick of the move")
        assert version(self.page) == 0

    def hear_answer(self) -> None:
        route, answer = self.held[0]
        route.fulfill(response=answer)


def test_tick_of_own_move_asks_for_nothing(open_table: Opener, played_site: PlayedSite) -> None:
    late = LateAnswer(open_table, game_at(played_site, "calm", "own"))
    late.move()
    late.asked.clear()
    late.hear_answer()
    wait_for_version(late.page, 1)
    late.page.wait_for_timeout(1000)
    assert late.asked == []


def test_tick_of_a_later_move_asks_for_it(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "later")
    late, other = LateAnswer(open_table, game), open_table(game, 0)
    late.move()
    wait_for_version(other, 1)
    Player(other, Random(1)).answer()
    wait_for(late.page, lambda: 2 in late.ticks, "the tick of the next move")
    late.hear_answer()
    wait_for(late.page, lambda: version(late.page) == 2, "the table after the next move", 5)
