"""The command serve: runs all processes of a production site on one server."""

import sys
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from acquire_site import embedded_redis
from acquire_site.processes import programs
from acquire_site.supervisor import Program, Supervisor


class Command(BaseCommand):
    help = (
        "Runs web processes, both workers and the sweeper until it is asked to stop, and starts again what"
        " dies; when something cannot be kept alive, it ends with 1. PostgreSQL, Redis and the proxy are"
        " others' work."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--ports", type=int, nargs="+", default=[8000, 8001], help="a web process on each (8000 and 8001)"
        )

    def handle(self, *args: Any, ports: list[int], **options: Any) -> None:
        if settings.DEVELOPMENT:
            raise CommandError("This is for DEBUG=0; a workbench is opened by manage.py play.")
        supervisor = Supervisor(self._say)
        supervisor.stop_on_signals()
        try:
            for program in parts(ports):
                supervisor.start(program)
            code = supervisor.watch(until=lambda: all(map(embedded_redis.answers, ports)))
            if code is None:
                self._say(f"Acquire is open on the ports {', '.join(map(str, ports))} of this machine.")
                code = supervisor.watch()
        finally:
            supervisor.stop()
        sys.exit(code)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def parts(ports: list[int]) -> list[Program]:
    """A web process for each port and one of each other kind, with the address from the settings."""
    web = [programs(port, settings.REDIS_URL)[0] for port in ports]
    others = programs(ports[0], settings.REDIS_URL)[1:]
    return [
        replace(program, env={**program.env, "SITE_URL": settings.SITE_URL}) for program in [*web, *others]
    ]
