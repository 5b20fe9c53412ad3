"""The desk takes as few queries with 100,000 games as with none, and scans no table of games."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from psycopg import sql

from accounts.models import User
from games.models import Game
from games.moderation.desk.moderation_desk import desk
from tests.support.games import NewGame, play_on, play_to_the_end

pytestmark = pytest.mark.django_db

MANY = 100_000
LOT = 5_000


@pytest.fixture
def many(start: NewGame, alice: User, bob: User) -> None:
    """Create this many games: half of them running with a clock and not overdue, half finished."""
    if connection.vendor != "postgresql":
        pytest.skip("needs postgres: SQLite tells nothing of how it would fare with many rows")
    running = play_on(start(alice, bob, terms={"pace": 86400}), 4)
    over = play_to_the_end(start(alice, bob))
    Game.objects.update(state={})
    for game in (running, over):
        _copy(game, MANY // 2)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_game")


def _copy(game: Game, times: int) -> None:
    own = {"id", "public_id", "invite_code"}
    same = [column.column for column in Game._meta.concrete_fields if column.column not in own]
    told = sql.SQL(
        "INSERT INTO games_game (public_id, invite_code, {names})"
        " SELECT substr(md5(%s || n), 1, 10), substr(md5(%s || n), 1, 16), {names}"
        " FROM games_game, generate_series(%s::integer, %s::integer) AS n WHERE id = %s"
        " ON CONFLICT DO NOTHING"
    ).format(names=sql.SQL(", ").join(map(sql.Identifier, same)))
    with connection.cursor() as cursor:
        # No query may take longer than a page may wait.
        for first in range(1, times + 1, LOT):
            last = min(first + LOT - 1, times)
            cursor.execute(told, [f"id {game.pk} ", f"code {game.pk} ", first, last, game.pk])


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    """Collect the queries that are sent meanwhile, with their parameters."""
    found: list[tuple[str, Any]] = []

    def note(execute: Any, question: str, params: Any, many: bool, context: Any) -> Any:
        found.append((question, params))
        return execute(question, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def walked(question: str, params: Any) -> set[str]:
    """Return the tables that the database scans to answer."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {question}", params)
        [plan] = cursor.fetchone()[0]
    return set(_walked(plan["Plan"]))


def _walked(plan: dict[str, Any]) -> Iterator[str]:
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"]
    for part in plan.get("Plans", []):
        yield from _walked(part)


def test_desk_scans_no_table_of_games(many: None) -> None:
    mona = User.objects.create_superuser("mona")
    with asked() as questions:
        assert not any(desk(timezone.now(), mona).values())
    assert len(questions) == 5
    for question, params in questions:
        assert "games_game" not in walked(question, params), question


def test_query_without_an_index_is_detected(many: None) -> None:
    with asked() as questions:
        list(Game.objects.filter(name="no such name"))
    [(question, params)] = questions
    assert "games_game" in walked(question, params)
