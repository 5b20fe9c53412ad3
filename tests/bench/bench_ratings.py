"""The leaderboard with 100,000 members and the counting of many games, in a PostgreSQL of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from tests.support.measured_site import create_tables, site_environment
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

MEMBERS = 100_000
GAMES = 5_000
WARM_UP, ROUNDS = 3, 25


def leaderboard() -> Iterator[tuple[str, float | str, str]]:
    """Times of the first and the middle page for a reader near the end, and of a full recount."""
    found = available_services.find("postgres")
    if found.path is None:
        yield "leaderboard_100k_ms", f"skipped: {found.reason}", "ms"
        return
    with Postgres(found.path) as postgres, tempfile.TemporaryDirectory() as folder:
        environment = site_environment(folder, postgres.url)
        command = [sys.executable, "-m", "tests.bench.bench_ratings"]
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            for line in process.stdout or ():
                name, value, unit = json.loads(line)
                yield name, value, unit
        if process.returncode:
            raise RuntimeError("The leaderboard could not be measured.")


# -- In the process of the site ------------------------------------------------------------------------


def serve() -> None:
    """Fill the database of the settings and print the figures."""
    create_tables()
    from django.conf import settings
    from django.test import Client

    reader, middle = _fill_members()
    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(reader)
    for name, url in (
        ("leaderboard_first", "/leaderboard/acquire/"),
        ("leaderboard_100k", f"/leaderboard/acquire/?after={middle}"),
    ):
        page = client.get(url).content
        assert page.count(b"<tr") >= 50, page
        _print(f"{name}_queries", _queries(client, url), "queries")
        times = [_timed(lambda url=url: client.get(url)) for _ in range(WARM_UP + ROUNDS)]
        _print(f"{name}_ms", median(times[WARM_UP:]) * 1e3, "ms")
    from games.ratings.rating_history import recount

    _fill_games(reader)
    took = _timed(lambda: recount("acquire"))
    _print("ratings_from_scratch", GAMES / took, "games/s")


def _print(name: str, value: float, unit: str) -> None:
    print(json.dumps([name, value, unit]), flush=True)


def _timed(work: Any) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _queries(client: Any, url: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        client.get(url)
    return len(captured)


def _fill_members() -> tuple[Any, str]:
    """Create rated members; return one near the end, and the cursor of the middle page."""
    from django.db import connection

    from accounts.models import User
    from games.models import Rating

    rng = Random(1)
    names = (f"member{number:06}" for number in range(MEMBERS))
    members = User.objects.bulk_create(
        (User(username=name, skeleton=name, password="!") for name in names), batch_size=5000
    )
    strengths = sorted((rng.gauss(25, 6) for _ in members), reverse=True)
    Rating.objects.bulk_create(
        (
            Rating(system="acquire", user=member, mu=mu, sigma=3, games=30, wins=9, standing=mu, ranked=True)
            for member, mu in zip(members, strengths, strict=True)
        ),
        batch_size=5000,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return members[-100], f"{strengths[MEMBERS // 2]!r}_{members[MEMBERS // 2].pk}"


def _fill_games(host: Any) -> None:
    """Create games of four that ended one after the other, with random places."""
    from accounts.models import User
    from games.models import Game, GameOutcome

    rng = Random(2)
    members = list(User.objects.values_list("pk", flat=True)[:500])
    first = datetime(2026, 1, 1, tzinfo=UTC)
    ends = [first + timedelta(minutes=9 * number) for number in range(GAMES)]
    same = {"system": "acquire", "preset": "classic", "host": host, "rated": True, "status": "finished"}
    games = Game.objects.bulk_create(
        [Game(**same, state={}, seed=b"s" * 32, started=at, finished=at) for at in ends], batch_size=1000
    )
    GameOutcome.objects.bulk_create(
        [
            GameOutcome(
                game=game,
                system="acquire",
                players=4,
                finished=game.finished,
                places=[[who, rank] for rank, who in enumerate(rng.sample(members, 4), start=1)],
            )
            for game in games
        ],
        batch_size=1000,
    )


if __name__ == "__main__":
    serve()
