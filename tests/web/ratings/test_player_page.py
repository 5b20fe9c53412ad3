"""The page of a member, and personal data about games."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.privacy.account_data import personal_data_zip
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite_address
from games.lobby.join_game import join, kick, leave
from games.lobby.remembered_choices import remember_choices
from games.models import Game, Seat
from games.play import page_presence
from games.players.nicknames import NICKNAMES
from games.privacy.personal_data import my_data
from games.ratings import player_profile
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.mailboxes import with_mailbox

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(start: NewGame, alice: User, bob: User) -> Game:
    return public(play_to_the_end(start(alice, bob, "random")))


def public(game: Game) -> Game:
    Game.objects.filter(pk=game.pk).update(visibility=Game.Visibility.PUBLIC)
    return Game.with_secrets.get(pk=game.pk)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


# -- Members ---------------------------------------------------------------------------------------


def test_strangers_may_read_the_page_of_a_member(client: Client, alice: User) -> None:
    page = text(client, "/players/alice/")
    assert "alice" in page
    assert "No finished public games yet." in page


def test_name_in_another_case_leads_to_the_page(client: Client, alice: User) -> None:
    assert client.get("/players/ALICE/").headers["Location"] == "/players/alice/"


def test_guest_has_no_page(client: Client, alice: User) -> None:
    User.objects.update(is_guest=True)
    assert client.get("/players/alice/").status_code == 404


def test_closed_account_has_no_page(client: Client, alice: User) -> None:
    User.objects.update(is_active=False)
    assert client.get("/players/alice/").status_code == 404


def test_unknown_name_has_no_page(client: Client) -> None:
    assert client.get("/players/nobody/").status_code == 404


def test_unconfirmed_member_has_no_page_where_confirmation_is_required(
    client: Client, alice: User, settings: Any
) -> None:

    settings.EMAIL_MUST_BE_CONFIRMED = True
    address = EmailAddress.objects.create(user=alice, email="alice@example.org", primary=True)
    assert client.get("/players/alice/").status_code == 404
    address.set_verified()
    assert client.get("/players/alice/").status_code == 200


def test_page_shows_nothing_private(client: Client, alice: User) -> None:
    alice.email = "alice@example.org"
    alice.time_zone = "Europe/Lisbon"
    alice.mail_stopped = "The address does not exist."
    alice.save()
    page = text(client, "/players/alice/")
    for secret in ("alice@example.org", "Lisbon", "does not exist"):
        assert secret not in page


# -- Games -----------------------------------------------------------------------------------------


def test_finished_game_is_listed_with_rank_and_money(client: Client, finished: Game, alice: User) -> None:
    system = finished.rule_system
    seat = finished.seats.get(user=alice).number
    standings = system.standings(system.state_from_json(finished.state))
    rank, dollars = next((rank, dollars) for rank, number, dollars in standings if number == seat)
    page = text(client, "/players/alice/")
    assert f"{rank} of 3" in page
    assert f"${dollars:,}" in page
    assert finished.get_absolute_url() in page


def test_running_game_is_listed_without_tiles(client: Client, start: NewGame, alice: User, bob: User) -> None:
    game = public(play_on(start(alice, bob), 6))
    page = text(client, "/players/alice/")
    assert game.get_absolute_url() in page
    assert "Public games: 1 in progress, 0 finished, 0 won." in page


@pytest.mark.parametrize("visibility", [Game.Visibility.UNLISTED, Game.Visibility.INVITED])
def test_private_games_are_not_listed(
    client: Client, finished: Game, start: NewGame, alice: User, visibility: str
) -> None:
    running = start(alice, "random")
    Game.objects.update(visibility=visibility)
    page = text(client, "/players/alice/")
    assert finished.get_absolute_url() not in page
    assert running.get_absolute_url() not in page
    assert player_profile.counts_of(alice) == {"running": 0, "finished": 0}


def copies(game: Game, seat: Seat, count: int) -> None:
    """Create this many copies of the finished game, some of which ended at the same moment."""
    game = Game.with_secrets.get(pk=game.pk)
    for number in range(count):
        ended = timezone.now() - timedelta(days=number // 2)
        game.pk, game.public_id, game.invite_code = None, f"copy{number}", f"code{number}"
        game.finished = ended
        game.save(force_insert=True)
        Seat.objects.create(game=game, number=seat.number, user=seat.user, ended=ended)


def test_results_are_paged_without_gaps_or_repeats(finished: Game, alice: User) -> None:
    copies(finished, finished.seats.get(user=alice), 2 * player_profile.PAGE)
    told, after = [], ""
    for _page in range(3):
        page = player_profile.results_of(alice, after)
        told += [result.game.pk for result in page.results]
        after = page.older
    assert after == ""
    assert sorted(told) == sorted(Game.objects.values_list("pk", flat=True))


def test_page_takes_the_same_queries_for_more_games(
    client: Client, finished: Game, alice: User, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as few:
        client.get("/players/alice/")
    copies(finished, finished.seats.get(user=alice), 30)
    with django_assert_num_queries(len(few)):
        client.get("/players/alice/")


@pytest.mark.parametrize(
    "after",
    [
        "nonsense",
        "2026-01-01,3",
        "2026-01-01T00:00:00%2B00:00,x",
        "2026-01-01T00:00:00%2B00:00,-1",
        "2026-01-01T00:00:00,5",
        "0001-01-01T00:00:00%2B23:59,5",
        "9999-12-31T23:59:59-23:59,5",
        ",",
        "1" * 400,
    ],
)
def test_invalid_place_in_the_list_is_its_beginning(
    client: Client, finished: Game, alice: User, after: str
) -> None:
    assert finished.get_absolute_url() in text(client, f"/players/alice/?after={after}")


# -- Personal data ---------------------------------------------------------------------------------


def unpacked(user: User) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(personal_data_zip(user))) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def test_personal_data_contain_own_games_and_moves(finished: Game, alice: User) -> None:
    data = unpacked(alice)
    [game] = data["games.json"]
    assert game["address"] == finished.get_absolute_url()
    assert game["my_seat"] == finished.seats.get(user=alice).number
    mine = finished.moves.filter(user=alice)
    assert [move["move"] for move in data["moves.json"]] == [move.text for move in mine]


def test_personal_data_name_moves_by_orders_and_plans(finished: Game, alice: User) -> None:
    origins = ["order", "plan", ""]
    mine = list(finished.moves.filter(user=alice)[:3])
    for move, origin in zip(mine, origins, strict=True):
        finished.moves.filter(pk=move.pk).update(origin=origin)
    assert [move["origin"] for move in unpacked(alice)["moves.json"]][:3] == origins


def test_personal_data_contain_choices_views_and_events_before_the_start(
    create: NewGame, alice: User, bob: User
) -> None:
    game = create(alice)
    for _ in range(2):
        join(game_id=game.pk, user=bob)
        leave(game_id=game.pk, user=bob)
    join(game_id=game.pk, user=bob)
    kick(game_id=game.pk, user=bob, by=alice, reason="Slow as stone.")
    for user in (alice, bob):
        remember_choices(user, {"fill": f"as {user.username} likes it"})
        page_presence.mark_visible(user.pk, game.pk, f"page of {user.username}")

    data = unpacked(bob)

    assert data["last_choices.json"] == [{"new_game": {"fill": "as bob likes it"}}]
    [look] = data["looks_at_games.json"]
    assert look["game__public_id"] == game.public_id
    assert look["until"]
    assert data["invitations.json"]["left"] == [
        {"game__public_id": game.public_id, "times": 2, "missed_ready_check": False}
    ]
    [sent_away] = data["invitations.json"]["sent_away"]
    assert sent_away["reason"] == "Slow as stone."
    # Notifications of bob alone are not in the host's data.
    assert "Slow as stone" not in json.dumps(unpacked(alice))


def test_personal_data_contain_invitations_to_the_own_address(alice: User, bob: User) -> None:
    with_mailbox(alice)
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    game = create_game(host=bob, terms=terms)
    invite_address(game_id=game.pk, address="Alice@mail.example", by=bob)
    [asked] = json.loads(dict(my_data(alice))["invitations.json"])["received"]
    assert (asked["game__public_id"], asked["invited_by__username"]) == (game.public_id, "bob")


def test_personal_data_contain_nothing_hidden_of_a_running_game(
    start: NewGame, alice: User, bob: User
) -> None:
    game = Game.with_secrets.get(pk=play_on(start(alice, bob), 8).pk)
    with zipfile.ZipFile(io.BytesIO(personal_data_zip(alice))) as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert bytes(game.seed).hex() not in whole
    assert '"hand' not in whole and '"bag' not in whole and '"state' not in whole
    bobs = game.rule_system.observe(
        game.rule_system.state_from_json(game.state), game.seats.get(user=bob).number
    )
    placed = set(game.moves.filter(text__startswith="place").values_list("text", flat=True))
    from games.engine.rules.acquire.board import SQUARE_NAMES

    for square in bobs.hand:
        name = SQUARE_NAMES[square]
        assert f"place {name}" not in placed
        assert f'"{name}"' not in whole and f" {name}" not in whole


def test_personal_data_contain_nobody_elses_moves(finished: Game, alice: User, bob: User) -> None:
    seats = {move["seat"] for move in unpacked(alice)["moves.json"]}
    assert seats == {finished.seats.get(user=alice).number}


# -- Names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NICKNAMES, "R00k", "MEDIUM", "rand0m"])
def test_name_of_a_bot_cannot_be_taken(client: Client, name: str) -> None:
    password = "a long enough secret"
    form = {"username": name, "password1": password, "password2": password, "consent": "on"}
    answer = client.post("/accounts/signup/", form)
    assert answer.status_code == 200
    assert not User.objects.exists()
