"""The command doctor: reports faults of the site or of games."""

import sys
from argparse import ArgumentParser
from dataclasses import astuple
from random import Random
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from acquire_site import health_probes
from acquire_site.health import site_report
from games.models import Game
from games.moderation import integrity_check

SAMPLE = 20


class Command(BaseCommand):
    help = (
        "Says what is wrong, and the command that mends it: games that are stuck, time that is over, mail"
        " that was not sent, processes that hang or do not belong together, clocks, queues, disks, games that"
        " do not replay. Nothing it says is secret. Ends with 1 when something is wrong, so that cron can"
        " tell; with ids of games it looks at these alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="ID", help="the id of a game, as in its address")
        parser.add_argument(
            "--sample", type=int, default=SAMPLE, help="how many games to play again (%(default)s)"
        )
        parser.add_argument("--quiet", action="store_true", help="say nothing when nothing is wrong")

    def handle(self, *args: Any, games: list[str], sample: int, quiet: bool, **options: Any) -> None:
        wrong = 0 if games else self._services()
        if (answer := health_probes.database()) != health_probes.OK:
            self._end(wrong + self._report_problem("database", f"The database {answer}."))
        try:
            wrong += 0 if games else self._site()
            chosen = self._chosen(games, sample)
            wrong += sum(self._game(game, in_full=bool(games)) for game in chosen)
        except DatabaseError as error:
            # The error's message may quote a row.
            self._end(
                wrong
                + self._report_problem(
                    "database", f"The database refuses to answer ({type(error).__name__})."
                )
            )
        if wrong:
            self._end(wrong)
        if not quiet:
            self.stdout.write(f"Nothing is wrong; {len(chosen)} games were looked at closely.")

    def _end(self, wrong: int) -> NoReturn:
        self.stdout.write(f"{wrong} things are wrong; docs/operating.md says what to do.")
        sys.exit(1)

    def _report_problem(self, name: str, sentence: str) -> int:
        """Report a problem and return 1, so that callers can count."""
        self.stdout.write(f"{name}: {sentence}")
        return 1

    def _services(self) -> int:
        if settings.BROKER_URL and (answer := health_probes.hints()) != health_probes.OK:
            return self._report_problem(
                "redis", f"Redis {answer}: pages are slower to follow, and nothing is lost."
            )
        return 0

    def _site(self) -> int:
        if (answer := health_probes.migrations()) != health_probes.OK:
            return self._report_problem("migrations", f"Migrations: {answer}.")
        return sum(
            self._report_problem(*astuple(trouble)) for trouble in site_report.health_problems(timezone.now())
        )

    def _chosen(self, games: list[str], sample: int) -> list[Game]:
        """The named games, or a random sample of this size."""
        every = Game.all_games.defer(None)
        if games:
            chosen = list(every.filter(public_id__in=games))
            if missing := set(games) - {game.public_id for game in chosen}:
                raise CommandError(f"There is no game {', '.join(sorted(missing))}.")
            return chosen
        dealt = list(Game.all_games.filter(seed__isnull=False).values_list("pk", flat=True))
        return list(every.filter(pk__in=Random().sample(dealt, min(sample, len(dealt)))))

    def _game(self, game: Game, *, in_full: bool) -> int:
        if in_full:
            self.stdout.write(f"Game {game}: {self._standing(game)}.")
        # The site's own problems already list all stuck and overdue games.
        found = integrity_check.examine(game, timezone.now()) if in_full else integrity_check.faults(game)
        for fault in found:
            self.stdout.write(f"game: Game {game}: {fault}.")
        return len(found)

    def _standing(self, game: Game) -> str:
        words = [f"{game.get_status_display()}, version {game.version}"]
        if game.paused:
            words.append(f"paused since {game.paused:%Y-%m-%d %H:%M}")
        if game.seat_to_move is not None:
            who = "a person" if game.waiting_for_id else "a computer"
            words.append(f"{who} in seat {game.seat_to_move + 1} is asked ({game.decision_kind})")
        if game.deadline:
            words.append(f"time is over at {game.deadline:%Y-%m-%d %H:%M} UTC")
        return "; ".join(words)
