"""Vacations stop clocks, for a limited number of days."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from games import sweeper
from games.clocks import game_clock
from games.models import Game, Kind, Notification, TaskFailure, Vacation
from games.play.deadlines import vacation_clocks
from games.play.deadlines.vacation_clocks import ALLOWANCE, apply_vacations, end_vacation, plan_vacation
from games.play.ruling_entry import enter_ruling
from games.refusals import InvalidVacation, NoVacationLeft, VacationOverlap
from tests.support.games import NewGame, play_next
from tests.support.mailboxes import with_mailbox
from tests.support.proof import WITH_ONE_FIXTURE, examples
from tests.support.timed_games import DAY, sweep

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
TODAY = date(2026, 5, 4)


@pytest.fixture
def game(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A game on a Monday at noon, in which alice has three days."""
    clock.move_to(NOON)
    with_mailbox(alice)
    return start(alice, bob, preset="course", terms={"pace": 3 * 86400})


def now_of(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def away(user: User, days: int = 5, *, later: int = 0) -> Vacation:
    first = TODAY + later * DAY
    return plan_vacation(user=user, first=first, last=first + (days - 1) * DAY)


def test_vacation_from_today_stops_the_clock_at_once(clock: Any, game: Game, alice: User) -> None:
    clock.shift(DAY / 4)
    away(alice)
    game = now_of(game)
    assert (game.waiting_for, game.deadline, game.time_left) == (alice, None, 2.75 * DAY)
    assert game.moves.get().text == "pause"
    clock.shift(4 * DAY)
    assert sweep() == 0


def test_clock_runs_again_after_the_vacation(clock: Any, game: Game, alice: User) -> None:
    vacation = away(alice)
    clock.move_to(vacation.ends)
    sweep()
    game = now_of(game)
    assert vacation.ends == datetime(2026, 5, 9, tzinfo=UTC)
    assert (game.deadline, game.time_left) == (vacation.ends + 3 * DAY, None)
    assert list(game.moves.values_list("text", flat=True)) == ["pause", "resume"]


def test_later_vacation_stops_the_clock_when_it_begins(clock: Any, game: Game, alice: User) -> None:
    vacation = away(alice, later=1)
    clock.move_to(vacation.starts + timedelta(seconds=9))
    sweep()
    # The seconds by which the sweeper was late are given back.
    assert now_of(game).time_left == game.deadline - vacation.starts


def test_player_late_before_the_vacation_is_late(clock: Any, game: Game, alice: User) -> None:
    away(alice, later=4)
    clock.move_to(NOON + 4 * DAY)
    sweep()
    assert game.moves.get().text == "grace 0"


def test_player_asked_on_vacation_has_the_whole_time_after_it(clock: Any, game: Game, bob: User) -> None:
    vacation = away(bob)
    while now_of(game).seat_to_move == 0:
        play_next(now_of(game))
    asked = now_of(game)
    assert (asked.waiting_for, asked.deadline, asked.time_left) == (bob, None, 3 * DAY)
    assert asked in list(Game.objects.filter(waiting_for=bob))
    play_next(asked)  # an absent player may play all the same
    clock.move_to(vacation.ends)
    sweep()
    if now_of(game).waiting_for == bob:
        assert now_of(game).deadline == vacation.ends + 3 * DAY


def test_early_return_leaves_the_remaining_days(clock: Any, game: Game, alice: User) -> None:
    vacation = away(alice, 10)
    assert vacation_clocks.days_left_in(alice, 2026) == ALLOWANCE - 10
    clock.shift(2 * DAY)
    end_vacation(user=alice, pk=vacation.pk)
    assert now_of(game).deadline == timezone.now() + 3 * DAY
    assert vacation_clocks.days_left_in(alice, 2026) == ALLOWANCE - 3
    clock.shift(DAY)
    away(alice, 2, later=3)


def test_cancelled_vacation_is_not_counted(clock: Any, game: Game, alice: User) -> None:
    vacation = away(alice, later=10)
    end_vacation(user=alice, pk=vacation.pk)
    assert vacation_clocks.days_left_in(alice, 2026) == ALLOWANCE


def test_vacation_of_another_user_cannot_be_ended(game: Game, alice: User, bob: User) -> None:
    vacation = away(alice)
    assert not end_vacation(user=bob, pk=vacation.pk)
    assert now_of(game).deadline is None


def test_vacation_days_per_year_are_limited(clock: Any, game: Game, alice: User) -> None:
    away(alice, ALLOWANCE - 2)
    with pytest.raises(NoVacationLeft) as refused:
        away(alice, 3, later=ALLOWANCE)
    assert (refused.value.year, refused.value.left) == (2026, 2)
    # Days of the next year count for that year.
    plan_vacation(user=alice, first=date(2026, 12, 30), last=date(2027, 1, 20))
    assert (vacation_clocks.days_left_in(alice, 2026), vacation_clocks.days_left_in(alice, 2027)) == (
        0,
        ALLOWANCE - 20,
    )


def test_invalid_vacation_days_are_refused(clock: Any, game: Game, alice: User) -> None:
    away(alice, 3, later=3)
    for first, last, refused in (
        (-1, 2, InvalidVacation),
        (2, 1, InvalidVacation),
        (360, 370, InvalidVacation),
        (1, 3, VacationOverlap),
        (5, 5, VacationOverlap),
    ):
        with pytest.raises(refused):
            plan_vacation(user=alice, first=TODAY + first * DAY, last=TODAY + last * DAY)


def test_vacation_days_are_those_of_the_players_time_zone(clock: Any, game: Game, alice: User) -> None:
    alice.time_zone = "Pacific/Auckland"  # where it is already Tuesday
    alice.save()
    vacation = plan_vacation(user=alice, first=date(2026, 5, 6), last=date(2026, 5, 6))
    assert vacation.starts == datetime(2026, 5, 5, 12, tzinfo=UTC)
    with pytest.raises(InvalidVacation):
        plan_vacation(user=alice, first=TODAY, last=TODAY)


def test_reminder_waits_for_the_end_of_the_vacation(clock: Any, game: Game, alice: User) -> None:
    reminders = Notification.objects.filter(kind=Kind.REMINDER)
    assert reminders.get().due == NOON + 2.4 * DAY
    vacation = away(alice)
    assert not reminders.exists()
    clock.move_to(vacation.ends)
    sweep()
    assert reminders.get().due == vacation.ends + 2.4 * DAY


def test_clock_counts_by_the_time_zone_after_the_vacation(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    clock.move_to(NOON)
    game = start(alice, bob, preset="course", terms={"pace": 86400, "off": Game.ClockPauses.WEEKENDS})
    vacation = away(alice)
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    clock.move_to(vacation.ends)
    sweep()
    # It is on the weekend, and in Tokyo Monday begins on Sunday at three in the afternoon.
    assert now_of(game).deadline == datetime(2026, 5, 11, 15, tzinfo=UTC)


def test_broken_game_stops_neither_other_clocks_nor_timeouts(
    clock: Any,
    game: Game,
    start: NewGame,
    alice: User,
    bob: User,
    carol: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = start(alice, bob, preset="course", terms={"pace": 3 * 86400})
    late = start(carol, bob, preset="course", terms={"pace": 3600})
    away(alice, later=1)
    clock.move_to(NOON + DAY / 2)
    with monkeypatch.context() as broken:
        break_rulings(broken, game)
        assert sweep() == 1
    assert (now_of(game).time_left, now_of(other).time_left) == (None, 2.5 * DAY)
    assert late.moves.get().text == "grace 0"
    clock.shift(DAY)
    sweep()
    # The time that ran meanwhile is given back once the game is sound again.
    assert now_of(game).time_left == 2.5 * DAY
    assert TaskFailure.objects.get().task == "setting a clock for a vacation"


def test_player_on_vacation_is_not_late_although_the_clock_could_not_be_stopped(
    clock: Any, game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    away(alice, later=1)
    break_rulings(monkeypatch, game)
    for _ in range(4):
        clock.shift(DAY)
        sweep()
    assert now_of(game).deadline < timezone.now()
    assert not game.moves.exists()


def test_broken_game_keeps_nobody_on_vacation(
    clock: Any, game: Game, start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = start(alice, bob, preset="course", terms={"pace": 3 * 86400})
    vacation = away(alice)
    break_rulings(monkeypatch, game)
    end_vacation(user=alice, pk=vacation.pk)
    assert (now_of(game).time_left, now_of(other).time_left) == (3 * DAY, None)


def break_rulings(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    """Make every later ruling in this game fail."""

    def fail(found: Game, *args: Any, **more: Any) -> Any:
        if found.pk == game.pk:
            raise RuntimeError
        return enter_ruling(found, *args, **more)

    monkeypatch.setattr(vacation_clocks, "enter_ruling", fail)


def test_outage_during_a_vacation_costs_nothing(clock: Any, game: Game, alice: User) -> None:
    sweeper.sweep()
    away(alice, 2)
    clock.shift(7 * DAY)
    sweeper.sweep()
    assert now_of(game).deadline == timezone.now() + 3 * DAY


@settings(max_examples=examples(5, 15), suppress_health_check=WITH_ONE_FIXTURE)
@given(st.lists(st.integers(0, 14 * 86400), max_size=6))
def test_repeated_stops_of_a_clock_count_exactly(game: Game, clock: Any, moments: list[int]) -> None:
    clock.move_to(NOON)
    Vacation.objects.all().delete()
    Game.objects.filter(pk=game.pk).update(deadline=NOON + 30 * DAY, time_left=None, last_change_at=NOON)
    ran = timedelta()
    last, runs = NOON, True
    for seconds in sorted(moments):
        moment = NOON + timedelta(seconds=seconds)
        clock.move_to(moment)
        ran += moment - last if runs else timedelta()
        if runs:
            Vacation.objects.create(
                user=game.waiting_for, first=TODAY, last=TODAY, starts=moment, ends=NOON + 60 * DAY
            )
        else:
            Vacation.objects.update(ends=moment)
        apply_vacations()
        last, runs = moment, not runs
        assert game_clock.remaining(now_of(game)) == 30 * DAY - ran


# -- Pages ---------------------------------------------------------------------------------------------


def test_vacation_is_started_and_ended_in_the_settings(
    clock: Any, game: Game, alice: User, client: Client
) -> None:
    client.force_login(alice)
    page = client.get(reverse("settings")).content.decode()
    assert f"You have {ALLOWANCE} of {ALLOWANCE} vacation days left in 2026." in page
    answer = client.post(reverse("plan-vacation"), {"first": "2026-05-04", "last": "2026-05-08"})
    assert answer.status_code == 302
    assert now_of(game).deadline is None
    page = client.get(reverse("settings")).content.decode()
    assert "4 May 2026 – 8 May 2026" in page
    assert "End vacation now" in page
    answer = client.post(reverse("end-vacation", args=[Vacation.objects.get().pk]), follow=True)
    assert now_of(game).deadline is not None
    assert "Welcome back" in answer.content.decode()


def test_cancelled_vacation_shows_no_welcome(clock: Any, game: Game, alice: User, client: Client) -> None:
    client.force_login(alice)
    client.post(reverse("plan-vacation"), {"first": "2026-05-14", "last": "2026-05-18"})
    answer = client.post(reverse("end-vacation", args=[Vacation.objects.get().pk]), follow=True)
    page = answer.content.decode()
    assert "Your vacation is cancelled." in page
    assert "Welcome back" not in page
    assert not Vacation.objects.exists()


def test_ending_a_vacation_that_is_over_or_of_another_shows_a_message(
    clock: Any, game: Game, alice: User, bob: User, client: Client
) -> None:
    ended, planned = away(alice), away(bob, later=10)
    clock.move_to(ended.ends)
    client.force_login(alice)
    for vacation in (ended, planned):
        page = client.post(reverse("end-vacation", args=[vacation.pk]), follow=True).content.decode()
        assert "This vacation is already over or cancelled." in page
        assert "Welcome back" not in page
    assert set(Vacation.objects.all()) == {ended, planned}


@pytest.mark.parametrize(
    "first, last, sentence",
    [
        (
            "2026-05-04",
            "2026-06-30",
            (f"You have only {ALLOWANCE} vacation days left in 2026. Choose fewer days."),
        ),
        ("2026-05-01", "2026-05-09", "Choose days from today up to a year ahead."),
        ("soon", "2026-05-09", "Enter a valid date."),
        ("", "", "This field is required."),
    ],
)
def test_invalid_vacation_is_refused_and_the_form_kept(
    first: str, last: str, sentence: str, clock: Any, game: Game, alice: User, client: Client
) -> None:
    client.force_login(alice)
    answer = client.post(reverse("plan-vacation"), {"first": first, "last": last})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert f'value="{last}"' in answer.content.decode() or not last
    assert not Vacation.objects.exists()


def test_guests_have_no_vacation(game: Game, guest: User, client: Client) -> None:
    client.force_login(guest)
    assert (
        client.post(reverse("plan-vacation"), {"first": "2026-05-04", "last": "2026-05-05"}).status_code
        == 403
    )


def test_others_see_who_is_away_and_until_when(
    clock: Any, game: Game, alice: User, bob: User, client: Client
) -> None:
    away(alice)
    client.force_login(bob)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "alice is on vacation until 8 May." in page
    assert "Clock paused" in page
    assert "On vacation until 8 May 2026." in client.get(reverse("player", args=["alice"])).content.decode()


def test_vacations_of_a_deleted_account_are_deleted(game: Game, alice: User) -> None:
    from accounts.membership.account_deletion import delete_account

    away(alice)
    delete_account(alice)
    assert not Vacation.objects.exists()
