"""Games are called by their name, or else by their players; no page shows an id in its place."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from games.web.text.game_titles import title
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end

pytestmark = pytest.mark.django_db


def page_title(client: Client, game: Game) -> str:
    found = re.search("<title>(.*?)</title>", client.get(game.get_absolute_url()).content.decode(), re.DOTALL)
    assert found is not None
    return " ".join(found[1].split())


def test_game_is_called_by_its_name(start: NewGame, alice: User, bob: User) -> None:
    assert title(start(alice, bob, terms={"name": "Friday evening"})) == "Friday evening"


def test_game_without_a_name_is_called_by_its_players(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    assert title(game) == " and ".join(seat.name for seat in game.seats.all())


def test_title_of_many_players_counts_the_others(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, carol, "random", "random", "random")
    names = [seat.name for seat in game.seats.all()]
    assert title(game) == f"{', '.join(names[:3])} and 3 others"


def test_waiting_game_is_called_by_who_waits(create: NewGame, alice: User) -> None:
    assert title(create(alice)) == "alice’s game"


def test_table_is_called_by_the_other_players(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    assert page_title(client_of(alice), game) == "Game with bob · Acquire"
    assert page_title(client_of(bob), game) == "Game with alice · Acquire"
    assert page_title(Client(), game) == f"Game with {title(game)} · Acquire"


def test_titles_of_a_list_with_its_players_need_no_query(
    start: NewGame, alice: User, bob: User, django_assert_num_queries: type
) -> None:
    for _ in range(3):
        start(alice, bob)
    games = list(Game.objects.prefetch_related("seats__user"))
    with django_assert_num_queries(0):
        assert all("alice" in title(game) for game in games)


def test_table_waiting_room_and_end_show_the_name_and_never_an_id(
    create: NewGame, start: NewGame, alice: User, bob: User
) -> None:
    client = client_of(alice)
    named = start(alice, bob, terms={"name": "Friday <evening>"})
    assert "Friday &lt;evening&gt;, with bob · Acquire" in page_title(client, named)
    table = client.get(named.get_absolute_url()).content.decode()
    assert '<span class="name">Friday &lt;evening&gt;</span>' in table
    for game in (create(alice), start(alice, bob), play_to_the_end(start(alice, bob))):
        told = page_title(client, game)
        assert ("alice" in told or "Game with bob · Acquire" in told) and "Acquire" in told
        assert game.public_id not in told
    over = play_to_the_end(start(alice, bob, terms={"name": "The final"}))
    assert "The final" in page_title(client, over)
    assert '<p class="course">The final · ' in client.get(over.get_absolute_url()).content.decode()
    room = create(alice, name="Come in")
    assert "<h1>Come in</h1>" in client.get(room.get_absolute_url(), follow=True).content.decode()
