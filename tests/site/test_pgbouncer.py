"""The site through PgBouncer in transaction mode, where a connection lasts for one transaction."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.support.played_site import ROOT, missing
from tests.support.settings_process import PRODUCTION
from tests.tools import available_services, pgbouncer_server
from tests.tools.available_services import environment
from tests.tools.pgbouncer_server import PgBouncer
from tests.tools.postgres_server import Postgres

pytestmark = pytest.mark.site

THREADS, TURNS = 8, 15

PLAY = """
from django.db import connection
from accounts.models import User
from games.lobby.game_start import start_game
from games.models import Game, LogEntry
from tests.support.games import play_to_the_end

alice = User.objects.create_user("alice")
games = [
    start_game(system="acquire", preset="classic", host=alice, players=[alice, "random"]) for _ in range(3)
]
print("ENDED", play_to_the_end(games[0]).finished is not None)
seen = []
for entry in LogEntry.objects.order_by("pk").iterator(chunk_size=10):
    seen.append(entry.pk)
    Game.objects.filter(pk=games[1].pk).exists()
print("ITERATED", len(seen) == LogEntry.objects.count() > 50)
with connection.cursor() as cursor:
    for name in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "TimeZone"):
        cursor.execute(f"SHOW {name}")
        print("SHOWN", name, cursor.fetchone()[0])
"""

RACE = f"""
from concurrent.futures import ThreadPoolExecutor
from django.db import connection, transaction
from accounts.models import User

bob = User.objects.create_user("bob", mail_delay=0)

def count_up(_):
    for _ in range({TURNS}):
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=bob.pk)
            user.mail_delay += 1
            user.save(update_fields=["mail_delay"])
    connection.close()

with ThreadPoolExecutor({THREADS}) as pool:
    list(pool.map(count_up, range({THREADS})))
bob.refresh_from_db()
print("COUNTED", bob.mail_delay)
"""


class Site:
    """A database, and management commands that reach it through PgBouncer or directly."""

    def __init__(self, postgres: Postgres, bouncer: PgBouncer) -> None:
        self._postgres, self._bouncer = postgres, bouncer

    def manage(self, *arguments: str, direct: bool = False, **env: str) -> subprocess.CompletedProcess[str]:
        address = {"DATABASE_URL": self._postgres.url if direct else self._bouncer.url}
        pooled = {} if direct else {"PGBOUNCER": "1", "DB_POOL": "8"}
        settings = {"DJANGO_SETTINGS_MODULE": "acquire_site.settings", "REDIS_URL": "redis://127.0.0.1:1/0"}
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env={**environment(), **PRODUCTION, **settings, **address, **pooled, **env},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, code: str) -> list[str]:
        done = self.manage("shell", "--no-imports", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    initdb = available_services.find("postgres").path
    if not initdb:
        missing("postgres")
    if not pgbouncer_server.is_installed():
        pytest.skip("PgBouncer is not installed")
    with Postgres(initdb) as postgres, PgBouncer(postgres) as bouncer:
        site = Site(postgres, bouncer)
        for command in ("migrate", "createcachetable"):
            done = site.manage(command, "-v0", direct=True)
            assert done.returncode == 0, done.stderr
        yield site


def test_games_are_played_read_and_limited_as_everywhere(site: Site) -> None:
    assert site.run(PLAY) == [
        "ENDED True",
        "ITERATED True",
        "SHOWN lock_timeout 3s",
        "SHOWN statement_timeout 10s",
        "SHOWN idle_in_transaction_session_timeout 15s",
        "SHOWN TimeZone UTC",
    ]
    done = site.manage("check_games")
    assert done.returncode == 0, done.stdout + done.stderr


def test_threads_that_share_connections_lose_no_update(site: Site) -> None:
    assert site.run(RACE) == [f"COUNTED {THREADS * TURNS}"]


def test_the_settings_pass_the_check(site: Site) -> None:
    done = site.manage("check", "--deploy", "--fail-level", "WARNING", "--database", "default")
    assert "acquire.W016" not in done.stderr
    assert "acquire.W019" not in done.stderr


def test_a_pgbouncer_that_sets_no_limits_is_noticed(site: Site) -> None:
    """The twin: PostgreSQL itself sets none either."""
    done = site.manage("check", "--deploy", "--database", "default", direct=True, PGBOUNCER="1")
    assert "acquire.W019" in done.stderr


def test_the_site_must_be_told_of_pgbouncer(site: Site) -> None:
    """The twin: without the setting not one query gets through."""
    assert site.manage("check_games", PGBOUNCER="0").returncode != 0
