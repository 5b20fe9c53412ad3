"""The command backup: backs up the database of a running site."""

import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from acquire_site import database_backup


class Command(BaseCommand):
    help = (
        "Copies the whole database into a file, while the site is open. The file holds every hand and every"
        " address: keep it safe, and on another machine. `restore --check` tells whether it is any good."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="else one named by the time, in DATA_DIR/backups"
        )
        parser.add_argument(
            "--keep", type=int, default=0, help="keep so many of those named by the time, remove older ones"
        )

    def handle(self, *args: Any, file: Path | None, keep: int, **options: Any) -> None:
        folder = settings.DATA_DIR / "backups"
        path = file or folder / f"acquire-{timezone.now():%Y%m%d-%H%M%S}{database_backup.suffix()}"
        if path.exists():
            raise CommandError(f"{path} is there already; nothing was overwritten.")
        started = time.monotonic()
        try:
            database_backup.make(path)
        except (database_backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        size, seconds = path.stat().st_size / 1e6, time.monotonic() - started
        self.stdout.write(f"{path}: {size:.1f} MB in {seconds:.1f} s")
        if keep > 0:
            for old in sorted(folder.glob("acquire-*[0-9].*"))[:-keep]:
                old.unlink()
                self.stdout.write(f"{old}: removed")
