"""Command `sweep`: do what is due."""

import signal
from argparse import ArgumentParser
from threading import Event
from typing import Any

from django.core.management import BaseCommand
from django.utils import timezone

from games import sweeper
from games.play.deadlines import clock_watch


class Command(BaseCommand):
    help = (
        "Does everything that is due: computer moves, expired clocks, emails, games nobody has "
        "started, clean-up. Runs once, or until stopped with --loop."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--loop", action="store_true", help="run until SIGTERM or Ctrl-C")
        parser.add_argument(
            "--trust-clock",
            action="store_true",
            help="only confirm to the running sweeper that this machine's clock is right after a jump",
        )

    def handle(self, *args: Any, loop: bool, trust_clock: bool, **options: Any) -> None:
        if trust_clock:
            clock_watch.accept()
            self.stdout.write(
                f"Within {sweeper.ROUND_SECONDS:.0f} seconds the sweeper counts time by this clock again:"
                f" it is {timezone.now():%Y-%m-%d %H:%M:%S} UTC."
            )
            return
        if not loop:
            self.stdout.write(f"{sweeper.sweep()} overdue moves")
            return
        stop = Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        sweeper.sweep_forever(stop)
