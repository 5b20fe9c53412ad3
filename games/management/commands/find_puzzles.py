"""Command `find_puzzles`: list the puzzles of the coming days, and search for more with --find."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.puzzles import puzzle_calendar, puzzle_search, shown_puzzles


class Command(BaseCommand):
    help = "Lists the days that have a puzzle. With --find, looks for more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--find", type=int, default=0, metavar="N", help=("number of puzzles to look for")
        )

    def handle(self, *args: Any, find: int, **options: Any) -> None:
        if find < 0:
            raise CommandError("Say how many puzzles to look for.")
        for number in range(find):
            puzzle_search.find_puzzles(1)
            self.stdout.write(f"found {number + 1} of {find}")
        # Do not show the answer: operators may want to solve the puzzle.
        coming = shown_puzzles.visible_puzzles().filter(day__gte=puzzle_calendar.today()).order_by("day")
        for puzzle in coming.select_related("source").defer("source__record"):
            origin = "a public game" if puzzle.source.game_id else "a game of computers"
            self.stdout.write(f"{puzzle.day}  {puzzle.kind:10} {puzzle.seats} players, from {origin}")
        if missing := puzzle_calendar.missing_puzzles():
            self.stdout.write(f"{missing} are missing; workers look for them")
