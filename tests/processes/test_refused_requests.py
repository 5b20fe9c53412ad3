"""A web process notes the requests that it refuses, for its sign of life."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.clocks.overload import QUIET
from games.models import ProcessSign
from games.processes.process_signs import SignOfLife
from games.processes.refused_requests import RefusedRequests

MINUTE = timedelta(minutes=1)


def test_first_and_last_refusal_are_kept(clock: Any) -> None:
    refused, began = RefusedRequests(), timezone.now()
    refused.note()
    clock.shift(QUIET)
    refused.note()
    assert refused.columns(timedelta()) == {"refusing_since": began, "refused_at": began + QUIET}
    assert refused.noted.is_set()


def test_refusal_after_a_quiet_time_counts_as_the_first(clock: Any) -> None:
    refused = RefusedRequests()
    refused.note()
    clock.shift(QUIET + timedelta(seconds=1))
    refused.note()
    assert refused.columns(timedelta())["refusing_since"] == timezone.now()


def test_times_are_those_of_the_database(clock: Any) -> None:
    refused = RefusedRequests()
    refused.note()
    assert refused.columns(MINUTE)["refused_at"] == timezone.now() - MINUTE


def test_process_that_refused_nothing_shows_nothing() -> None:
    assert RefusedRequests().columns(timedelta()) == {}


@pytest.mark.django_db
def test_sign_of_life_shows_the_refusals(clock: Any) -> None:
    refused = RefusedRequests()
    sign = SignOfLife(ProcessSign.Kind.WEB, refused=refused)
    sign.show()
    assert ProcessSign.objects.get().refused_at is None
    refused.note()
    sign.show()
    assert ProcessSign.objects.get().refused_at == timezone.now()
