"""Command `export_games`: write finished games, one per line, in the format of docs/export.md."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import ExitStack
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Protocol, TextIO

from django.core.management import BaseCommand, CommandError
from django.db.models import QuerySet

from games.archive.game_export import export_game, prefetch_for_export
from games.models import Game

# Limits how many games are in memory at once.
BATCH = 50


class Writable(Protocol):
    """Target of the lines: a file, or a command's output."""

    def write(self, text: str, /) -> Any: ...


def moment(text: str) -> datetime:
    """Parse a day or a time, in UTC unless it has an offset."""
    try:
        if len(text) == len("2026-11-20"):
            return datetime.combine(date.fromisoformat(text), time.min, UTC)
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no day and no time, as 2026-11-20T12:00 is one") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = (
        "Writes finished public games as JSON, one per line, oldest first. Practice tables, imported games"
        " and deleted games are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--since", type=moment, help=("only games that ended at this time (UTC) or later")
        )
        parser.add_argument("--until", type=moment, help="only games that ended before this time (UTC)")
        parser.add_argument("--game", nargs="+", default=[], metavar="ID", help=("only games with these ids"))
        parser.add_argument("--all", action="store_true", help="also games that are not public")
        parser.add_argument("--out", metavar="FILE", help="new output file (default: standard output)")

    def handle(self, *args: Any, game: list[str], out: str | None, **options: Any) -> None:
        wanted = self._wanted(options)
        if game:
            wanted = wanted.filter(public_id__in=game)
            if missing := set(game) - set(wanted.values_list("public_id", flat=True)):
                raise CommandError(f"No such game can be exported: {', '.join(sorted(missing))}.")
        with ExitStack() as stack:
            target: Writable = self.stdout if out is None else stack.enter_context(_new_file(out))
            count = _write(wanted, target)
        (self.stderr if out is None else self.stdout).write(f"{count} games exported")

    def _wanted(self, options: dict[str, Any]) -> QuerySet[Game]:
        games = Game.objects.filter(status=Game.Status.FINISHED, is_practice=False)
        if not options["all"]:
            games = games.filter(visibility=Game.Visibility.PUBLIC)
        if options["since"] is not None:
            games = games.filter(finished__gte=options["since"])
        if options["until"] is not None:
            games = games.filter(finished__lt=options["until"])
        return games.order_by("finished", "pk")


def _new_file(path: str) -> TextIO:
    try:
        return Path(path).open("x", encoding="utf-8")
    except FileExistsError:
        raise CommandError(f"{path} is there already. Name a new file.") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None


def _write(games: QuerySet[Game], target: Writable) -> int:
    """Write the games; return their number."""
    count = 0
    for game in prefetch_for_export(games).iterator(chunk_size=BATCH):
        target.write(json.dumps(export_game(game), ensure_ascii=False, separators=(",", ":")) + "\n")
        count += 1
    return count
