"""The page that finds a live game."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine.bots.bot_levels import BOTS
from games.lobby import live_queue, ready_check
from games.models import Game, QueuedPlayer
from games.players import limits
from games.refusals import TooManyGames
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.web.lobby.test_lobby_pages import text_of

pytestmark = pytest.mark.django_db

WISH = {"pace": "fast", "least": "2", "most": "2", "patience": "60"}


def test_one_press_enters_the_queue(alice: User) -> None:
    client = client_of(alice)
    assert "Look for a game" in text_of(client.get("/live/"))
    said = text_of(client.post("/live/enter/", WISH, follow=True))
    assert "Looking for a live game" in said and "Nobody else is waiting" in said


def test_second_member_is_led_to_the_ready_check_and_so_is_the_first(alice: User, bob: User) -> None:
    client_of(alice).post("/live/enter/", WISH)
    answer = client_of(bob).post("/live/enter/", WISH)
    game = Game.objects.get()
    assert answer["Location"] == game.get_absolute_url()
    news = client_of(alice).get("/live/", headers={"HX-Request": "true"})
    assert news.headers["HX-Redirect"] == game.get_absolute_url()


def test_page_tells_how_many_wait_for_the_same(alice: User, bob: User) -> None:
    client_of(alice).post("/live/enter/", WISH | {"most": "4", "least": "4"})
    client = client_of(bob)
    client.post("/live/enter/", WISH | {"most": "4", "least": "4"})
    assert "1 other player is waiting for a game like this." in text_of(client.get("/live/"))


def test_form_shows_the_last_choices(alice: User) -> None:
    client = client_of(alice)
    client.post("/live/enter/", WISH | {"pace": "evening", "patience": "never"})
    client.post("/live/leave/")
    form = client.get("/live/").context["form"]
    assert (form["pace"].value(), form["patience"].value()) == ("evening", "never")


def test_numbers_in_the_wrong_order_are_refused_and_kept(alice: User) -> None:
    answer = client_of(alice).post("/live/enter/", WISH | {"least": "5"})
    assert answer.status_code == 422
    assert "“At most” is lower than “At least”. Choose a higher number." in text_of(answer)
    assert answer.context["form"]["least"].value() == "5"
    assert not live_queue.waiting().exists()


def test_player_of_a_live_game_gets_a_link_to_it(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"pace": 30, "bank": 180})
    page = client_of(alice).get("/live/").content.decode()
    assert game.get_absolute_url() in page and "Look for a game" not in page
    assert client_of(alice).post("/live/enter/", WISH).status_code == 409


def test_computers_are_offered_and_accepted(alice: User) -> None:
    client = client_of(alice)
    client.post("/live/enter/", WISH)
    QueuedPlayer.objects.update(offer_at=QueuedPlayer.objects.get().since)
    page = text_of(client.get("/live/"))
    assert "Play with computer players?" in page
    for bot in BOTS["acquire"].values():
        assert bot.character in page
    assert "a few seconds over a move" in page
    answer = client.post("/live/computers/", {"level": "easy"})
    assert answer["Location"] == Game.objects.get(status=Game.Status.RUNNING).get_absolute_url()


def test_unchanged_page_is_not_sent_again(alice: User) -> None:
    client = client_of(alice)
    client.post("/live/enter/", WISH)
    seen = client.get("/live/").context["seen"]
    assert client.get(f"/live/?seen={seen}", headers={"HX-Request": "true"}).status_code == 204


def test_missed_check_leads_those_who_answered_back_and_tells_the_other(alice: User, bob: User) -> None:
    for user in (alice, bob):
        client_of(user).post("/live/enter/", WISH)
    game = Game.objects.get()
    ready_check.answer(game_id=game.pk, user=alice)
    Game.objects.update(ready_by=timezone.now())
    ready_check.settle(game.pk)
    news = client_of(alice).get(reverse("room", args=[game.public_id]))
    assert news.headers["HX-Redirect"] == "/live/"
    said = text_of(client_of(alice).get(game.get_absolute_url(), follow=True))
    assert "Looking for a live game" in said
    missed = client_of(bob).get(game.get_absolute_url()).content.decode()
    assert "so you lost your seat" in missed and missed.count('href="/live/"') == 1


def test_page_says_why_somebody_cannot_look(
    monkeypatch: pytest.MonkeyPatch, create: NewGame, alice: User
) -> None:
    monkeypatch.setattr(limits, "MAX_UNFINISHED_GAMES", 1)
    client = client_of(alice)
    client.post("/live/enter/", WISH)
    create(alice)
    live_queue.leave(user=alice)
    assert str(TooManyGames(1).message) in text_of(client.get("/live/"))


def test_who_changes_the_wish_again_and_again_is_asked_to_wait(settings: Any, alice: User) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "find-live": "1/m/user"}
    client = client_of(alice)
    client.post("/live/enter/", WISH)
    answer = client.post("/live/enter/", WISH | {"pace": "evening"})
    assert answer.status_code == 429 and answer["Retry-After"] == "60"
    assert "You are changing what you wait for too fast. Wait a minute." in text_of(answer)
    assert QueuedPlayer.objects.get().pace == "fast"


def test_home_leads_to_the_page(alice: User) -> None:
    assert 'href="/live/"' in client_of(alice).get("/").content.decode()
