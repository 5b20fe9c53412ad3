"""The command healthy: tells whether workers and sweeper of this machine go round."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from acquire_site.health import part_health


class Command(BaseCommand):
    help = (
        "Checks that the worker for emails, the worker for bots and the sweeper are running on this machine."
        " Prints nothing and exits with 0 if they are. Otherwise it names what is not, and exits with 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "parts",
            nargs="+",
            choices=part_health.PARTS,
            help=f"parts to check: {', '.join(part_health.PARTS)}",
        )

    def handle(self, *args: Any, parts: list[str], **options: Any) -> None:
        problems = [found for part in dict.fromkeys(parts) if (found := part_health.problem(part))]
        self.stdout.write("\n".join(problems))
        sys.exit(1 if problems else 0)
