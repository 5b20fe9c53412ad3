"""A prepared query gives the same answers as Django's own, each time for its own values."""

import importlib
from datetime import timedelta
from threading import Thread
from typing import Any

import django
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.models import CharField, DateTimeField
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.clocks.vacations import with_vacations
from games.lobby.game_start import start_game
from games.models import Game, Seat, prepared_query
from games.models.prepared_query import Placeholder, PreparedQuery, set_prefetched
from games.play.deadlines.vacation_clocks import plan_vacation
from tests.support.games import NewGame

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BY_NAME = PreparedQuery(lambda: Game.objects.filter(public_id=Placeholder("name", CharField())))
SEATS = PreparedQuery(
    lambda: with_vacations(Seat.objects.select_related("user"), Placeholder("now", DateTimeField())).filter(
        game=Placeholder("game")
    )
)


def test_prepared_query_answers_each_call_for_its_own_values(start: NewGame, alice: User, bob: User) -> None:
    games = [start(alice, bob) for _ in range(3)]
    for game in games:
        assert BY_NAME.rows(name=game.public_id) == [game]
    assert BY_NAME.first(name="nowhere") is None


def test_rows_equal_those_that_django_reads(start: NewGame, alice: User, bob: User) -> None:
    game, today = start(alice, bob), timezone.localdate()
    plan_vacation(user=alice, first=today, last=today + timedelta(days=2))
    now = timezone.now()
    plain = list(with_vacations(game.seats.select_related("user"), now))
    with CaptureQueriesContext(connection) as taken:
        rows = SEATS.rows(game=game.pk, now=now)
        told = [(seat.number, seat.user, seat.away) for seat in rows]  # type: ignore[attr-defined]
    assert told == [(seat.number, seat.user, seat.away) for seat in plain]  # type: ignore[attr-defined]
    assert {away for _number, _user, away in told} == {today + timedelta(days=2), None}
    assert len(taken) == 1


def test_deferred_columns_stay_unread(start: NewGame, alice: User, bob: User) -> None:
    start(alice, bob)
    found = BY_NAME.first(name=Game.objects.get().public_id)
    assert found is not None
    assert found.get_deferred_fields() == {"state", "seed"}


def test_withheld_system_is_left_out_at_once_and_comes_back(alice: User, bob: User, settings: Any) -> None:
    settings.ACQUISITION_PERMISSION = "the designer, today"
    game = start_game(system="acquisition", preset="standard", host=alice, players=[alice, bob])
    for permission, there in (("the designer, today", [game]), ("", []), ("somebody, then", [game])):
        settings.ACQUISITION_PERMISSION = permission
        assert BY_NAME.rows(name=game.public_id) == there


def test_missing_value_raises_and_sends_no_query() -> None:
    with CaptureQueriesContext(connection) as taken, pytest.raises(KeyError):
        BY_NAME.rows()
    assert not taken.captured_queries


@pytest.mark.django_db(transaction=True)
def test_threads_get_their_own_answers(start: NewGame, alice: User, bob: User) -> None:
    games = [start(alice, bob) for _ in range(4)]
    wrong: list[str] = []

    def ask(game: Game) -> None:
        try:
            wrong.extend(str(game) for _ in range(50) if BY_NAME.rows(name=game.public_id) != [game])
        finally:
            connection.close()

    threads = [Thread(target=ask, args=[game]) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_prefetched_rows_are_not_queried_again(start: NewGame, alice: User, bob: User) -> None:
    game = Game.objects.get(pk=start(alice, bob).pk)
    rows = SEATS.rows(game=game.pk, now=timezone.now())
    set_prefetched(rows, game, "seats", "game")
    with CaptureQueriesContext(connection) as taken:
        assert list(game.seats.all()) == rows
        assert all(seat.game is game for seat in rows)
    assert not taken.captured_queries
    # A narrower query is still restricted to this game.
    start(alice, bob)
    assert [seat.game_id for seat in game.seats.filter(number=0)] == [game.pk]


def test_unknown_django_is_refused_at_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(django, "VERSION", (6, 0, 0, "final", 0))
    with pytest.raises(ImproperlyConfigured, match=r"Django 6\.0: see .*/decisions/prepared_query\.md"):
        importlib.reload(prepared_query)
