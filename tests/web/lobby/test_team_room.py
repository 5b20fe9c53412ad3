"""Teams in the waiting room."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby.join_game import join
from games.models import Game
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.web.lobby.test_lobby_pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(create: NewGame, alice: User) -> Game:
    return create(alice, options={"teams": "two"}, least=4, most=4, computers={2: "random"})


def buttons(client: Client, game: Game) -> list[tuple[str, str]]:
    """The teams that the waiting room offers, each with the name of its route."""
    page = client.get(game.get_absolute_url()).content.decode()
    found = re.findall(r'name="team"\s+value="(\d)"\s+formaction="[^"]*/(\w+)/"', page)
    return [(team, route) for team, route in found]


def test_room_shows_the_teams_and_offers_those_with_open_seats(game: Game, alice: User, bob: User) -> None:
    said = text_of(client_of(bob).get(game.get_absolute_url()))
    assert "Team 1" in said and "Team 2" in said
    assert "Rulebook, 2 teams" in said
    assert buttons(client_of(bob), game) == [("1", "join")]
    assert buttons(client_of(alice), game) == [("1", "team")]
    assert buttons(Client(), game) == []


def test_room_without_teams_offers_one_button(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    assert buttons(client_of(bob), game) == []
    assert "Join game" in text_of(client_of(bob).get(game.get_absolute_url()))


def test_player_joins_a_team_and_changes_it(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, options={"teams": "two"}, least=4, most=4)
    client = client_of(bob)
    client.post(reverse("join", args=[game.public_id]), {"team": "0"})
    assert game.seats.get(user=bob).number == 2
    assert buttons(client, game) == [("1", "team")]
    answer = client.post(reverse("change-team", args=[game.public_id]), {"team": "1"})
    assert answer.status_code == 302
    assert game.seats.get(user=bob).number == 1


@pytest.mark.parametrize(
    ("team", "status", "sentence"),
    [
        ("0", 409, "All seats of this team are taken."),
        ("3", 404, "This game has no such team."),
        ("x" * 5000, 404, "This game has no such team."),
        ("²", 404, "This game has no such team."),
    ],
)
def test_wrong_team_is_refused_with_a_sentence(
    game: Game, bob: User, carol: User, team: str, status: int, sentence: str
) -> None:
    join(game_id=game.pk, user=carol)
    for user, route in ((bob, "join"), (carol, "change-team")):
        answer = client_of(user).post(reverse(route, args=[game.public_id]), {"team": team})
        assert answer.status_code == status
        assert sentence in text_of(answer)
    assert not game.seats.filter(user=bob).exists()


def test_change_without_a_team_is_refused(game: Game, alice: User) -> None:
    answer = client_of(alice).post(reverse("change-team", args=[game.public_id]))
    assert answer.status_code == 404
