"""Restoring a backup: aside first, then in the place of the live database, which is kept.

At every moment either the old or the new database is the live one, also if this process is killed.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connections
from django.utils import timezone

from acquire_site.backup import backup_check
from acquire_site.backup.backup_error import BackupError
from acquire_site.backup.database_aside import Databases, connected, databases, filled_aside
from games.models import Game, Heartbeat
from games.play.deadlines.outages import SWEEPER
from games.sweeper import ROUND_SECONDS

# So many games are replayed unless told otherwise: all of a large site take hours.
SAMPLE = 1000

# The sweeper of a busy site may be late.
_SWEEPER_SECONDS = 1.5 * ROUND_SECONDS

Say = Callable[[str], None]


class UncertainSwap(BackupError):
    """The last step was interrupted, so that either the old or the new database is the live one."""


def check(path: Path, say: Say, *, sample: int | None = SAMPLE) -> None:
    """Restore the backup aside, check it, and remove it again; raise BackupError if it is not good."""
    beside = databases()
    with beside.lock(), filled_aside(beside, path) as name:
        _check(name, say, sample=sample, accept_faults=False)


def restore(
    path: Path, say: Say, *, sample: int | None = SAMPLE, replace: bool = False, accept_faults: bool = False
) -> str:
    """Make the backup the live database once it has passed its checks, and say what is there now.

    The live database is kept aside. Without `replace`, one with games is left alone.
    """
    beside = databases()
    with beside.lock():
        games = _games()
        if games and not replace:
            raise BackupError(
                f"The database holds {games} games. Use --replace to restore all the same: it is kept"
                " under another name."
            )
        beat = _check_that_the_site_is_stopped(say)
        say(f"Restoring {path} aside. The site's database stays as it is meanwhile.")
        with filled_aside(beside, path) as name:
            _check(name, say, sample=sample, accept_faults=accept_faults)
            if before := backup_check.contents():
                say(f"The site's database has {before}.")
            return _swap(beside, name, beat, "The backup")


def put_back(kept: str, say: Say) -> str:
    """Make a kept database the live one again, and keep the live one; say what is there now."""
    beside = databases()
    with beside.lock():
        _check_is_kept(beside, kept)
        beat = _check_that_the_site_is_stopped(say)
        with connected(beside, kept):
            _check_and_migrate(kept, say)
            return _swap(beside, kept, beat, kept)


def drop(kept: str) -> None:
    """Remove a kept database for good."""
    beside = databases()
    with beside.lock():
        _check_is_kept(beside, kept)
        beside.remove(kept)


def _check(alias: str, say: Say, *, sample: int | None, accept_faults: bool) -> None:
    """Raise BackupError unless the database of this alias can become the site's."""
    _check_and_migrate(alias, say)
    started = time.monotonic()
    verdict = backup_check.replay(alias, sample)
    for fault in verdict.faults:
        say(fault)
    say(
        f"Replayed {verdict.games} games with {verdict.entries} log entries in"
        f" {time.monotonic() - started:.1f} s: {len(verdict.faults)} faults."
    )
    if verdict.faults and not accept_faults:
        raise BackupError(
            "Some games of the backup are not what their logs say. Try an older backup, or restore this one"
            " with --accept-faults."
        )


def _check_and_migrate(alias: str, say: Say) -> None:
    backup_check.check_migrations(alias)
    try:
        call_command("migrate", database=alias, verbosity=0)
    except DatabaseError as error:
        raise BackupError(
            f"The newer migrations cannot be applied to it ({type(error).__name__})."
        ) from error
    found = backup_check.contents(alias)
    if found is None:
        raise BackupError("Some of its tables are missing. Try an older backup.")
    say(f"It can be read whole, and has {found}.")


def _swap(beside: Databases, name: str, beat: datetime | None, what: str) -> str:
    """Make the named database the live one, unless the site was started meanwhile; say what is there now."""
    if _last_beat() != beat:
        raise _site_is_running()
    connections[name].close()
    kept = _new_name(beside)
    try:
        was_kept = beside.swap(name, kept)
    except (OperationalError, OSError) as error:
        raise UncertainSwap(
            f"The last step was interrupted ({type(error).__name__}). If manage.py restore --list shows"
            f" {kept}, the restored database is the site's now, otherwise the one before."
        ) from error
    if not was_kept:
        return f"{what} is the site's database now. There was none before."
    return (
        f"{what} is the site's database now. The one before is kept as {kept}:\n"
        f"  manage.py restore --back {kept}   makes it the site's database again\n"
        f"  manage.py restore --drop {kept}   removes it for good"
    )


def _new_name(beside: Databases) -> str:
    """A name for the live database when it is kept."""
    taken, at = set(beside.kept()), timezone.now()
    while (name := f"before_{at:%Y%m%d_%H%M%S}") in taken:
        at += timedelta(seconds=1)
    return name


def _check_is_kept(beside: Databases, name: str) -> None:
    if name not in (names := beside.kept()):
        raise BackupError(f"No database is kept as {name}. There are: {', '.join(names) or 'none'}.")


def _check_that_the_site_is_stopped(say: Say) -> datetime | None:
    """Raise BackupError if the sweeper shows signs of life, else return its last one."""
    beat = _last_beat()
    if beat is None or timezone.now() - beat > timedelta(seconds=3 * ROUND_SECONDS):
        return beat
    say(f"The site was running a moment ago. Waiting {_SWEEPER_SECONDS:.0f} s to see that it is stopped …")
    deadline = time.monotonic() + _SWEEPER_SECONDS
    while time.monotonic() < deadline:
        time.sleep(0.5)
        if _last_beat() != beat:
            raise _site_is_running()
    return beat


def _games() -> int:
    try:
        return Game.all_games.count()
    except DatabaseError:
        return 0  # the database has no tables yet


def _last_beat() -> datetime | None:
    try:
        return Heartbeat.objects.filter(name=SWEEPER).values_list("at", flat=True).first()
    except DatabaseError:
        return None  # the database has no tables yet


def _site_is_running() -> BackupError:
    return BackupError("The site is running: its sweeper was seen. Stop the site, then restore again.")
