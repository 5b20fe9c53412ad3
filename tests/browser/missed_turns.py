"""A table at which turns were played while one of its players was away."""

from typing import TYPE_CHECKING

from tests.support.open_tables import Opener, prepare
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page


def missed(
    open_table: Opener, site: PlayedSite, name: str, play: str = "play_turns", **options: object
) -> "Page":
    """The page of a player who comes back after some turns, and is asked for a tile."""
    game = prepare(site, __name__, name)
    page = open_table(game, 2, **options)
    page.goto("/")
    call = f"{play}({game.address.strip('/').split('/')[-1]!r})"
    site.shell(f"from {__name__} import {play}; {call}")
    page.goto(game.address)
    return page


# -- Inside the site -------------------------------------------------------------------------------


def main(name: str) -> None:
    """Create a game of three people inside the site and print it for `prepare`."""
    from accounts.models import User
    from games.lobby.game_start import start_game
    from tests.support.merger_game import SEATED
    from tests.support.open_tables import print_game

    people = [User.objects.create_user(f"{name}-{seat}") for seat in range(3)]
    game = start_game(
        system="acquire", preset="classic", host=people[0], players=people, options=SEATED, skips=False
    )
    print_game(game, people)


def play_turns(public_id: str) -> None:
    """Play inside the site until the third player is asked for a tile: at least four turns are missed."""
    from games.models import Game
    from tests.support.games import play_on

    game = play_on(Game.objects.get(public_id=public_id), 3)
    while (game.seat_to_move, game.decision_kind) != (2, "place"):
        game = play_on(game, 1, seed=game.version)


def play_whole_game(public_id: str) -> None:
    """Play inside the site until the game is over."""
    from games.models import Game
    from tests.support.games import play_to_the_end

    play_to_the_end(Game.objects.get(public_id=public_id))
