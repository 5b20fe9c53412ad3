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


# -- The form of a new game ----------------------------------------------------------------------------

FORM = {
    "preset": "avalon-hill",
    "visibility": "public",
    "start": "full",
    "unit": "none",
    "least": "2",
    "skips": "on",
}


def created(user: User, **chosen: str) -> Game:
    answer = client_of(user).post(reverse("new-game"), {**FORM, **chosen})
    assert answer.status_code == 302, text_of(answer)
    return Game.objects.latest("pk")


@pytest.mark.parametrize(
    ("teams", "most", "sides"),
    [
        ("two", "4", ((0, 2), (1, 3))),
        ("two", "6", ((0, 2, 4), (1, 3, 5))),
        ("three", "6", ((0, 3), (1, 4), (2, 5))),
        ("none", "5", ()),
        ("", "5", ()),
    ],
)
def test_form_creates_games_with_teams(
    alice: User, teams: str, most: str, sides: tuple[tuple[int, ...], ...]
) -> None:
    game = created(alice, teams=teams, most=most)
    assert game.teams == sides
    assert game.min_players == (int(most) if sides else 2)
    assert game.options == ({"teams": teams} if sides else {})


def test_computers_may_fill_the_teams(alice: User) -> None:
    game = created(alice, teams="two", most="4", fill="easy")
    assert (game.min_players, game.max_players, len(game.teams)) == (2, 4, 2)


@pytest.mark.parametrize(
    ("teams", "most", "sentence"),
    [
        ("two", "5", "These teams need 4 or 6 players. Change the maximum."),
        ("three", "4", "These teams need 6 players. Change the maximum."),
        ("four", "4", "Select a valid choice."),
    ],
)
def test_teams_that_do_not_fit_are_refused(alice: User, teams: str, most: str, sentence: str) -> None:
    answer = client_of(alice).post(reverse("new-game"), {**FORM, "teams": teams, "most": most})
    assert answer.status_code in (200, 422)
    assert sentence in text_of(answer)
    assert not Game.objects.exists()


@pytest.mark.parametrize("chosen", ["", "between", "always"])
def test_host_chooses_the_chat_of_the_teams(alice: User, bob: User, chosen: str) -> None:
    game = created(alice, teams="two", most="4", team_chat=chosen)
    assert game.team_chat == chosen
    said = {
        "": "Teams have no chat of their own.",
        "between": "Partners can write to each other between their own turns.",
        "always": "Partners can write to each other at any time.",
    }
    assert said[chosen] in text_of(client_of(bob).get(reverse("game-rules", args=[game.public_id])))


def test_rated_teams_get_no_chat_and_nothing_chosen_is_lost(alice: User) -> None:
    chosen = {**FORM, "teams": "two", "most": "4", "team_chat": "always", "rated": "on", "name": "Evening"}
    answer = client_of(alice).post(reverse("new-game"), chosen)
    said = text_of(answer)
    assert "Rated games have no team chat. Choose “Off”, or make the game unrated." in said
    assert 'value="Evening"' in answer.content.decode()
    assert not Game.objects.exists()


def test_chat_left_over_from_a_team_game_does_no_harm(alice: User) -> None:
    """The field is hidden without teams, and the last choices are shown again."""
    game = created(alice, most="4", team_chat="always", rated="on")
    assert (game.rated, game.team_chat) == (True, "")


def test_guest_gets_no_team_chat(guest: User) -> None:
    page = client_of(guest).get(reverse("new-game-of", args=["acquire"])).content.decode()
    assert 'name="team_chat"' not in page
    assert created(guest, teams="two", most="4", team_chat="always").team_chat == ""


def test_form_offers_teams_in_acquire_alone(alice: User) -> None:
    client = client_of(alice)
    assert "Three teams of two." in text_of(client.get(reverse("new-game-of", args=["acquire"])))
    other = client.get(reverse("new-game-of", args=["acquisition"]))
    assert other.status_code == 404 or "Teams" not in text_of(other)


def test_summary_names_the_teams(alice: User) -> None:
    address = reverse("new-game-summary", args=["acquire"])
    said = text_of(client_of(alice).get(address, {**FORM, "teams": "three", "most": "6"}))
    assert "6 players · 3 teams" in said
    assert "change" not in said


def test_guest_plays_in_a_team_of_computers(guest: User) -> None:
    game = created(guest, teams="two", most="4", fill="random")
    assert game.is_running
    assert len(game.teams) == 2
