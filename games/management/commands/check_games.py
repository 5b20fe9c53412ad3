"""Command `check_games`: check that every stored log leads to its stored state."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.archive.replay import replay
from games.models import Game
from games.play.game_lock import while_locked


class Command(BaseCommand):
    help = "Replays stored games from their seeds and compares the result with the database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "games", nargs="*", help=("ids of games, as in their addresses (default: all games)")
        )

    def handle(self, *args: Any, games: list[str], **options: Any) -> None:
        found = Game.all_games.defer(None).filter(seed__isnull=False).order_by("pk")
        if games:
            found = found.filter(public_id__in=games)
            if missing := set(games) - set(found.values_list("public_id", flat=True)):
                raise CommandError(f"There is no game {', '.join(sorted(missing))}.")
        replayed = moves = faulty = 0
        for game in found.iterator(chunk_size=100):
            result = replay(game)
            if result.faults:
                # It may have moved on between two reads.
                result = while_locked(game, replay)
            replayed += 1
            moves += result.moves
            faulty += bool(result.faults)
            for fault in result.faults:
                self.stderr.write(f"{game}: {fault}")
        self.stdout.write(f"{replayed} games with {moves} moves replayed, {faulty} differ")
        if faulty:
            raise CommandError("Some games do not replay to their stored states.")
