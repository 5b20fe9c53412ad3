"""What runs again and again reads by an index, and never all games."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.analysis import assessment
from games.models import Game, LogEntry
from games.moderation import site_health
from games.play.deadlines import vacation_clocks

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def by_an_index_where_there_is_one() -> Iterator[None]:
    """A table of a test is so small that PostgreSQL would rather read all of it."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET enable_seqscan = off")
    yield
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("RESET enable_seqscan")


def moves_of_a_minute() -> QuerySet[Any]:
    person = User.objects.create_user("alice")
    made = LogEntry.objects.filter(user=person, kind="move", origin="", created_at__gt=timezone.now())
    return made.order_by("-created_at").values_list("created_at", flat=True)[:30]


QUERIES: dict[str, Callable[[], QuerySet[Any]]] = {
    "game_asked or game_deadline": lambda: vacation_clocks.to_stop().order_by().values("pk"),
    "game_stopped": lambda: vacation_clocks.to_start().order_by().values("pk"),
    "game_running": lambda: Game.objects.filter(status=Game.Status.RUNNING).order_by().values("pk"),
    "game_open": lambda: Game.objects.filter(status=Game.Status.OPEN).order_by().values("pk"),
    "game_deadline": lambda: site_health.overdue(timezone.now()),
    "move_of_person": moves_of_a_minute,
    "story_to_tell": lambda: assessment.reports_due(timezone.now()).values("game"),
    "one_entry_a_number or (game_id=?)": lambda: LogEntry.objects.filter(game=1),
}


@pytest.mark.parametrize("indexes", QUERIES)
def test_it_is_found_by_an_index(indexes: str) -> None:
    """Which of two it is hangs on how many rows the database thinks there are."""
    plan = QUERIES[indexes]().explain()
    assert any(index in plan for index in indexes.split(" or ")), plan
    assert not reads_all_games(plan), plan


def test_stuck_games_are_not_looked_for_among_those_that_are_over() -> None:
    """Which of the indexes of running games is taken hangs on how many the database thinks there are."""
    plan = site_health.stuck(timezone.now()).explain()
    assert "game_due" in plan, plan
    assert not reads_all_games(plan), plan


def test_what_reads_all_games_would_be_noticed() -> None:
    """The twin: a column without an index."""
    assert reads_all_games(Game.objects.filter(name="x").explain())


def test_the_log_has_foreign_keys_without_indexes_of_their_own() -> None:
    """Its other indexes begin with the same columns."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, LogEntry._meta.db_table).values()
    alone = [one for one in found if len(one["columns"]) == 1 and not one["primary_key"]]
    assert {one["columns"][0] for one in alone if one["foreign_key"]} == {"game_id", "user_id"}
    assert {one["columns"][0] for one in alone if one["index"]} == set()


def reads_all_games(plan: str) -> bool:
    """Whether a plan reads the table of games, or the log, from end to end."""
    whole = [line for line in plan.splitlines() if "games_game" in line or "games_logentry" in line]
    return any("Seq Scan" in line or ("SCAN" in line and "INDEX" not in line) for line in whole)
