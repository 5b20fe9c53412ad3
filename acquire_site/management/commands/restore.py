"""The command restore: restores a backup, or checks that it could be restored."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from acquire_site.backup import restore
from acquire_site.backup.backup_error import BackupError
from acquire_site.backup.database_aside import databases

UNTOUCHED = "The site's database is as it was."


class Command(BaseCommand):
    help = (
        "Restores a backup. First restores it to a separate database and checks it, then makes that the"
        " site's database in one step. The old database is kept until --drop. Stop the site first, except for"
        " --check and --list."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", nargs="?", type=Path, help="the backup to restore")
        what.add_argument(
            "--list", action="store_true", help=("list the databases that earlier restores have kept")
        )
        what.add_argument("--back", metavar="NAME", help="switch the site back to a kept database")
        what.add_argument("--drop", metavar="NAME", help="delete a kept database for good")
        parser.add_argument(
            "--check", action="store_true", help="only check the backup (the site can stay running)"
        )
        parser.add_argument(
            "--replace", action="store_true", help="restore even if the database has games (it is kept)"
        )
        parser.add_argument(
            "--accept-faults", action="store_true", help=("restore even if games in the backup have faults")
        )
        parser.add_argument(
            "--accept-fewer",
            action="store_true",
            help="restore even if the backup has less than half of the games or users of the database",
        )
        parser.add_argument(
            "--sample",
            type=int,
            default=restore.SAMPLE,
            help="number of random games to replay, 0 for all (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            result = self._do(**options)
        except restore.UncertainSwap as error:
            raise CommandError(str(error)) from error
        except (BackupError, OSError) as error:
            # Messages of programs and of the system end without a full stop.
            raise CommandError(f"{str(error).removesuffix('.')}. {UNTOUCHED}") from error
        except DatabaseError as error:
            # The error's message may quote a row.
            raise CommandError(
                f"The database returned an error ({type(error).__name__}). Its log says why. {UNTOUCHED}"
            ) from error
        self._say(result)

    def _do(
        self,
        *,
        file: Path | None,
        list: bool,
        back: str | None,
        drop: str | None,
        check: bool,
        replace: bool,
        accept_faults: bool,
        accept_fewer: bool,
        sample: int,
        **_: Any,
    ) -> str:
        """Do what was asked and return the last sentence."""
        games = sample if sample > 0 else None
        if list:
            return "\n".join(databases().kept()) or "No database is kept."
        if back:
            return restore.put_back(back, self._say)
        if drop:
            restore.drop(drop)
            return f"{drop} is removed."
        assert file is not None
        if check:
            restore.check(file, self._say, sample=games)
            return f"The backup is good. {UNTOUCHED}"
        return restore.restore(
            file,
            self._say,
            sample=games,
            replace=replace,
            accept_faults=accept_faults,
            accept_fewer=accept_fewer,
        )

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
