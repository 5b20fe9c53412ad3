"""Pages of a game that spectators see late, and the host's choice of it."""

from typing import Any, Final

import pytest
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.play import visits
from games.play.spectator_position import version_shown
from games.web.lobby.new_game_form import NewGameForm
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.web.lobby.test_lobby_pages import text_of

pytestmark = pytest.mark.django_db

NOTICE = "You see this game one round late. When it is over, you see all of it."
TERM = "Spectators see this game one round late until it is over."
SHORT = "spectators one round late"
FORM: Final[dict[str, str | int]] = {
    "preset": "avalon-hill", "least": 2, "most": 4, "visibility": "public", "start": "full",
    "unit": "days", "pace": 3,
}  # fmt: skip


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms={"late": 1, "visibility": "public", "pace": 86400}), 16)


def page(address: str, user: User | None = None) -> str:
    answer = client_of(user).get(address)
    assert answer.status_code == 200
    return text_of(answer)


@pytest.mark.parametrize("name", ["game", "log"])
def test_spectators_are_told_that_they_are_late_and_players_are_not(
    game: Game, alice: User, carol: User, name: str
) -> None:
    address = reverse(name, args=[game.public_id])
    assert NOTICE in page(address) and NOTICE in page(address, carol)
    assert NOTICE not in page(address, alice)


def test_nobody_is_told_so_when_the_game_is_over(game: Game) -> None:
    over = play_to_the_end(game)
    assert NOTICE not in page(over.get_absolute_url())


def test_game_without_a_delay_says_nothing_of_it(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 16)
    assert "late" not in page(game.get_absolute_url())
    assert "Spectators" not in page(reverse("game-rules", args=[game.public_id]))


def test_rules_of_the_game_tell_the_term(game: Game) -> None:
    assert TERM in page(reverse("game-rules", args=[game.public_id]))


def test_waiting_room_and_lists_tell_the_term(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, late=1)
    assert TERM in page(game.get_absolute_url(), bob)
    assert SHORT in page(reverse("open-games"), bob)


def test_lists_of_running_games_say_that_a_game_is_shown_late(game: Game, alice: User, carol: User) -> None:
    assert SHORT in page(reverse("running-games"), carol)
    assert SHORT not in page(reverse("home"), alice)


def test_unchanged_table_is_not_sent_again_and_hidden_moves_stay_unseen(game: Game, carol: User) -> None:
    client, shown = client_of(carol), version_shown(game)
    client.get(game.get_absolute_url())
    answer = client.get(reverse("table", args=[game.public_id]), {"after": shown})
    assert answer.status_code == 204
    assert visits.record_visit(game.pk, carol, shown) == shown


def test_position_after_the_last_shown_entry_is_refused(game: Game, alice: User, carol: User) -> None:
    address = reverse("past-position", args=[game.public_id, game.version])
    assert client_of(carol).get(address)["Location"].endswith(f"/at/{version_shown(game)}/")
    assert client_of(alice).get(address).status_code == 200


def test_api_tells_the_delay_and_stops_at_it(game: Game) -> None:
    [told] = client_of().get(reverse("api-games"), {"status": "running"}).json()["games"]
    assert (told["rounds_late"], told["entries"]) == (1, version_shown(game))
    assert len(client_of().get(reverse("api-game", args=[game.public_id])).json()["log"]) == told["entries"]


def chosen(user: User, **more: Any) -> int:
    form = NewGameForm(user, "acquire", {**FORM, **more})
    assert form.is_valid(), form.errors
    return form.terms().late


def test_host_chooses_the_delay_and_guests_have_none(alice: User, guest: User) -> None:
    assert (chosen(alice), chosen(alice, late="0"), chosen(alice, late="2")) == (0, 0, 2)
    assert chosen(guest, late="2") == 0
    assert not NewGameForm(alice, "acquire", {**FORM, "late": "3"}).is_valid()


def test_form_sums_up_the_delay(alice: User) -> None:
    client = client_of(alice)
    answer = client.get(reverse("new-game-summary", args=["acquire"]), {**FORM, "late": "1"})
    assert SHORT in text_of(answer)
    assert "Spectators see the game" in page(reverse("new-game"), alice)
