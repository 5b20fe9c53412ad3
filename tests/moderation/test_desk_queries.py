"""With 100,000 games the desk asks as few questions as with none, and no list of all games is walked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from psycopg import sql

from accounts.models import User
from games.models import Game
from games.moderation.desk.moderation_desk import desk
from tests.support.games import play_on, play_to_the_end

pytestmark = pytest.mark.django_db

MANY = 100_000
LOT = 5_000


@pytest.fixture
def many(start: Callable[..., Game], alice: User, bob: User) -> None:
    """So many games, half of them running with a clock, half over; those who are asked are not late."""
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
        " FROM games_game, generate_series(%s, %s) AS n WHERE id = %s ON CONFLICT DO NOTHING"
    ).format(names=sql.SQL(", ").join(map(sql.Identifier, same)))
    with connection.cursor() as cursor:
        # No question may take the database longer than a page may wait.
        for first in range(1, times + 1, LOT):
            last = min(first + LOT - 1, times)
            cursor.execute(told, [f"id {game.pk} ", f"code {game.pk} ", first, last, game.pk])


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    """The questions that the database is asked meanwhile, with their parameters."""
    found: list[tuple[str, Any]] = []

    def note(execute: Any, question: str, params: Any, many: bool, context: Any) -> Any:
        found.append((question, params))
        return execute(question, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def walked(question: str, params: Any) -> set[str]:
    """The tables that the database reads from one end to the other to answer."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {question}", params)
        [plan] = cursor.fetchone()[0]
    return set(_walked(plan["Plan"]))


def _walked(plan: dict[str, Any]) -> Iterator[str]:
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"]
    for part in plan.get("Plans", []):
        yield from _walked(part)


def test_no_list_of_all_games_is_walked_for_the_desk(many: None) -> None:
    mona = User.objects.create_superuser("mona")
    with asked() as questions:
        assert not any(desk(timezone.now(), mona).values())
    assert len(questions) == 5
    for question, params in questions:
        assert "games_game" not in walked(question, params), question


def test_a_question_without_an_index_would_be_seen(many: None) -> None:
    with asked() as questions:
        list(Game.objects.filter(name="no such name"))
    [(question, params)] = questions
    assert "games_game" in walked(question, params)
