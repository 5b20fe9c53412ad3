"""The site through PgBouncer in transaction mode, where a connection lasts for one transaction."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from tests.load.load_members import Person, prepare
from tests.safety.headless_browser import asked
from tests.safety.site_stack import Process, Stack
from tests.support.own_loop import run_in_own_loop
from tests.support.played_site import ROOT, missing
from tests.support.settings_process import PRODUCTION
from tests.tools import available_services
from tests.tools.available_services import environment
from tests.tools.pgbouncer_server import PgBouncer
from tests.tools.postgres_server import Postgres

pytestmark = [pytest.mark.site, pytest.mark.long]

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


REPEAT = """
from django.db import connection
from accounts.models import User

with connection.cursor() as cursor:
    for number in range(20):
        User.objects.filter(pk=number).exists()
    cursor.execute("SELECT count(*) FROM pg_prepared_statements")
    print("PREPARED", connection.connection.prepare_threshold, cursor.fetchone()[0])
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


def need_services() -> None:
    for service in ("postgres", "redis", "pgbouncer"):
        if not available_services.find(service).path:
            missing(service)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    need_services()
    initdb = available_services.find("postgres").path
    assert initdb
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


@pytest.mark.parametrize("command", ["backup", "restore --list"])
def test_backups_need_postgresql_itself(site: Site, command: str) -> None:
    """Their programs change the session, which the next user of the connection would inherit."""
    done = site.manage(*command.split())
    assert done.returncode == 1
    assert "Name PostgreSQL itself" in done.stderr


def test_the_settings_pass_the_check(site: Site) -> None:
    done = site.manage("check", "--deploy", "--fail-level", "WARNING", "--database", "default")
    assert "acquire.W016" not in done.stderr
    assert "acquire.W026" not in done.stderr


def test_no_statement_is_prepared(site: Site) -> None:
    assert site.run(REPEAT) == ["PREPARED None 0"]


def test_statements_are_prepared_without_pgbouncer(site: Site) -> None:
    """The twin: the same program finds them where there is no pooler, unless a setting turns them off."""
    repeat = ["shell", "--no-imports", "-c", REPEAT]
    assert site.manage(*repeat, direct=True).stdout == "PREPARED 5 1\n"
    assert site.manage(*repeat, direct=True, PREPARED_STATEMENTS="0").stdout == "PREPARED None 0\n"


def test_a_pooler_that_the_settings_do_not_name_is_noticed(site: Site) -> None:
    # PgBouncer would refuse the limits, and nothing else would be seen.
    check = ["check", "--deploy", "--database", "default"]
    assert "acquire.W030" in site.manage(*check, PGBOUNCER="0", DB_LIMITS="0").stderr
    plain = site.manage(*check, PGBOUNCER="0", DB_LIMITS="0", PREPARED_STATEMENTS="0")
    assert "acquire.W030" not in plain.stderr
    assert "acquire.W030" not in site.manage(*check).stderr
    assert "acquire.W030" not in site.manage(*check, direct=True).stderr


def test_a_pgbouncer_that_sets_no_limits_is_noticed(site: Site) -> None:
    """The twin: PostgreSQL itself sets none either."""
    done = site.manage("check", "--deploy", "--database", "default", direct=True, PGBOUNCER="1")
    assert "acquire.W026" in done.stderr


def test_the_site_must_be_told_of_pgbouncer(site: Site) -> None:
    """The twin: without the setting not one query gets through."""
    assert site.manage("check_games", PGBOUNCER="0").returncode != 0


# -- A running site --------------------------------------------------------------------------------


class PooledStack(Stack):
    """A whole site whose processes reach the database through PgBouncer; commands reach it directly."""

    def _processes(self) -> dict[str, Process]:
        self.bouncer = PgBouncer(self.postgres, connections=4)
        self.bouncer.__enter__()
        self.env |= {"DATABASE_URL": self.bouncer.url, "PGBOUNCER": "1"}
        processes = super()._processes()
        self.env |= {"DATABASE_URL": self.postgres.url, "PGBOUNCER": "0"}
        return processes

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self.bouncer.__exit__(*error)


def test_people_workers_and_sweeper_play_through_pgbouncer() -> None:
    need_services()
    with PooledStack(durable=False) as stack:
        people = prepare(stack, 2, [[0, "random"], [1, "random", "random"]], "pool")

        async def play_all() -> None:
            await asyncio.gather(*(play(person, moves=6) for person in people))

        run_in_own_loop(play_all())
        stack.manage("check_games")
        wait_until(lambda: "sweeper" in stack.manage("shell", "--no-imports", "-c", KINDS))
        for name in (*stack.web_names, "worker", "bots", "sweeper"):
            assert '"level": "ERROR"' not in stack.log(name), stack.log(name)


KINDS = "from games.models import ProcessSign; print(*ProcessSign.objects.values_list('kind', flat=True))"


async def play(person: Person, moves: int) -> None:
    """Make so many moves in the person's game, as soon as each is asked."""
    path = f"/games/{person.games[0]}/"
    async with asyncio.timeout(120):
        while moves:
            question = asked((await person.browser.get(path)).text)
            if question is None:
                await asyncio.sleep(0.3)
                continue
            answer = await person.browser.post(question.action, question.answers[0], HX_Request="true")
            assert answer.status == 200, answer.text
            moves -= 1


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.5)
