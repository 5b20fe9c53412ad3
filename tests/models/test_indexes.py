"""Frequent queries read by an index, never all games."""

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
from games.play.automation import due_answers
from games.play.deadlines import vacation_clocks
from games.showcase import live_games

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def no_sequential_scans() -> Iterator[None]:
    """Forbid sequential scans, which PostgreSQL prefers for the small tables of a test."""
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
    "game_to_watch or game_running or game_live": lambda: live_games.watchable().values("pk"),
    "game_answer_due": lambda: due_answers.games_with_due_answers(timezone.now()).values("pk"),
    "game_deadline": lambda: site_health.overdue(timezone.now()),
    "move_of_person": moves_of_a_minute,
    "story_to_tell": lambda: assessment.reviews_due(timezone.now()).values("game"),
    "one_entry_a_number or (game_id=?)": lambda: LogEntry.objects.filter(game=1),
}


@pytest.mark.parametrize("indexes", QUERIES)
def test_frequent_query_uses_an_index(indexes: str) -> None:
    """The choice between two indexes depends on how many rows the database expects."""
    plan = QUERIES[indexes]().explain()
    assert any(index in plan for index in indexes.split(" or ")), plan
    assert not reads_all_games(plan), plan


def test_search_for_stuck_games_skips_finished_games() -> None:
    """The choice between the indexes of running games depends on how many rows the database expects."""
    plan = site_health.stuck(timezone.now()).explain()
    assert "game_due" in plan, plan
    assert not reads_all_games(plan), plan


def test_scan_of_all_games_is_detected() -> None:
    """The twin: a column without an index."""
    assert reads_all_games(Game.objects.filter(name="x").explain())


def test_foreign_keys_of_the_log_have_no_index_of_their_own() -> None:
    """The other indexes of the table begin with the same columns."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, LogEntry._meta.db_table).values()
    alone = [one for one in found if len(one["columns"]) == 1 and not one["primary_key"]]
    assert {one["columns"][0] for one in alone if one["foreign_key"]} == {"game_id", "user_id"}
    assert {one["columns"][0] for one in alone if one["index"]} == set()


def reads_all_games(plan: str) -> bool:
    """Return whether a plan scans the whole table of games, or the whole log."""
    whole = [line for line in plan.splitlines() if "games_game" in line or "games_logentry" in line]
    return any("Seq Scan" in line or ("SCAN" in line and "INDEX" not in line) for line in whole)
