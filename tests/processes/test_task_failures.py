"""Tasks that fail are counted."""

import pytest
from celery import Celery
from django.db import DatabaseError

from acquire_site import worker_signs
from games.models import TaskFailure
from games.processes import task_failures


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
def test_a_task_that_fails_is_counted() -> None:
    assert worker_signs.count_failure
    app = Celery("trial", broker="memory://", set_as_current=False)

    @app.task(name="trial.fail")
    def fail() -> None:
        raise ValueError

    fail.apply()
    assert TaskFailure.objects.get().task == "trial.fail"
