"""Twins of the tests of players who leave a live table: they let an absence of the site count."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.clocks import site_presence
from games.play.seats.left_seats import Company
from tests.support.games import NewGame
from tests.support.live_rounds import (
    LIVE,
    LiveTable,
    absence_of_the_site_counts_for_nobody,
    opened,
    outage_in_front_of_the_site_takes_no_seat,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(
    clock: Any, monkeypatch: pytest.MonkeyPatch, start: NewGame, alice: User, bob: User, carol: User
) -> LiveTable:
    live = LiveTable(clock, monkeypatch, start(alice, bob, carol, preset="course", terms=LIVE))
    return opened(live, alice, bob, carol)


def test_absence_of_the_site_counts_for_nobody(table: LiveTable, alice: User, carol: User) -> None:
    absence_of_the_site_counts_for_nobody(table, alice, carol)


def test_absence_of_the_site_that_counts_is_detected(
    table: LiveTable, alice: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Company, "look", lambda _self, _now: [table.game.pk])
    monkeypatch.setattr(site_presence, "there_since", lambda: timezone.now() - timedelta(days=1))
    with pytest.raises(AssertionError, match="lost by an absence of the site"):
        absence_of_the_site_counts_for_nobody(table, alice, carol)


def test_company_that_has_just_come_and_takes_seats_is_detected(
    table: LiveTable, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Company, "look", lambda _self, _now: [table.game.pk])
    with pytest.raises(AssertionError, match="lost by an outage in front of the site"):
        outage_in_front_of_the_site_takes_no_seat(table, carol, alice, bob)
