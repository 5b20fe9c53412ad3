"""The command backup: backs up the database of a running site."""

import time
from argparse import ArgumentTypeError
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from datetime import time as time_of_day
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, close_old_connections

from acquire_site.backup import backup_age, backup_file, daily_backups, restore
from acquire_site.backup.backup_error import BackupError
from acquire_site.backup.carry_away import carry_away


def clock_time(text: str) -> time_of_day:
    """Read a time of day such as 03:30, which is in UTC."""
    try:
        return datetime.strptime(text, "%H:%M").time()
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is no time of day. Write it like 03:30.") from error


class Command(BaseCommand):
    help = (
        "Copies the whole database into a file, while the site is open, and runs BACKUP_COMMAND to take it to"
        " another machine. The file holds every hand and every address: keep it safe. --drill shows that the"
        " newest one can be restored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            help=("backup file (default: a file in DATA_DIR/backups, named by the time)"),
        )
        parser.add_argument(
            "--keep",
            type=int,
            default=0,
            help=("number of backups named by the time to keep (older ones are removed)"),
        )
        parser.add_argument(
            "--drill",
            action="store_true",
            help=(
                "instead of a backup, restore the newest one (or FILE) to a separate database, "
                "check it and remove it"
            ),
        )
        parser.add_argument(
            "--daily",
            type=clock_time,
            metavar="HH:MM",
            help="run until stopped, with a backup each day at this time (UTC) and a drill each Sunday",
        )

    def handle(
        self,
        *args: Any,
        file: Path | None,
        keep: int,
        drill: bool,
        daily: time_of_day | None,
        **options: Any,
    ) -> None:
        if daily is not None:
            self._every_day(daily, keep)
        elif drill:
            self._drill(file)
        else:
            self._back_up(file, keep)

    def _every_day(self, at: time_of_day, keep: int) -> None:
        failed: Path | None = None
        for now in daily_backups.due_times(at):
            close_old_connections()
            path = backup_file.new_path()
            if self._succeeds(partial(self._back_up, path, keep)):
                failed = None
                if now.weekday() == daily_backups.DRILL_WEEKDAY:
                    self._succeeds(partial(self._drill, None))
            else:
                # A try each hour must not fill the disk.
                if failed is not None:
                    failed.unlink(missing_ok=True)
                failed = path

    def _succeeds(self, step: Callable[[], None]) -> bool:
        """Return whether a step succeeds; report why not."""
        try:
            step()
        except CommandError as error:
            self.stderr.write(str(error))
            return False
        return True

    def _back_up(self, file: Path | None, keep: int) -> None:
        path = file or backup_file.new_path()
        if path.exists():
            raise CommandError(f"{path} is there already; nothing was overwritten.")
        started = time.monotonic()
        try:
            backup_file.make(path)
            self._say(f"{path}: {path.stat().st_size / 1e6:.1f} MB in {time.monotonic() - started:.1f} s")
            if settings.BACKUP_COMMAND:
                self._say(carry_away(path) or "BACKUP_COMMAND has succeeded.")
            backup_age.record(backup_age.BACKUP)
            # Only now: tries that fail must not push out the backups of other days.
            for old in backup_file.remove_old(keep):
                self._say(f"{old}: removed")
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise _refused(error) from error

    def _drill(self, file: Path | None) -> None:
        path = file or next(reversed(backup_file.backups()), None)
        if path is None:
            raise CommandError(f"There is no backup in {backup_file.folder()}. Make one: manage.py backup.")
        started = time.monotonic()
        try:
            self._say(f"Restoring {path} aside.")
            restore.check(path, self._say)
            backup_age.record(backup_age.DRILL)
        except (BackupError, OSError) as error:
            _record_failed_drill()
            raise CommandError(f"The drill failed: {error}") from error
        except DatabaseError as error:
            _record_failed_drill()
            raise _refused(error) from error
        self._say(f"The drill took {time.monotonic() - started:.1f} s. The backup can be restored.")

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def _record_failed_drill() -> None:
    """Record for doctor that a drill has failed, unless the database itself is the reason."""
    with suppress(DatabaseError):
        backup_age.record(backup_age.FAILED_DRILL)


def _refused(error: DatabaseError) -> CommandError:
    """The error for a database that refuses; its own message may quote a row."""
    return CommandError(f"The database returned an error ({type(error).__name__}). Its log says why.")
