"""Changes of players while a game runs."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.membership.account_deletion import anonymise_idle_guests
from accounts.models import User
from games.archive.replay import replay
from games.lobby.departures import leave_all_games
from games.models import LogEntry
from games.play.bots.bot_moves import play_bot_move
from tests.support.games import NewGame, play_on, play_to_the_end

pytestmark = pytest.mark.django_db


def test_bot_takes_the_seats_of_a_deleted_account_and_the_log_says_so(
    start: NewGame, alice: User, bob: User
) -> None:
    game = play_on(start(alice, bob, "random"), 20)
    seat = game.seats.get(user=alice)

    leave_all_games(alice)

    seat.refresh_from_db()
    assert (seat.user, seat.bot_level) == (None, "medium")
    assert "alice" not in seat.name
    assert game.seats.filter(nickname=seat.nickname).count() == 1
    ruling = game.moves.last()
    assert (ruling.number, ruling.kind, ruling.text) == (
        21,
        LogEntry.Kind.RULING,
        f"computer takes {seat.number}",
    )
    assert ruling.author == LogEntry.Author.HOUSE
    game.refresh_from_db()
    assert game.version == 21


def test_game_continues_to_its_end_and_replays(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 20)
    leave_all_games(alice)
    game = play_to_the_end(game)
    assert replay(game).faults == []


def test_bot_is_due_at_once_when_it_is_to_move(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    leave_all_games(game.seats.get(number=game.seat_to_move).user)
    game.refresh_from_db()
    assert game.bot_due_at is not None
    assert play_bot_move(game.pk, game.version)


def test_finished_games_keep_their_players(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob))
    version = game.version
    leave_all_games(alice)
    game.refresh_from_db()
    assert game.seats.filter(user=alice).exists()
    assert game.version == version


def test_deleted_guest_leaves_the_seats_to_bots(start: NewGame) -> None:
    guest = User.objects.create_user("Guest-1", is_guest=True)
    game = start(guest, "random")
    User.objects.filter(pk=guest.pk).update(last_seen=timezone.localdate() - timedelta(days=40))

    assert anonymise_idle_guests(timezone.now()) == 1

    assert not game.seats.filter(user=guest).exists()
    assert game.moves.last().text.startswith("computer takes")
