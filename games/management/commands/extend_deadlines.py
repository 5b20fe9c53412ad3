"""Command `extend_deadlines`: give all players who must decide more time, for example after an outage."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.models import Game
from games.play.deadlines import outages

MAX_HOURS = 24 * 99


class Command(BaseCommand):
    help = (
        "Adds hours to the clock of every player to move, in all timed games or only in the games "
        "given by ID. Hours count as in the game: not at night if its clock pauses at night."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("hours", type=float, help="number of hours, for example 0.5 for half an hour")
        parser.add_argument("games", nargs="*", metavar="ID", help="ID of a game, as in its address")

    def handle(self, *args: Any, hours: float, games: list[str], **options: Any) -> None:
        if not 0 < hours <= MAX_HOURS:
            raise CommandError(f"Give more than 0 and at most {MAX_HOURS} hours.")
        known = set(Game.objects.filter(public_id__in=games).values_list("public_id", flat=True))
        if unknown := [name for name in games if name not in known]:
            named = ", ".join(unknown)
            raise CommandError(f"No game has the ID {named}. It is the last part of the game’s address.")
        number = outages.extend(timedelta(hours=hours), games)
        self.stdout.write(f"{hours:g} hours more in {number} games")
