"""A restore that is killed leaves either the old site or the new one.

Each restore runs in a process of its own, on a database of its own, and is killed with SIGKILL at a line of
its code. Afterwards the next restore succeeds, and nothing of the killed one is left.
"""

import gzip
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from accounts.models import User
from acquire_site.backup import backup_file
from games.lobby.game_start import start_game
from tests.support.played_site import ROOT, missing
from tests.tools.available_services import environment

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True), pytest.mark.long]

# The steps between which the new database takes the place of the old one.
SWAPS = ("swap", "_swap", "_move", "_keep_live", "_replace_live", "_one_step", "_close_whole", "_lock")
WHOLE = {"old": {"alice", "old"}, "new": {"alice"}}


class SqliteSite:
    """A database in a file of its own."""

    def __init__(self, folder: Path, copy: Path) -> None:
        self._file = folder / "site.sqlite3"
        self._copy = copy
        self.url = f"sqlite:///{self._file}"

    def reset(self) -> None:
        for path in self._file.parent.glob(f"{self._file.name}*"):
            path.unlink()
        self._file.write_bytes(gzip.decompress(self._copy.read_bytes()))

    def users(self) -> set[str]:
        with closing(sqlite3.connect(f"file:{self._file}?mode=rw", uri=True)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            return {name for (name,) in database.execute("SELECT username FROM accounts_user")}

    def leftovers(self) -> list[str]:
        return sorted(path.name for path in self._file.parent.glob(f"{self._file.name}.aside*"))


class PostgresSite:
    """A database of its own on the server of the tests."""

    def __init__(self, copy: Path) -> None:
        self._server = {**connection.get_connection_params(), "dbname": "postgres"}
        for name in ("cursor_factory", "context", "prepare_threshold"):
            self._server.pop(name, None)
        self.name = f"{connection.settings_dict['NAME']}_killed"
        known = connection.settings_dict
        host = str(known["HOST"]).replace("/", "%2F")
        port = f":{known['PORT']}" if known["PORT"] else ""
        self.url = f"postgres://{known['USER']}:{known['PASSWORD']}@{host}{port}/{self.name}"
        self._ask("CREATE DATABASE {} TEMPLATE template0", f"{self.name}_old")
        done = run(self.url + "_old", "manage.py", "restore", str(copy))
        assert done.returncode == 0, done.stderr

    def reset(self) -> None:
        self._ask("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)
        self._ask("CREATE DATABASE {} TEMPLATE {}", self.name, f"{self.name}_old")

    def remove(self) -> None:
        for name in (self.name, f"{self.name}_old"):
            self._ask("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def users(self) -> set[str]:
        with psycopg.connect(**{**self._server, "dbname": self.name}) as database:
            return {name for (name,) in database.execute("SELECT username FROM accounts_user")}

    def leftovers(self) -> list[str]:
        with psycopg.connect(**{**self._server, "dbname": self.name}) as database:
            found = database.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'aside%'")
            return [name for (name,) in found]

    def _ask(self, statement: str, *names: str) -> None:
        with psycopg.connect(**self._server, autocommit=True) as server:
            server.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def run(url: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in the project, with this database."""
    env = {**environment(), "DATABASE_URL": url, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)


def restore(url: str, at: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return run(url, "-m", "tests.safety.killed_restore", at, "--replace", *arguments)


def make_copies(folder: Path) -> tuple[Path, Path]:
    """Two backups: of the site, and of the same site one user and one game later."""
    alice = User.objects.create_user("alice")
    paths = folder / f"new{backup_file.suffix()}", folder / f"old{backup_file.suffix()}"
    start_game(system="acquire", preset="classic", host=alice, players=[alice, "random"])
    call_command("backup", paths[0], stdout=StringIO())
    User.objects.create_user("old")
    call_command("backup", paths[1], stdout=StringIO())
    return paths


@pytest.fixture
def site_and_copy(tmp_path: Path, transactional_db: None) -> Iterator[tuple[Any, str]]:
    """A site that is one user ahead of its backup."""
    if connection.vendor == "postgresql" and not shutil.which("pg_dump"):
        missing("postgres")
    new, old = make_copies(tmp_path)
    if connection.vendor == "sqlite":
        yield SqliteSite(tmp_path, old), str(new)
        return
    site = PostgresSite(old)
    try:
        yield site, str(new)
    finally:
        site.remove()


def lines_of(site: Any, *arguments: str) -> list[str]:
    """The lines that a restore runs."""
    site.reset()
    done = restore(site.url, "0", *arguments)
    assert done.returncode == 0, done.stderr
    assert site.users() == WHOLE["new"]
    return [line.removeprefix("line ") for line in done.stdout.splitlines() if line.startswith("line ")]


def function(line: str) -> str:
    return line.partition(":")[0].rpartition(".")[2]


def spread(lines: list[str], number: int) -> list[str]:
    """Some of the lines, evenly spread."""
    return lines[:: max(1, len(lines) // number)]


def outcomes(site: Any, lines: list[str], *arguments: str) -> dict[str, set[str]]:
    """Which users the site has after a restore was killed, by the line."""
    found = {}
    for line in lines:
        site.reset()
        done = restore(site.url, line, *arguments)
        assert done.returncode == -9, (line, done.stdout, done.stderr)
        try:
            found[line] = site.users()
        except (sqlite3.Error, psycopg.Error) as error:
            found[line] = {f"{type(error).__name__}"}
    return found


def is_whole(users: set[str]) -> bool:
    return users in WHOLE.values()


def kill_everywhere(site: Any, copy: str, choose: Callable[[list[str]], list[str]]) -> None:
    found = outcomes(site, choose(lines_of(site, copy)), copy)
    print(found)
    assert all(map(is_whole, found.values())), found
    # Some were killed before the last step, some after it.
    assert all(users in found.values() for users in WHOLE.values()), found
    # The next restore succeeds and leaves nothing of the killed ones.
    done = restore(site.url, "0", copy)
    assert done.returncode == 0, done.stderr
    assert site.users() == WHOLE["new"]
    assert site.leftovers() == []


def few(lines: list[str]) -> list[str]:
    """Some lines before the last steps, and half of those."""
    last = [line for line in lines if function(line) in SWAPS]
    return [*spread([line for line in lines if line not in last], 5), *last[-1:], *spread(last, 8)]


def test_a_killed_restore_leaves_the_old_site_or_the_new_one(site_and_copy: tuple[Any, str]) -> None:
    kill_everywhere(*site_and_copy, few)


@pytest.mark.proof
def test_a_restore_killed_at_any_line_leaves_the_old_site_or_the_new_one(
    site_and_copy: tuple[Any, str],
) -> None:
    kill_everywhere(*site_and_copy, lambda lines: lines)


def test_a_restore_that_removes_first_is_caught(site_and_copy: tuple[Any, str]) -> None:
    """The twin: for a moment there is neither."""
    site, copy = site_and_copy
    lines = [line for line in lines_of(site, "--broken", copy) if "break_swaps" in line]
    found = outcomes(site, lines[-3:], "--broken", copy)
    assert not all(map(is_whole, found.values())), found
