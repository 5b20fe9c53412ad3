"""Restoring a backup: aside first, then in the place of the live database, which is kept.

At every moment either the old or the new database is the live one, even if this process is killed.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connections
from django.utils import timezone

from acquire_site.backup import backup_check
from acquire_site.backup.backup_check import Contents
from acquire_site.backup.backup_error import BackupError
from acquire_site.backup.database_aside import Databases, connected, databases, filled_aside
from games.clocks import machine_clock
from games.models import Game, Heartbeat, ProcessSign
from games.play.deadlines.outages import SWEEPER
from games.sweeper import ROUND_SECONDS

# The number of games replayed by default: all games of a large site would take hours.
SAMPLE = 1000

# A site with no more games or users than this has hardly begun, so that it may be replaced by a smaller one.
HANDFUL = 5

# On a busy site signs of life may be late.
_WATCH_SECONDS = 1.5 * max(ROUND_SECONDS, settings.SIGN_OF_LIFE_SECONDS)
_RECENT = timedelta(seconds=2 * _WATCH_SECONDS)

Say = Callable[[str], None]


@dataclass(frozen=True)
class SeenSite:
    """The last heartbeat of the sweeper and the last signs of life of all processes, at one moment.

    A sweeper that doubts its clock writes no heartbeat, and a site may run without one.
    """

    beat: datetime | None
    signs: dict[int, datetime]


class UncertainSwap(BackupError):
    """The last step was interrupted, so that either the old or the new database is the live one."""


def check(path: Path, say: Say, *, sample: int | None = SAMPLE) -> None:
    """Restore the backup aside, check it, and remove it again; raise BackupError if it is not good."""
    beside = databases()
    with beside.lock(), filled_aside(beside, path) as name:
        _check(name, say, sample=sample, accept_faults=False)


def restore(
    path: Path,
    say: Say,
    *,
    sample: int | None = SAMPLE,
    replace: bool = False,
    accept_faults: bool = False,
    accept_fewer: bool = False,
) -> str:
    """Make the backup the live database once it has passed its checks, and say what is there now.

    The live database is kept aside. Without `replace`, one with games is left alone, and without
    `accept_fewer`, one with far more games or users than the backup.
    """
    beside = databases()
    with beside.lock():
        games = _games()
        if games and not replace:
            raise BackupError(
                f"The database holds {games} games. Use --replace to restore all the same: it is kept"
                " under another name."
            )
        seen = _check_that_the_site_is_stopped(say)
        say(f"Restoring {path} aside. The site's database stays as it is meanwhile.")
        with filled_aside(beside, path) as name:
            _check(name, say, sample=sample, accept_faults=accept_faults)
            if before := backup_check.contents():
                say(f"The site's database has {before}.")
                if not accept_fewer:
                    _check_that_most_is_there(backup_check.contents(name), before)
            return _swap(beside, name, seen, "The backup")


def put_back(kept: str, say: Say) -> str:
    """Make a kept database the live one again, and keep the live one; say what is there now."""
    beside = databases()
    with beside.lock():
        _check_is_kept(beside, kept)
        seen = _check_that_the_site_is_stopped(say)
        with connected(beside, kept):
            _check_and_migrate(kept, say)
            return _swap(beside, kept, seen, kept)


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


def _check_that_most_is_there(new: Contents | None, live: Contents) -> None:
    """Raise BackupError if the backup has less than half of the site's games or users."""
    if new is None or not (_is_far_less(new.games, live.games) or _is_far_less(new.users, live.users)):
        return
    raise BackupError(
        f"The backup has {new.games} games and {new.users} users, the site's database {live.games} games and"
        f" {live.users} users. Is it the right backup? Use --accept-fewer to restore it all the same."
    )


def _is_far_less(new: int, live: int) -> bool:
    return live > HANDFUL and 2 * new < live


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


def _swap(beside: Databases, name: str, seen: SeenSite, what: str) -> str:
    """Make the named database the live one, unless the site was started meanwhile; say what is there now."""
    _check_that_nothing_lives(seen)
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


def _check_that_the_site_is_stopped(say: Say) -> SeenSite:
    """Raise BackupError if a process of the site is running, else return what was seen last."""
    seen = _seen_site()
    if not _was_recent(seen):
        return seen
    say(f"The site was running a moment ago. Waiting {_WATCH_SECONDS:.0f} s to see that it is stopped …")
    deadline = time.monotonic() + _WATCH_SECONDS
    while time.monotonic() < deadline:
        time.sleep(0.5)
        _check_that_nothing_lives(seen)
    return seen


def _check_that_nothing_lives(seen: SeenSite) -> None:
    """Raise BackupError if the sweeper or any other process has shown a sign of life since then."""
    now = _seen_site()
    who = "its sweeper" if now.beat != seen.beat else ""
    # Signs may be missing now: a process that ends removes its own.
    if fresh := [pk for pk, at in now.signs.items() if seen.signs.get(pk) != at]:
        who = f"the {ProcessSign.objects.filter(pk=fresh[0]).first() or 'web process'}"
    if who:
        raise BackupError(f"The site is running: {who} was seen. Stop the site, then restore again.")


def _games() -> int:
    try:
        return Game.all_games.count()
    except DatabaseError:
        return 0  # the database has no tables yet


def _seen_site() -> SeenSite:
    try:
        beat = Heartbeat.objects.filter(name=SWEEPER).values_list("at", flat=True).first()
    except DatabaseError:
        return SeenSite(None, {})  # the database has no tables yet
    try:
        return SeenSite(beat, dict(ProcessSign.objects.values_list("pk", "at")))
    except DatabaseError:
        return SeenSite(beat, {})  # its release had no signs of life


def _was_recent(seen: SeenSite) -> bool:
    """Return whether a process may still be alive.

    Times in the future count, too, because the clock may have been set back since.
    """
    if seen.beat is not None and seen.beat > timezone.now() - _RECENT:
        return True
    if not seen.signs:
        return False
    return max(seen.signs.values()) > machine_clock.database_time() - _RECENT
