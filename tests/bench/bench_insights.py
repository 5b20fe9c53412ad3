"""Insights of a member with 100,000 rated decisions beside many others, in a PostgreSQL of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from tests.support.measured_site import create_tables, site_environment
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

OWN = 100_000
PEERS, OF_EACH_PEER = 60, 3_000
OF_EACH_LEVEL = 20_000
WARM_UP, ROUNDS = 3, 25


def insights() -> Iterator[tuple[str, float | str, str]]:
    """Queries and milliseconds of the page, and milliseconds without the reader's stored sums."""
    found = available_services.find("postgres")
    if found.path is None:
        yield "insights_100k_ms", f"skipped: {found.reason}", "ms"
        return
    with Postgres(found.path) as postgres, tempfile.TemporaryDirectory() as folder:
        environment = site_environment(folder, postgres.url)
        command = [sys.executable, "-m", "tests.bench.bench_insights"]
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            for line in process.stdout or ():
                name, value, unit = json.loads(line)
                yield name, value, unit
        if process.returncode:
            raise RuntimeError("Insights could not be measured.")


# -- In the process of the site ------------------------------------------------------------------------


def serve() -> None:
    """Fill the database of the settings and print the figures."""
    create_tables()
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from games.models import InsightSum

    reader = _fill()
    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(reader)
    page = client.get("/insights/").content
    assert b"100000" in page and b"30 other members" in page, page
    with CaptureQueriesContext(connection) as captured:
        client.get("/insights/")
    _print("insights_100k_queries", len(captured), "queries")
    times = [_timed(client) for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
    _print("insights_100k_ms", median(times), "ms")
    InsightSum.objects.filter(user=reader).delete()
    times = [_timed(client) for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
    _print("insights_from_rows_ms", median(times), "ms")


def _print(name: str, value: float, unit: str) -> None:
    print(json.dumps([name, value, unit]), flush=True)


def _timed(client: Any) -> float:
    began = perf_counter()
    client.get("/insights/")
    return (perf_counter() - began) * 1e3


def _fill() -> Any:
    """Create decisions of a reader, of members of a similar rating and of the levels; return the reader."""
    from django.db import connection

    from accounts.models import User
    from games.engine.bots.bot_levels import BOTS
    from games.insights.insight_sums import store_sums
    from games.models import Game, GameReview, Rating

    names = ["reader", *(f"peer{number:03}" for number in range(PEERS))]
    members = User.objects.bulk_create(User(username=name, skeleton=name, password="!") for name in names)
    rng, now = Random(1), datetime(2026, 1, 1, tzinfo=UTC)
    Rating.objects.bulk_create(
        Rating(system="acquire", user=member, mu=mu, sigma=3, games=30, wins=9, standing=mu, ranked=True)
        for member in members
        for mu in [rng.uniform(24, 26)]
    )
    # One game holds them all: only their owners matter.
    game = Game.objects.create(
        system="acquire", preset="classic", host=members[0], status="finished", state={}, seed=b"s" * 32,
        started=now, finished=now,
    )  # fmt: skip
    review = GameReview.objects.create(game=game, done=now, counted=now)
    owners: list[dict[str, Any]] = [{"user": members[0]}] * OWN
    owners += [{"user": peer} for peer in members[1:] for _ in range(OF_EACH_PEER)]
    owners += [{"level": level} for level in BOTS["acquire"] for _ in range(OF_EACH_LEVEL)]
    rng.shuffle(owners)
    _create(review, owners, rng)
    for member in members:
        store_sums({"user": member}, "acquire")
    for level in BOTS["acquire"]:
        store_sums({"level": level}, "acquire")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return members[0]


def _create(review: Any, owners: list[dict[str, Any]], rng: Random) -> None:
    from games.models import GameMoney, RatedDecision
    from games.models.playable_systems import playable_systems

    system = playable_systems()["acquire"]
    RatedDecision.objects.bulk_create(
        (
            RatedDecision(
                review=review,
                number=number,
                system="acquire",
                theme=rng.choice(system.THEMES),
                third=rng.randint(1, 3),
                tier=rng.randint(0, 3),
                lost=max(0.0, rng.gauss(0, 0.04)),
                **owner,
            )
            for number, owner in enumerate(owners)
        ),
        batch_size=5000,
    )
    # A game has thirty decisions of a player, and money from each source.
    GameMoney.objects.bulk_create(
        (
            GameMoney(review=review, system="acquire", source=source, dollars=rng.randint(0, 9000), **owner)
            for owner in owners[::30]
            for source in system.MONEY_SOURCES
        ),
        batch_size=5000,
    )


if __name__ == "__main__":
    serve()
