"""Command `review_games`: say how many game reviews are outdated, and begin them anew with --again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.analysis import assessment


class Command(BaseCommand):
    help = "Says how many game reviews are of an earlier edition. With --again, has them made anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--again", type=int, default=0, metavar="N", help="number of reviews to make anew"
        )

    def handle(self, *args: Any, again: int, **options: Any) -> None:
        if again < 0:
            raise CommandError("Say how many reviews to make anew.")
        if again:
            begun = assessment.review_outdated_games(again)
            self.stdout.write(f"{begun} reviews begun anew; workers continue them")
        self.stdout.write(f"{assessment.outdated_reviews().count()} reviews are of an earlier edition")
