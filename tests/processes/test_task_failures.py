"""Tasks that fail are counted."""

from datetime import timedelta

import pytest
from celery import Celery
from django.db import DatabaseError
from django.utils import timezone

from accounts.models import User
from games import sweeper
from games.clocks import machine_clock
from games.lobby import departures
from games.models import TaskFailure
from games.processes import task_failures
from tests.support.games import NewGame


@pytest.mark.django_db
def test_failures_of_a_task_are_counted_without_their_message() -> None:
    task_failures.record("games.tasks.deliver", ValueError("5C of a hand"))
    task_failures.record("games.tasks.deliver", KeyError("5C"))
    found = TaskFailure.objects.get()
    assert (found.times, found.error) == (2, "KeyError")


def test_counting_never_hides_the_failure_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(task_failures.transaction, "atomic", fail)
    task_failures.record("games.tasks.deliver", ValueError())


@pytest.mark.django_db
def test_failure_is_noted_by_the_clock_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_clock, "database_offset", lambda: timedelta(hours=2))
    task_failures.record("games.tasks.deliver", ValueError())
    assert TaskFailure.objects.get().last < timezone.now() - timedelta(minutes=119)


@pytest.mark.django_db
def test_task_that_fails_is_counted() -> None:
    app = Celery("trial", broker="memory://", set_as_current=False)

    @app.task(name="trial.fail")
    def fail() -> None:
        raise ValueError

    fail.apply()
    assert TaskFailure.objects.get().task == "trial.fail"


@pytest.mark.django_db
def test_part_of_a_round_of_the_sweeper_that_fails_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ValueError

    monkeypatch.setattr(sweeper, "deliver_due", fail)
    sweeper.sweep()
    sweeper.sweep()
    found = TaskFailure.objects.get()
    assert (found.task, found.times, found.error) == ("the sweeper", 2, "ValueError")


@pytest.mark.django_db
def test_seat_that_a_banned_member_keeps_is_counted(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError

    start(alice, bob)
    monkeypatch.setattr(departures, "_give_up", fail)
    departures.forfeit_all_seats(alice)
    assert TaskFailure.objects.get().task == "giving up the seat of a banned member"
