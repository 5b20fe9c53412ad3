"""A team game in browsers: its form, the teams, the marks at the table, and the team that wins."""

import re
from collections.abc import Callable
from random import Random

from tests.browser.live_pages import asked
from tests.browser.page_player import Player as TablePlayer
from tests.support import wording
from tests.support.browser_person import Player
from tests.support.open_tables import fits
from tests.support.played_site import PlayedSite


def bring_to_the_end(site: PlayedSite, public_id: str) -> None:
    """Let the host of the game decide on its last purchase."""
    site.shell(f"from {__name__} import main; main({public_id!r})")


# -- Inside the site ---------------------------------------------------------------------------------


def main(public_id: str) -> None:
    """Put the game where its host may end it: the richest player is an opponent, whose team has less."""
    from games.models import Game
    from tests.engine.rules.acquire.acquire_positions import position
    from tests.support.games import put

    game = Game.with_secrets.get(public_id=public_id)
    host = game.seats.get(user=game.host)
    rival = next(seat for seat in game.seats.exclude(user=None) if seat != host)
    cash = [6000] * 4
    cash[host.number], cash[rival.number] = 7000, 9000
    cash[(rival.number + 2) % 4] = 1000
    put(
        game,
        position(
            {"tower": "1A-12A"},
            rules="avalon-hill teams=two",
            hands=["5I", "12H", "12I", "12G"],
            cash=cash,
            shares={"tower": [7, 6, 6, 6]},
            turn=host.number,
            decision=f"buy {host.number}",
        ),
    )


# -- The players ---------------------------------------------------------------------------------------


def test_team_with_the_most_money_wins(player: Callable[..., Player], played_site: PlayedSite) -> None:
    host, rival = player("tia"), player("tom")
    address = host.open_game(
        teams="two", most="4", seat_2="random", seat_3="random", start="full", name="Pairs"
    )
    host.page.get_by_role("heading", name="Team 1").wait_for()
    fits(host.page)

    rival.page.goto(address)
    assert rival.page.get_by_role("button", name="Join Team 1").count() == 0
    fits(rival.page)
    rival.press("Join Team 2")
    asked([host.page, rival.page])  # until then computers move

    bring_to_the_end(played_site, re.split("/", address.rstrip("/"))[-1])
    for one in (host, rival):
        one.page.goto(address)
        one.page.locator(".stocks .teams").wait_for()
        fits(one.page)
    TablePlayer(host.page, Random(1)).answer()
    host.page.get_by_text("Your team won by").first.wait_for()
    rival.page.reload()
    rival.page.get_by_text("Your team is second").first.wait_for()
    steps = host.page.locator(".podium li")
    assert steps.count() == 2
    assert "tia" in steps.nth(0).inner_text() and "tom" in steps.nth(1).inner_text()
    assert wording.JOIN_GAME not in rival.page.content()
    fits(host.page)
