"""Practice tables for the tests: Ann, Bob and Cyd at alice's device."""

from collections.abc import Iterable
from random import Random
from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby.game_terms import GameTerms
from games.lobby.open_seats import PracticePlayer
from games.lobby.practice_table import start_practice
from games.models import Game, Seat
from games.play.play_move import play_move

PEOPLE = ("Ann", "Bob", "Cyd")


def practise(
    host: User, *computers: str, people: Iterable[str] = PEOPLE, system: str = "acquire", **terms: Any
) -> Game:
    """Start a practice table of these people and bot levels."""
    preset = {"acquire": "avalon-hill", "acquisition": "standard"}[system]
    usual: dict[str, Any] = {"system": system, "preset": preset, "least": 2, "most": 2, "skips": False}
    players: list[PracticePlayer | str] = [*map(PracticePlayer, people), *computers]
    return start_practice(host=host, terms=GameTerms(**{**usual, **terms}), players=players)


def device_of(user: User) -> Client:
    """Return a browser in which the user is logged in."""
    client = Client()
    client.force_login(user)
    return client


def fresh(game: Game) -> Game:
    return Game.with_secrets.get(pk=game.pk)


def who_decides(game: Game) -> Seat:
    game = fresh(game)
    return game.seats.get(number=game.seat_to_move)


def open_hand(device: Client, game: Game) -> Any:
    """Open the hand of the player to decide."""
    address = reverse("hand", args=[game.public_id])
    return device.post(address, {"seat": who_decides(game).number})


def any_move(game: Game) -> str:
    game = fresh(game)
    state = game.rule_system.state_from_json(game.state)
    return str(Random(game.version).choice(game.rule_system.legal_moves(state)))


def decide(game: Game, move: str = "") -> Game:
    """Make a move for the player to decide, as the host or the bot."""
    seat = who_decides(game)
    by = None if seat.is_bot_playing else fresh(game).host
    number = fresh(game).version + 1
    play_move(game_id=game.pk, number=number, seat=seat.number, text=move or any_move(game), by=by)
    return fresh(game)


def play_until(game: Game, wanted: Any, most: int = 400) -> Game:
    """Play until `wanted(game)` holds; fail if it never does."""
    for _ in range(most):
        game = fresh(game)
        if wanted(game):
            return game
        assert game.seat_to_move is not None, "The game was over before."
        game = decide(game)
    raise AssertionError("The game does not come to it.")
