"""The ready check: before a live game starts, everyone says that they are ready."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.clocks import machine_clock
from games.clocks.site_presence import SEEN_MARK
from games.lobby import ready_check
from games.lobby.game_start import start_as_host
from games.lobby.join_check import reason_against
from games.lobby.join_game import join, leave
from games.lobby.stale_games import close_game
from games.models import Game, Heartbeat, Kind, Notification
from games.play.deadlines import pauses
from games.play.deadlines.live_deadlines import LiveDeadlines
from games.play.deadlines.ready_deadlines import READY_TIME
from games.refusals import NoReadyCheck, NotSeated
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
FAST = {"pace": 30, "bank": 180}


@pytest.fixture
def game(create: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A live game whose last seat carol has just taken."""
    game = create(alice, least=3, most=3, start=Game.Start.FULL, **FAST)
    join(game_id=game.pk, user=bob)
    return join(game_id=game.pk, user=carol)


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveDeadlines]:
    """The loop of a sweeper whose machine has the clock of the test."""
    monkeypatch.setattr(
        machine_clock, "read", lambda: machine_clock.Reading(timezone.now(), timezone.now().timestamp())
    )
    yield LiveDeadlines(ready_check.settle)


def now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def seated(game: Game) -> list[str]:
    return sorted(game.seats.values_list("user__username", flat=True))


def asked(game: Game) -> list[str]:
    return sorted(str(seat.user) for seat in ready_check.unready(list(game.seats.select_related("user"))))


def answer(game: Game, *users: User) -> Game:
    for user in users:
        ready_check.answer(game_id=game.pk, user=user)
    return now(game)


def settle_late(clock: Any, game: Game) -> Game:
    clock.move_to(now(game).ready_by)
    ready_check.settle(game.pk)
    return now(game)


# -- Asking --------------------------------------------------------------------------------------------


def test_full_live_table_asks_everyone_but_its_last_player(game: Game) -> None:
    assert game.is_open and game.deadline is None
    assert asked(game) == ["alice", "bob"]


def test_last_answer_starts_the_game_and_its_clock(game: Game, alice: User, bob: User) -> None:
    assert answer(game, alice).is_open
    started = answer(game, bob)
    assert started.is_running and started.ready_by is None and started.deadline is not None
    assert not started.seats.filter(is_ready=True).exists()


def test_host_who_starts_is_ready(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, fill="easy", **FAST)
    join(game_id=game.pk, user=bob)
    for _again in range(2):
        start_as_host(game_id=game.pk, by=alice)
    assert asked(game) == ["bob"]
    assert answer(game, bob).seats.count() == 4


def test_member_who_joins_during_the_check_is_ready(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = create(alice, most=3, start=Game.Start.FULL, **FAST)
    join(game_id=game.pk, user=bob)
    start_as_host(game_id=game.pk, by=alice)
    join(game_id=game.pk, user=carol)
    assert asked(game) == ["bob"]
    assert answer(game, bob).is_running


def test_game_by_mail_starts_at_once(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, most=2, start=Game.Start.FULL, pace=86400)
    assert join(game_id=game.pk, user=bob).is_running


def test_person_alone_with_computers_is_not_asked(create: NewGame, alice: User) -> None:
    assert create(alice, computers={1: "easy", 2: "easy", 3: "easy"}, **FAST).is_running
    waiting = create(alice, least=1 + 1, fill="easy", computers={1: "easy"}, **FAST)
    assert start_as_host(game_id=waiting.pk, by=alice).is_running


def test_repeated_answer_changes_nothing(game: Game, alice: User, bob: User) -> None:
    assert answer(game, alice, alice).is_open
    assert answer(game, bob, bob, alice).is_running


def test_answer_without_a_check_is_refused(game: Game, alice: User, bob: User, carol: User) -> None:
    leave(game_id=game.pk, user=bob)
    with pytest.raises(NoReadyCheck):
        answer(game, alice)
    with pytest.raises(NotSeated):
        answer(game, bob)


# -- Without an answer ---------------------------------------------------------------------------------


def test_player_without_an_answer_loses_the_seat_and_the_others_wait(
    clock: Any, game: Game, bob: User
) -> None:
    answer(game, bob)
    after = settle_late(clock, game)
    assert after.is_open and after.ready_by is None and after.free_seats == 1
    assert seated(after) == ["bob", "carol"]
    assert after.host == bob
    assert not after.seats.filter(is_ready=True).exists()


def test_player_who_lost_the_seat_is_told_and_may_come_back(
    clock: Any, game: Game, alice: User, bob: User
) -> None:
    EmailAddress.objects.create(user=bob, email="bob@mail.example", verified=True, primary=True)
    answer(game, alice)
    settle_late(clock, game)
    assert game.departures.get().missed_ready_check
    assert Notification.objects.filter(user=bob, kind=Kind.REMOVED, about="").exists()
    assert reason_against(now(game), bob) is None
    join(game_id=game.pk, user=bob)
    assert asked(now(game)) == ["alice", "carol"]


def test_check_is_not_settled_before_its_time(clock: Any, game: Game) -> None:
    clock.shift(READY_TIME - SECOND)
    ready_check.settle(game.pk)
    assert len(seated(game)) == 3


def test_game_for_which_nobody_is_ready_is_closed(clock: Any, game: Game) -> None:
    game.seats.update(is_ready=False)
    assert settle_late(clock, game).status == Game.Status.CLOSED


def test_leaving_ends_the_check(game: Game, alice: User, bob: User) -> None:
    answer(game, alice)
    leave(game_id=game.pk, user=bob)
    after = now(game)
    assert after.ready_by is None and not after.seats.filter(is_ready=True).exists()
    assert not game.departures.get(user=bob).missed_ready_check


def test_closing_ends_the_check(game: Game) -> None:
    close_game(game)
    assert now(game).ready_by is None


def leave_as_before_the_upgrade(game: Game, user: User) -> None:
    """Leave as the version of the site does that knows no ready check."""
    game.seats.filter(user=user).delete()
    Game.objects.filter(pk=game.pk).update(seats_taken=F("seats_taken") - 1)


def test_answer_after_others_left_without_ending_the_check_starts_no_game_of_too_few(
    game: Game, alice: User, bob: User
) -> None:
    leave_as_before_the_upgrade(game, bob)
    after = answer(game, alice)
    assert after.is_open and after.ready_by is None
    assert not after.seats.filter(is_ready=True).exists()


@pytest.mark.parametrize(("least", "starts"), [(2, True), (3, False)])
def test_check_without_anybody_absent_ends(
    clock: Any, game: Game, alice: User, bob: User, least: int, starts: bool
) -> None:
    answer(game, alice)
    leave_as_before_the_upgrade(game, bob)
    Game.objects.filter(pk=game.pk).update(min_players=least)
    after = settle_late(clock, game)
    assert (after.is_running, after.ready_by) == (starts, None)
    assert seated(after) == ["alice", "carol"]


# -- Time ----------------------------------------------------------------------------------------------


def test_loop_settles_a_check_a_round_trip_after_its_end(
    clock: Any, loop: LiveDeadlines, game: Game, bob: User
) -> None:
    answer(game, bob)
    loop.round()
    for late, seats in ((0.8 * SECOND, 3), (1.5 * SECOND, 2)):
        clock.move_to(game.ready_by + late)
        Heartbeat.objects.filter(name=SEEN_MARK).update(at=timezone.now() - SECOND / 4)
        loop.round()
        assert len(seated(game)) == seats


def test_check_stands_still_while_the_site_is_away(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    loop.round()
    clock.shift(timedelta(hours=1))
    loop.round()
    assert len(seated(game)) == 3
    assert now(game).ready_by - timezone.now() >= READY_TIME - SECOND


def test_check_that_no_loop_has_seen_gets_its_time_anew(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    clock.shift(timedelta(hours=1))
    loop.round()
    assert len(seated(game)) == 3
    assert now(game).ready_by == timezone.now() + READY_TIME


def test_check_stands_still_while_the_game_is_paused(
    clock: Any, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    monkeypatch.setattr(pauses, "withheld_systems", lambda: ["acquire"])
    pauses.pause(game_id=game.pk)
    clock.shift(timedelta(hours=1))
    monkeypatch.undo()
    pauses.resume(game_id=game.pk)
    assert now(game).ready_by == timezone.now() + READY_TIME
