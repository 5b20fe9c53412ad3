"""The command restore: restores a backup, or checks that it could be restored."""

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from acquire_site import database_backup
from games.models import Game


class Command(BaseCommand):
    help = (
        "Puts a copy that `backup` made in the place of the database and plays every game of it again. With"
        " --check it does so aside: the site's own database stays what it is. Stop the site before, but for"
        " --check."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="only see whether the copy is good")
        parser.add_argument(
            "--replace", action="store_true", help="do so even if games are lost that are there now"
        )

    def handle(self, *args: Any, file: Path, check: bool, replace: bool, **options: Any) -> None:
        started = time.monotonic()
        try:
            if check:
                with database_backup.temporary_copy(file) as alias:
                    restored = time.monotonic() - started
                    verdict = database_backup.verify(alias)
            else:
                self._ask(replace)
                database_backup.restore(file)
                restored = time.monotonic() - started
                verdict = database_backup.verify()
        except (database_backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(
                f"The database would not have it ({type(error).__name__}). Is the site stopped? The copy is"
                " as it was: the same command does it once more."
            ) from error
        played = time.monotonic() - started - restored
        for fault in verdict.faults:
            self.stderr.write(fault)
        self.stdout.write(
            f"restored in {restored:.1f} s; {verdict.games} games with {verdict.entries} entries played again"
            f" in {played:.1f} s, {len(verdict.faults)} faults"
        )
        if verdict.faults:
            raise CommandError("Some games of the copy are not what their logs say.")

    def _ask(self, replace: bool) -> None:
        try:
            games = Game.all_games.count()
        except DatabaseError:
            return  # an empty database has no such table
        if games and not replace:
            raise CommandError(
                f"The database holds {games} games. What is not in the copy would be lost: make a backup of"
                " it, then use --replace."
            )
