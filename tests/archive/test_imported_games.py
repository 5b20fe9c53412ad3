"""Imported games: private to their owner, outside all lists and counts."""

import json
from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from games.analysis.assessment import assess_next_moves
from games.archive.game_import import forget_imported
from games.lobby import game_lists
from games.lobby.game_lists import finished_page, finished_page_of, own_imported, running_page
from games.models import Game, GameReview, LogEntry
from games.play.game_view import game_view
from games.players import limits
from games.ratings import player_profile
from games.refusals import NotHost
from games.web.settings.personal_data_files import everything_about
from tests.archive.round_trip import exported, imported
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end

pytestmark = pytest.mark.django_db

PAGES = ("game", "table", "log", "deal-check", "game-rules", "export-json", "export-text")


@pytest.fixture
def original(start: NewGame, alice: User, bob: User) -> Game:
    return play_to_the_end(start(alice, bob, "random", terms={"visibility": "public"}))


@pytest.fixture
def game(original: Game, carol: User) -> Game:
    """A game of alice and bob, imported by carol."""
    return imported(exported(original), carol)


def test_pages_are_open_to_owner_only(game: Game, carol: User, alice: User) -> None:
    staff = User.objects.create_superuser("staff")
    for name in PAGES:
        address = reverse(name, args=[game.public_id])
        assert client_of(carol).get(address).status_code == 200, name
        for client in (client_of(alice), client_of(staff), Client()):
            assert client.get(address).status_code == 404, name


def test_page_names_players_and_offers_no_action(game: Game, carol: User) -> None:
    page = client_of(carol).get(game.get_absolute_url()).content.decode()
    assert "alice" in page
    assert "You imported this game from a file" in page
    assert "Rematch" not in page
    assert game_view(game.public_id, carol).seat is None
    again = client_of(carol).post(reverse("rematch", args=[game.public_id]))
    assert Game.all_games.filter(rematch_of=game).count() == 0, again
    assert client_of(carol).get(reverse("player", args=["alice"])).status_code == 200


def test_only_owner_reads_the_review(game: Game, carol: User, alice: User) -> None:
    explore, review = (reverse(name, args=[game.public_id]) for name in ("explore", "game-review"))
    assert client_of(carol).get(explore).headers["Location"] == review
    assert client_of(carol).get(review).status_code == 200
    for client in (client_of(alice), Client()):
        for page in (explore, review, f"{review}5/", f"{review}5/retry/", f"{review}5/picture.png"):
            assert client.get(page).status_code == 404


def test_imported_game_is_in_no_list_and_no_count(
    game: Game, original: Game, carol: User, alice: User
) -> None:
    for reader in (carol, alice):
        for page in (finished_page(), finished_page_of(reader), running_page(reader)):
            assert game not in page.games
    assert list(game_lists.own_practised(carol)) == []
    assert list(game_lists.practice_tables(carol)) == []
    assert player_profile.counts_of(alice)["finished"] == 1
    assert player_profile.counts_of(carol)["finished"] == 0
    assert limits.with_unfinished(User.objects.filter(pk=carol.pk)).get().unfinished == 0
    assert [one.pk for one in own_imported(carol)] == [game.pk]
    assert not game.rated


def test_imported_game_is_assessed(game: Game, carol: User) -> None:
    page = reverse("game-review", args=[game.public_id])
    assert "of the log so far" in client_of(carol).get(page).content.decode()
    while assess_next_moves(game.pk):
        pass
    assert GameReview.objects.get(game=game).done
    assert "Accuracy" in client_of(carol).get(page).content.decode()


def test_only_owner_can_delete(game: Game, carol: User, alice: User) -> None:
    address = reverse("delete-import", args=[game.public_id])
    for client in (client_of(alice), Client()):
        assert client.post(address).status_code == 404
    with pytest.raises(NotHost):
        forget_imported(game=game, by=alice)
    page = client_of(carol).get("/games/import/").content.decode()
    assert address in page
    assert client_of(carol).post(address)["Location"] == "/games/import/"
    assert not Game.all_games.filter(pk=game.pk).exists()
    assert not LogEntry.objects.filter(game=game.pk).exists()


def test_game_played_here_cannot_be_deleted(original: Game, alice: User) -> None:
    with pytest.raises(NotHost):
        forget_imported(game=original, by=alice)
    assert client_of(alice).post(reverse("delete-import", args=[original.public_id])).status_code == 404
    assert Game.all_games.filter(pk=original.pk).exists()


def test_imported_game_is_exported_and_deleted_with_owner(game: Game, carol: User) -> None:
    files = dict(everything_about(carol))
    [told] = json.loads(files["imported_games.json"])
    assert told["address"] == game.get_absolute_url()
    assert json.loads(files["practice_tables.json"]) == []
    delete_account(carol)
    assert not Game.all_games.filter(pk=game.pk).exists()


def test_database_keeps_imported_game_private(game: Game) -> None:
    for columns in ({"is_practice": False}, {"rated": True}, {"visibility": "public"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Game.all_games.filter(pk=game.pk).update(**columns)


def test_page_queries_do_not_grow(
    game: Game, original: Game, carol: User, django_assert_num_queries: Callable[..., object]
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client, taken = client_of(carol), []
    client.get("/games/import/")
    for _ in range(2):
        with CaptureQueriesContext(connection) as found:
            client.get("/games/import/")
        taken.append(len(found))
        imported(exported(original), carol)
        imported(exported(original), carol)
    assert taken[0] == taken[1] <= 8
