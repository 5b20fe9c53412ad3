"""Confirmation of moves, by a page without scripts, for members who want it."""

import pytest
from django.urls import reverse

from accounts.models import User
from games.models import Game
from tests.engine.rules.acquire.acquire_positions import position
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import play_on, put


def sent(game: Game, user: User, **data: str) -> str:
    """Return the page that answers a move."""
    client = client_of(user)
    answer = client.post(reverse("move", args=[game.public_id, game.version + 1]), data, follow=True)
    return answer.content.decode()


def asked_for(kind: str, game: Game) -> tuple[Game, User]:
    """Play on until this kind of decision is asked; return the game and the user."""
    while game.decision_kind != kind:
        game = play_on(game, 1, seed=game.version)
    return game, game.seats.get(number=game.seat_to_move).user


@pytest.mark.parametrize(
    ("kind", "move", "question"),
    [("place", "", "Confirm: place"), ("buy", "buy nothing", "Confirm: buy nothing")],
)
def test_member_who_confirms_every_move_is_asked(
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


def test_member_who_confirms_tiles_buys_without_being_asked(start, alice: User, bob: User) -> None:
    User.objects.update(confirm_placing=True)
    game, user = asked_for("buy", start(alice, bob))
    assert "Confirm:" not in sent(game, user, move="buy nothing")
    assert Game.objects.get(pk=game.pk).version > game.version


def test_invalid_move_is_refused_without_being_asked(start, alice: User, bob: User) -> None:
    User.objects.update(confirm_sending=True)
    game, user = asked_for("place", start(alice, bob))
    assert wording.NOT_A_VALID_MOVE in sent(game, user, move="place 99Z")


def before_the_end() -> object:
    """A position in which the first seat may declare the end."""
    return position({"tower": "1A-12A", "american": "1C-11C"}, decision="buy 0", hands=["", ""])


def test_everybody_confirms_an_end_without_a_purchase(start, alice: User, bob: User) -> None:
    game = put(start(alice, bob), before_the_end())
    user = game.seats.get(number=0).user
    asked = sent(game, user, kind="buy", nothing="1", end="1")
    assert "Confirm: buy nothing and end the game" in asked
    assert "#display" not in asked, "it is not a setting of theirs"
    assert Game.objects.get(pk=game.pk).is_running
    sent(game, user, kind="buy", nothing="1", end="1", sure="1")
    assert Game.objects.get(pk=game.pk).is_finished


@pytest.mark.parametrize("move", ["buy nothing", "buy 1 tower and end"])
def test_nobody_confirms_another_purchase(move: str, start, alice: User, bob: User) -> None:
    game = put(start(alice, bob), before_the_end())
    assert "Confirm:" not in sent(game, game.seats.get(number=0).user, move=move)
    assert Game.objects.get(pk=game.pk).version == game.version + 1
