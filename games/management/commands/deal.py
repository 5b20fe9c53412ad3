"""manage.py deal: deal a game of Acquire once more from its seed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.rules import acquire


class Command(BaseCommand):
    help = "Deals a game of Acquire from its seed, as docs/deal.md says, so that a deal can be checked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("seed", help="64 hexadecimal digits, as shown at the end of a game")
        parser.add_argument("--players", type=int, default=4, help="2 to 6")
        parser.add_argument(
            "--rules", default="avalon-hill", help='a preset and what differs from it: "classic payout=four"'
        )

    def handle(self, *args: Any, seed: str, players: int, rules: str, **options: Any) -> None:
        try:
            by = acquire.rules_from_text(rules)
            secret = bytes.fromhex(seed)
            state = acquire.deal(by, players, secret)
        except (KeyError, ValueError) as error:
            raise CommandError(f"Nothing can be dealt from this: {error}") from error
        self.stdout.write(f"commitment: {acquire.commitment(secret)}")
        self.stdout.write(f"players in seats: {' '.join(map(str, acquire.seating(by, players, secret)))}")
        self.stdout.write(acquire.position_to_text(state), ending="")
