"""Command `find_puzzles`: list the puzzles of the coming days, and search for more with --find."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.services import puzzles


class Command(BaseCommand):
    help = "Tells for which days there is a puzzle. With --find it looks for more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--find", type=int, default=0, metavar="N", help="look for so many puzzles")

    def handle(self, *args: Any, find: int, **options: Any) -> None:
        if find < 0:
            raise CommandError("Say how many puzzles to look for.")
        for number in range(find):
            puzzles.find_puzzles(1)
            self.stdout.write(f"found {number + 1} of {find}")
        # Do not show the answer: operators may want to solve the puzzle.
        coming = puzzles.shown().filter(day__gte=puzzles.today()).order_by("day")
        for puzzle in coming.select_related("source").defer("source__record"):
            origin = "a public game" if puzzle.source.game_id else "a game of computers"
            self.stdout.write(f"{puzzle.day}  {puzzle.kind:10} {puzzle.seats} players, from {origin}")
        if missing := puzzles.missing():
            self.stdout.write(f"{missing} are missing; workers look for them")
