"""A database user who may not create databases can restore backups, or is told what is missing."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from accounts.models import User
from tests.support.played_site import ROOT, missing
from tests.tools.available_services import environment

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "acquire_plain"


@pytest.fixture
def ask(transactional_db: None) -> Iterator[Callable[..., Any]]:
    """Ask the server as its superuser; afterwards the plain user and the database are gone."""
    if connection.vendor != "postgresql":
        pytest.skip("needs postgres: SQLite knows no users")
    if not shutil.which("pg_dump"):
        missing("postgres")
    given = connection.get_connection_params()
    server = {key: given[key] for key in ("host", "port", "user", "password") if key in given}

    def ask(statement: str, dbname: str = "postgres") -> None:
        with psycopg.connect(**server, dbname=dbname, autocommit=True) as database:
            database.execute(sql.SQL(statement).format(name=sql.Identifier(NAME)))

    def remove() -> None:
        ask("DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        ask("DROP ROLE IF EXISTS {name}")

    remove()
    ask("CREATE ROLE {name} LOGIN NOCREATEDB")
    yield ask
    remove()


@pytest.fixture
def backup(transactional_db: None, tmp_path: Path) -> Path:
    User.objects.create_user("alice")
    path = tmp_path / "copy.dump"
    call_command("backup", path, stdout=StringIO())
    return path


def manage(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command on the plain user's database."""
    known = connection.settings_dict
    host, port = str(known["HOST"]).replace("/", "%2F"), f":{known['PORT']}" if known["PORT"] else ""
    env = {**environment(), "DATABASE_URL": f"postgres://{NAME}@{host}{port}/{NAME}"}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_owner_of_the_database_can_check_and_restore(ask: Callable[..., Any], backup: Path) -> None:
    ask("CREATE DATABASE {name} OWNER {name} TEMPLATE template0")
    for arguments in (["--check"], [], ["--replace"]):
        done = manage("restore", str(backup), *arguments)
        assert done.returncode == 0, done.stderr
    assert "kept as before_" in done.stdout


def test_a_user_who_does_not_own_the_database_is_told_what_to_do(
    ask: Callable[..., Any], backup: Path
) -> None:
    ask("CREATE DATABASE {name} TEMPLATE template0")
    ask("GRANT ALL ON SCHEMA public TO {name}", dbname=NAME)
    done = manage("restore", str(backup))
    assert done.returncode == 1
    assert "may not add a schema to acquire_plain" in done.stderr
    [advice] = [part for part in done.stderr.splitlines() if "ALTER DATABASE" in part]
    assert "The site's database is as it was." in advice
    # The advice is enough.
    ask('ALTER DATABASE "acquire_plain" OWNER TO "acquire_plain"')
    ask('ALTER SCHEMA "public" OWNER TO "acquire_plain"', dbname=NAME)
    assert 'ALTER DATABASE "acquire_plain" OWNER TO "acquire_plain"' in advice
    assert 'ALTER SCHEMA "public" OWNER TO "acquire_plain"' in advice
    assert manage("restore", str(backup)).returncode == 0
