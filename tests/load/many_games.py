"""Many stored games: their size, the query plans, and the time of pages.

In a PostgreSQL of its own: `python -m tests.load.many_games GAMES` is the process that fills the empty
database of the settings and measures; `scale()` starts both.
"""

import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import partial
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from tests.load.measurements import Figure, show
from tests.support.measured_site import create_tables, site_environment
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

MEMBERS = 2000
# One in this number of games is played through `play_move` for comparison; number of games replayed.
ONE_SERVED, REPLAYED = 500, 50
STORED, LOGGED = 1_000_000, 100_000_000
ROUNDS = 20
SMALLEST = 64 * 1024


def scale(games: int) -> int:
    """Measure with this number of games; return the exit code of the measuring process."""
    initdb = available_services.find("postgres").path
    assert initdb, "This needs an installed PostgreSQL."
    with Postgres(initdb) as postgres, tempfile.TemporaryDirectory() as folder:
        env = site_environment(folder, postgres.url)
        command = [sys.executable, "-m", "tests.load.many_games", str(games)]
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


# -- In the process of a site --------------------------------------------------------------------------


def measure(games: int) -> Iterator[Figure]:
    """Fill the database and yield all figures."""
    create_tables()
    from django.db import connection

    reader, moves = yield from _fill(games)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    yield from _sizes(games, moves)
    yield from _pages(reader)


def _fill(games: int) -> Generator[Figure, None, tuple[Any, int]]:
    """Create members and games, yield figures about them, and return the reader and the number of moves."""
    from accounts.models import User
    from tests.load import fill_database

    rng = Random(0)
    reader = User.objects.create_user("reader")
    names = (f"member{number:05}" for number in range(MEMBERS))
    members = User.objects.bulk_create([User(username=name, password="!") for name in names])
    began = perf_counter()
    moves = fill_database.fill(games, members, reader, rng)
    yield "scale_games", games, "games"
    yield "scale_moves", moves, "moves"
    yield "scale_filling", perf_counter() - began, "s"
    yield "scale_replay_faults", len([*fill_database.faults(REPLAYED)]), f"of {REPLAYED} games"
    before = _newest()
    fill_database.served(max(1, games // ONE_SERVED), members, rng)
    yield "scale_move_row_bulk", _row(1, before), "bytes"
    yield "scale_move_row_services", _row(before + 1, _newest()), "bytes"
    return reader, moves


def _newest() -> int:
    from games.models import LogEntry

    return LogEntry.objects.latest("pk").pk


def _row(first: int, last: int) -> float:
    """Average bytes of the log entries with keys from first to last."""
    sql = "SELECT avg(pg_column_size(m.*)) FROM games_logentry m WHERE id BETWEEN %s AND %s"
    return float(_asked(sql, first, last)[0][0])


def _asked(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def _sizes(games: int, moves: int) -> Iterator[Figure]:
    """Bytes of tables and indexes per game, and projected to very many games."""
    rows = _asked(
        "SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class"
        " WHERE relkind = 'r' AND relname LIKE 'games_%%' ORDER BY pg_total_relation_size(oid) DESC"
    )
    large = [row for row in rows if row[1] > SMALLEST]
    for name, table, indexes in large:
        yield f"scale_{name}", table / games, "bytes/game"
        yield f"scale_{name}_indexes", indexes / games, "bytes/game"
    log = sum(table + indexes for name, table, indexes in large if name == "games_logentry")
    rest = sum(table + indexes for name, table, indexes in large if name != "games_logentry")
    yield "scale_log", log / moves, "bytes/move"
    yield "scale_besides_log", rest / games, "bytes/game"
    yield (
        f"scale_{STORED}_games_{LOGGED}_moves",
        (log / moves * LOGGED + rest / games * STORED) / 2**30,
        "GiB",
    )


def _pages(reader: Any) -> Iterator[Figure]:
    """Query plans and times of all pages whose queries could grow, and of the sweeper."""
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from games import sweeper
    from games.models import Game
    from games.moderation import site_health
    from tests.load import query_plans

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(reader)
    for name, path in _paths(Game.objects.filter(seats__user=reader)).items():
        yield from query_plans.figures(name, partial(client.get, path))
        times = []
        for _ in range(ROUNDS):
            began = perf_counter()
            answer = client.get(path)
            times.append((perf_counter() - began) * 1e3)
            assert answer.status_code in {200, 302}, (path, answer.status_code)
        yield f"scale_{name}_page", median(times), "ms"
    yield from query_plans.figures("sweeper", sweeper.sweep)
    yield from query_plans.figures(
        "doctor", lambda: (site_health.metrics(), site_health.health_problems(timezone.now()))
    )


def _paths(mine: Any) -> dict[str, str]:
    """Addresses of pages by name, including pages deep inside lists."""
    running = mine.filter(status="running").first()
    over = mine.filter(status="finished").order_by("finished")[mine.filter(status="finished").count() // 2]
    place = f"?after={int(over.finished.timestamp() * 1e6)}-{over.pk}"
    return {
        "lobby": "/",
        "next": "/next/",
        "waiting": "/waiting/",
        "open": "/games/open/",
        "running": "/games/running/",
        "finished": "/games/finished/",
        "finished_deep": f"/games/finished/{place}",
        "mine": "/games/mine/",
        "mine_deep": f"/games/mine/{place}",
        "player": "/players/reader/",
        "table_running": f"/games/{running.public_id}/",
        "table_over": f"/games/{over.public_id}/",
        "log": f"/games/{over.public_id}/log/",
    }


def main() -> int:
    show(measure(int(sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
