"""Checks of a restored database: its migrations, its contents, and games replayed from their seeds."""

from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.models import Max

from accounts.models import User
from acquire_site.backup.backup_error import BackupError
from games.models import Game, LogEntry
from games.moderation import integrity_check

# Apps whose migrations are ours: a name that is not here comes from another version.
_OUR_APPS = {"accounts", "games"}


@dataclass(frozen=True)
class Contents:
    """Counts of a database."""

    games: int
    entries: int
    users: int
    last_change_at: datetime | None

    def __str__(self) -> str:
        when = f"{self.last_change_at:%Y-%m-%d %H:%M} UTC" if self.last_change_at else "never"
        counts = f"{self.games} games, {self.entries} log entries, {self.users} users"
        return f"{counts}; last change in a game: {when}"


@dataclass
class Verdict:
    """Result of replaying games of a database."""

    games: int = 0
    entries: int = 0
    faults: list[str] = field(default_factory=list)


def check_migrations(alias: str) -> None:
    """Raise BackupError if the database has none of our tables, or migrations that this version lacks."""
    loader = MigrationLoader(connections[alias])
    ours = {key for key in loader.applied_migrations if key[0] in _OUR_APPS}
    if {app for app, _ in ours} != _OUR_APPS:
        raise BackupError("The backup has no tables of this site. Name another one.")
    if unknown := sorted(ours - set(loader.disk_migrations)):
        names = ", ".join(f"{app}.{name}" for app, name in unknown)
        raise BackupError(
            f"The backup is from another version of the site, with migrations unknown here ({names})."
            " Install the version that made the backup, or a newer one, and restore with that."
        )


def contents(alias: str = DEFAULT_DB_ALIAS) -> Contents | None:
    """The counts of a database; None if it has no tables, or those of an older version."""
    games = Game.all_games.using(alias)
    try:
        return Contents(
            games=games.count(),
            entries=LogEntry.objects.using(alias).count(),
            users=User.objects.using(alias).count(),
            last_change_at=games.aggregate(at=Max("last_change_at"))["at"],
        )
    except DatabaseError:
        return None


def replay(alias: str = DEFAULT_DB_ALIAS, sample: int | None = None) -> Verdict:
    """Replay games of a database, all or a random sample, and compare them with what is stored."""
    verdict = Verdict()
    dealt = Game.all_games.using(alias).filter(seed__isnull=False).order_by("pk")
    chosen = list(dealt.values_list("pk", flat=True))
    if sample is not None and sample < len(chosen):
        chosen = Random().sample(chosen, sample)
    for start in range(0, len(chosen), 50):
        for game in dealt.defer(None).filter(pk__in=chosen[start : start + 50]):
            verdict.games += 1
            verdict.entries += game.version
            verdict.faults += [f"Game {game}: {fault}." for fault in integrity_check.faults(game)]
    return verdict
