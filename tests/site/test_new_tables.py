"""An empty database gets its tables at once, and they are those that the migrations make."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.played_site import require
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

# Migrates an empty database by this command and prints all that it then holds, table by table.
DUMP = """
import json, sys
from django.core.management import call_command
from django.core.management.commands import migrate as djangos
from django.db import connection
from acquire_site.management.commands import migrate as ours
from tests.site.test_new_tables import contents
call_command({"ours": ours, "djangos": djangos}[sys.stdin.read()].Command(), verbosity=0)
print("HOLDS", json.dumps(contents(connection)))
"""
ON_POSTGRESQL = {
    "columns": """
        SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default,
            is_identity
        FROM information_schema.columns WHERE table_schema = 'public'
    """,
    "constraints": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE conrelid > 0
    """,
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
}


def contents(connection: Any) -> dict[str, Any]:
    """Everything that a database holds, in an order of its own."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            found: dict[str, Any] = {name: _rows(cursor, query) for name, query in ON_POSTGRESQL.items()}
        else:
            master = _rows(cursor, "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
            found = {f"{kind} {name}": sorted(_parts(sql)) for kind, name, sql in master}
        for table in connection.introspection.table_names():
            columns = sorted(
                {"app", "name", "app_label", "model", "codename"} & _columns(connection, cursor, table)
            )
            picked = ", ".join(f'"{column}"' for column in columns) or "1"
            found[f"rows of {table}"] = _rows(cursor, f'SELECT {picked} FROM "{table}"')  # noqa: S608
    return found


def _rows(cursor: Any, query: str) -> list[list[Any]]:
    cursor.execute(query)
    return sorted([list(row) for row in cursor.fetchall()], key=str)


def _columns(connection: Any, cursor: Any, table: str) -> set[str]:
    return {column.name for column in connection.introspection.get_table_description(cursor, table)}


def _parts(sql: str) -> list[str]:
    """The columns and constraints of a table's SQL: migrations append what the models have in between."""
    depth, parts = 0, [""]
    for letter in sql.partition("(")[2].removesuffix(")"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def holds(database: str, folder: Path, by: str) -> dict[str, Any]:
    env = {
        **available_services.environment(),
        "DATA_DIR": str(folder),
        "DATABASE_URL": database,
        "DB_LIMITS": "0",
    }
    command = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", DUMP]
    env["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(command, env=env, input=by, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.partition("HOLDS ")[2])
    return found


def test_new_tables_of_sqlite_are_those_of_the_migrations(tmp_path: Path) -> None:
    ours, djangos = (holds(f"sqlite:///{tmp_path / by}.sqlite3", tmp_path, by) for by in ("ours", "djangos"))
    assert len(ours) > 100
    assert ours == djangos


def test_new_tables_of_postgresql_are_those_of_the_migrations(tmp_path: Path) -> None:
    require("postgres")
    initdb = available_services.find("postgres").path
    assert initdb is not None
    found = {}
    for by in ("ours", "djangos"):
        with Postgres(initdb) as postgres:
            found[by] = holds(postgres.url, tmp_path, by)
    assert found["ours"]["triggers"]
    assert found["ours"] == found["djangos"]
