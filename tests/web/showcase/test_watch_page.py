"""The page of games to watch."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from tests.showcase.public_games import assess, change, finish
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db

WATCH = reverse("watch")


def page_of(client: Client) -> str:
    """The page as made at this moment."""
    cache.clear()
    return client.get(WATCH).content.decode()


def test_empty_page_says_what_to_do(client: Client) -> None:
    page = page_of(client)
    assert "There are no games to watch right now." in page
    assert reverse("finished-games") in page


def test_running_public_games_are_listed_and_no_others(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = play_on(start(alice, bob), 6)
    assert game.get_absolute_url() not in page_of(client)
    change(game, visibility="public")
    assert game.get_absolute_url() in page_of(client)
    # A player plays it from the lobby.
    assert game.get_absolute_url() not in page_of(client_of(alice))


def test_game_of_the_day_replays_itself_and_leads_to_its_review(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = finish(start, alice, bob)
    page = page_of(client)
    assert "Game of the day" in page
    assert reverse("game-replay", args=[game.public_id]) in page
    assert reverse("game-review", args=[game.public_id]) in page


def test_best_reviews_say_how_sure_they_are(client: Client, start: NewGame, alice: User, bob: User) -> None:
    assess(finish(start, alice, bob), 0.012)
    assert "The 30 reviewed decisions lost 1.2 points of winning chance each, on average." in page_of(client)


def test_page_takes_as_many_queries_for_many_games_as_for_few(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    def asked() -> int:
        client.get(WATCH)
        with CaptureQueriesContext(connection) as queries:
            client.get(WATCH)
        return len(queries)

    games = [start(alice, bob) for _ in range(6)]
    Game.objects.filter(pk=games[0].pk).update(visibility="public")
    few = asked()
    Game.objects.update(visibility="public")
    assert asked() == few <= 6
