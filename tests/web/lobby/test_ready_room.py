"""The ready check in the waiting room."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.lobby import ready_check
from games.lobby.join_game import join
from games.models import Game
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.web.lobby.test_lobby_pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(create: NewGame, alice: User, bob: User) -> Game:
    """A live game that alice has opened and bob has filled."""
    game = create(alice, least=2, most=2, start=Game.Start.FULL, pace=30, bank=180)
    return join(game_id=game.pk, user=bob)


def page(user: User | None, game: Game) -> str:
    client = client_of(user) if user else Client()
    return client.get(game.get_absolute_url()).content.decode()


def test_room_asks_players_who_have_not_answered(game: Game, alice: User, bob: User) -> None:
    assert reverse("ready", args=[game.public_id]) in page(alice, game)
    assert "data-my-turn" in page(alice, game)
    for reader in (bob, None):
        assert "Waiting for an answer from alice." in " ".join(page(reader, game).split())
        assert "data-my-turn" not in page(reader, game)


def test_room_marks_who_is_ready(game: Game, alice: User) -> None:
    assert re.findall(r"(\w+)(?:(?!<li>).)*?>Ready</span>", page(alice, game), re.DOTALL)
    assert text_of(client_of(alice).get(game.get_absolute_url())).count(" Ready ") == 1


def test_host_cannot_start_meanwhile(game: Game, alice: User) -> None:
    assert "Start game" not in page(alice, game)


def test_answer_leads_to_the_table(game: Game, alice: User) -> None:
    answer = client_of(alice).post(reverse("ready", args=[game.public_id]), follow=True)
    assert answer.redirect_chain[-1][0] == game.get_absolute_url()
    game.refresh_from_db()
    assert game.is_running


def test_room_says_why_the_seat_is_lost(game: Game, alice: User) -> None:
    Game.objects.filter(pk=game.pk).update(ready_by=timezone.now() - timedelta(seconds=1))
    ready_check.settle(game.pk)
    lost = "You did not say in time that you were ready, so you lost your seat."
    room = client_of(alice).get(reverse("room", args=[game.public_id])).content.decode()
    assert lost in room and reverse("join", args=[game.public_id]) in room
    join(game_id=game.pk, user=alice)
    assert lost not in page(alice, game)


def test_late_answer_is_refused_in_the_room(game: Game, alice: User) -> None:
    Game.objects.filter(pk=game.pk).update(ready_by=timezone.now() - timedelta(seconds=1))
    ready_check.settle(game.pk)
    assert client_of(alice).post(reverse("ready", args=[game.public_id])).status_code == 403


def test_every_page_tells_who_is_asked(game: Game, alice: User, bob: User) -> None:
    client = client_of(alice)
    assert "1 game needs your move" in text_of(client.get(reverse("new-game")))
    assert client.get(reverse("next-game"))["Location"] == game.get_absolute_url()
    assert "needs your move" not in page(alice, game)
    assert "needs your move" not in text_of(client_of(bob).get(reverse("new-game")))


def test_table_of_another_game_tells_who_is_asked(start: NewGame, game: Game, alice: User, bob: User) -> None:
    table = start(alice, bob)
    assert "1 other game needs your move" in text_of(client_of(alice).get(table.get_absolute_url()))
    assert "other game needs your move" not in text_of(client_of(bob).get(table.get_absolute_url()))


def test_lobby_asks_who_has_not_answered(game: Game, alice: User, bob: User) -> None:
    assert "Say you’re ready" in text_of(client_of(alice).get("/"))
    assert "Say you’re ready" not in text_of(client_of(bob).get("/"))


def test_list_says_that_everyone_is_asked(game: Game, bob: User) -> None:
    assert "Starts when everyone is ready" in text_of(client_of(bob).get("/"))
