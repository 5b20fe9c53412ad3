"""Command `recount_ratings`: compute the ratings from the beginning."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games import services
from games.rules import SYSTEMS


class Command(BaseCommand):
    help = (
        "Makes all ratings from the beginning, from the games that are over in the order in which they ended."
        " They are what they were before, unless a way of reckoning has changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--read", action="store_true", help="read every game once more: whom it counts for, and its sums"
        )

    def handle(self, *args: Any, read: bool, **options: Any) -> None:
        if read:
            services.read_anew()
        self.stdout.write(f"{services.count_results()} games read")
        for system in SYSTEMS:
            try:
                counted = services.recount(system)
            except RuntimeError as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{system}: ratings made from {counted} games")
