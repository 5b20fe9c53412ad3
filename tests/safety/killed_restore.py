"""Run `manage.py restore` in this process and kill it as a crash would, at a line of the code of backups.

The command is `python -m tests.safety.killed_restore AT [--broken] ARGUMENTS`. With AT 0 nothing is killed,
and the lines that run are printed, as `function:number`. Lines of a function are numbered from its first.
"""

import os
import signal
import sqlite3
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import django

ROOT = Path(__file__).resolve().parents[2]
TRACED = (str(ROOT / "acquire_site" / "backup"), __file__)


def main(arguments: list[str]) -> None:
    at, arguments = arguments[0], arguments[1:]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
    django.setup()
    if "--broken" in arguments:
        arguments.remove("--broken")
        break_swaps()
    from django.core.management import call_command

    lines: list[str] = []

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(TRACED):
            return None
        if event == "line":
            line = f"{frame.f_code.co_qualname}:{frame.f_lineno - frame.f_code.co_firstlineno}"
            lines.append(line)
            if line == at:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    try:
        call_command("restore", *arguments)
    finally:
        sys.settrace(None)
    print("\n".join(f"line {line}" for line in dict.fromkeys(lines)))


def break_swaps() -> None:
    """Let restores do what must not be done: remove the old database, then bring the new one."""
    from django.db import connection

    from acquire_site.backup import postgres_schemas
    from acquire_site.backup.sqlite_files import SqliteFiles

    def swap_files(self: Any, name: str, kept: str) -> bool:
        connection.close()
        live, new = self._live, self._file(name)
        for end in ("", "-wal", "-shm"):
            live.with_name(live.name + end).unlink(missing_ok=True)
        sqlite3.connect(new).execute("PRAGMA journal_mode=DELETE")
        new.replace(live)
        return False

    def swap_schemas(self: Any, name: str, kept: str) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {kept}")
            postgres_schemas._move(cursor, self._live, kept)
            postgres_schemas._move(cursor, name, self._live)
        return True

    SqliteFiles.swap = swap_files  # type: ignore[method-assign]
    postgres_schemas.PostgresSchemas.swap = swap_schemas  # type: ignore[method-assign]


if __name__ == "__main__":
    main(sys.argv[1:])
