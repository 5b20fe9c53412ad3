"""Asking once more before a move is sent, of members who wish so: without a script, by a page."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game
from tests.support.games import play_on


def sent(game: Game, user: User, **data: str) -> str:
    """The page that answers a posted move."""
    client = Client()
    client.force_login(user)
    answer = client.post(reverse("move", args=[game.public_id, game.version + 1]), data, follow=True)
    return answer.content.decode()


def asked_for(kind: str, game: Game) -> tuple[Game, User]:
    """The game once this kind of decision is asked, and of whom."""
    while game.decision_kind != kind:
        game = play_on(game, 1, seed=game.version)
    return game, game.seats.get(number=game.seat_to_move).user


@pytest.mark.parametrize(
    ("kind", "move", "question"),
    [("place", "", "Really place"), ("buy", "buy nothing", "Really buy nothing?")],
)
def test_whoever_wishes_to_confirm_every_move_is_asked(
    kind: str, move: str, question: str, start, alice: User, bob: User
) -> None:
    User.objects.update(confirm_sending=True)
    game, user = asked_for(kind, start(alice, bob))
    move = move or str(first_move(game))
    assert question in sent(game, user, move=move)
    assert Game.objects.get(pk=game.pk).version == game.version
    sent(game, user, move=move, sure="1")
    assert Game.objects.get(pk=game.pk).version > game.version


def first_move(game: Game) -> object:
    game = Game.with_secrets.get(pk=game.pk)
    return game.rule_system.legal_moves(game.rule_system.state_from_json(game.state))[0]


def test_whoever_wishes_to_confirm_tiles_buys_without_a_question(start, alice: User, bob: User) -> None:
    User.objects.update(confirm_placing=True)
    game, user = asked_for("buy", start(alice, bob))
    assert "Really" not in sent(game, user, move="buy nothing")
    assert Game.objects.get(pk=game.pk).version > game.version


def test_what_is_no_move_is_refused_without_a_question(start, alice: User, bob: User) -> None:
    User.objects.update(confirm_sending=True)
    game, user = asked_for("place", start(alice, bob))
    assert "This is no move of Acquire." in sent(game, user, move="place 99Z")
