"""Command `show_deal`: repeat a deal from its seed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.models.playable_systems import playable_systems


class Command(BaseCommand):
    help = "Deals a game from its seed, as docs/deal.md says, so that a deal can be checked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("seed", help="64 hexadecimal digits, as shown at the end of a game")
        parser.add_argument(
            "--system",
            default=next(iter(playable_systems())),
            choices=list(playable_systems()),
            help="rule system (default: %(default)s)",
        )
        parser.add_argument(
            "--players", type=int, default=4, help=("number of players (default: %(default)s)")
        )
        parser.add_argument(
            "--rules", help=('set of rules and any changed options, for example "classic payout=four"')
        )

    def handle(
        self, *args: Any, seed: str, system: str, players: int, rules: str | None, **options: Any
    ) -> None:
        game = playable_systems()[system]
        try:
            by = game.rules_from_text(next(iter(game.PRESETS)) if rules is None else rules)
            secret = bytes.fromhex(seed)
            state = game.deal(by, players, secret)
        except (KeyError, ValueError) as error:
            raise CommandError(f"Nothing can be dealt from this: {error}") from error
        self.stdout.write(f"commitment: {game.seed_hash(secret)}")
        self.stdout.write(f"players in seats: {' '.join(map(str, game.seating(by, players, secret)))}")
        self.stdout.write(game.position_to_text(state), ending="")
