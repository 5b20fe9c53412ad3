"""Live games: seconds for a move, no grace, no mail about turns, and no vacation that stops a clock."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Kind, LogEntry, Notification, Reliability
from games.play.deadlines import vacation_clocks
from games.play.deadlines.overdue import settle_timeout
from tests.support.games import NewGame, play_next
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import deadline

pytestmark = pytest.mark.django_db

LIVE: dict[str, Any] = {"pace": 30, "bank": 180, "cap": 180}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A live game in which alice decides."""
    with_mailbox(alice)
    with_mailbox(bob)
    return start(alice, bob, preset="course", terms=LIVE)


def test_timeout_lets_a_computer_make_the_move_without_grace(clock: Any, game: Game) -> None:
    asked = game.version
    clock.move_to(deadline(game) + timedelta(seconds=2))
    assert settle_timeout(game.pk, asked)
    entries = game.moves.filter(number__gt=asked)
    assert entries.earliest("number").author == LogEntry.Author.HOUSE
    assert not entries.filter(text__startswith="grace").exists()


def test_move_adds_its_time_to_the_bank_up_to_the_limit(clock: Any, game: Game, alice: User) -> None:
    clock.shift(timedelta(seconds=100))
    play_next(Game.objects.get(pk=game.pk))
    assert game.seats.get(user=alice).time_bank_left == timedelta(seconds=110)


def test_nobody_is_notified_of_a_turn(game: Game) -> None:
    play_next(game)
    assert not Notification.objects.filter(game=game, kind__in=(Kind.DECISION, Kind.REMINDER)).exists()


def test_turn_by_mail_is_notified(start: NewGame, alice: User, bob: User) -> None:
    with_mailbox(alice)
    game = start(alice, bob, preset="course", terms={"pace": 86400})
    assert Notification.objects.filter(game=game, kind=Kind.DECISION).exists()


def test_vacation_stops_no_live_clock(game: Game, alice: User) -> None:
    before = deadline(game)
    today = timezone.now().date()
    vacation_clocks.plan_vacation(user=alice, first=today, last=today)
    vacation_clocks.apply_vacations()
    assert deadline(game) == before


def test_clock_of_a_player_on_vacation_starts(start: NewGame, alice: User, bob: User) -> None:
    today = timezone.now().date()
    vacation_clocks.plan_vacation(user=alice, first=today, last=today)
    game = start(alice, bob, preset="course", terms=LIVE)
    assert Game.objects.get(pk=game.pk).deadline is not None


def test_paused_live_game_goes_on_in_a_vacation(game: Game, alice: User) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=None, time_left=timedelta(seconds=70))
    today = timezone.now().date()
    vacation_clocks.plan_vacation(user=alice, first=today, last=today)
    vacation_clocks.apply_vacations()
    assert deadline(game) - timezone.now() > timedelta(seconds=60)


def test_live_decision_does_not_count_for_punctuality(game: Game, alice: User) -> None:
    play_next(game)
    assert not Reliability.objects.filter(user=alice, decisions__gt=0).exists()
