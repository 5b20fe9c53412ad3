"""Command `sweep`: do what is due."""

import signal
from argparse import ArgumentParser
from threading import Event
from typing import Any

from django.core.management import BaseCommand

from games import sweeper


class Command(BaseCommand):
    help = (
        "Does what is due: overdue moves, decisions of people whose time is over, mail, games that nobody"
        " starts, tidying. One round, or --loop until stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--loop", action="store_true", help="go on until SIGTERM or Ctrl-C")

    def handle(self, *args: Any, loop: bool, **options: Any) -> None:
        if not loop:
            self.stdout.write(f"{sweeper.sweep()} overdue moves")
            return
        stop = Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        sweeper.sweep_forever(stop)
