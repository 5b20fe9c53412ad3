"""Command `recount_ratings`: compute the ratings from the beginning."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.engine.rules.rule_systems import SYSTEMS
from games.ratings import rating_history, result_queue


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
            result_queue.recount_all_results()
        self.stdout.write(f"{result_queue.count_results()} games read")
        for system in SYSTEMS:
            try:
                counted = rating_history.recount(system)
            except RuntimeError as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{system}: ratings made from {counted} games")
