"""The command serve: runs the processes of a production site on one server."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from acquire_site import service_manager
from acquire_site.health import part_health
from acquire_site.processes import PARTS, served_programs
from acquire_site.supervisor import Supervisor
from games.processes import heartbeat_files

LOCAL = "127.0.0.1"


class Command(BaseCommand):
    help = (
        "Runs the web processes, both workers and the sweeper until you stop it. Restarts processes that"
        " crash or hang. SIGUSR1 replaces all of them to run new code, without losing a request. Start"
        " PostgreSQL, Redis and the proxy yourself."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--only",
            nargs="+",
            choices=list(PARTS),
            default=list(PARTS),
            metavar="PART",
            help=f"run only these parts: {', '.join(PARTS)} (pages and sockets share processes)",
        )
        parser.add_argument(
            "--host", default=LOCAL, help="address on which the web processes listen (default: %(default)s)"
        )
        parser.add_argument(
            "--ports",
            type=int,
            nargs="+",
            default=[8000, 8001],
            help="ports, one for each web process (default: 8000 and 8001)",
        )

    def handle(self, *args: Any, only: list[str], host: str, ports: list[int], **options: Any) -> None:
        if settings.DEVELOPMENT:
            raise CommandError(
                "This command is for production (DEBUG=0). For development, use manage.py play."
            )
        for part in set(part_health.PARTS) - set(only):
            # Otherwise `healthy` would wait for its return if it ran here before.
            heartbeat_files.forget_ended(part)
        supervisor = Supervisor(self._say, each_round=service_manager.tell_that_it_runs)
        supervisor.stop_on_signals()
        supervisor.replace_on_signal()
        programs = served_programs(only, host, ports, settings.SITE_URL, part_health.is_stale)
        try:
            for program in programs:
                try:
                    supervisor.start(program)
                except (OSError, OverflowError) as error:
                    raise CommandError(_unusable(program.address, error)) from error
            code = supervisor.watch(until=supervisor.is_ready)
            if code is None:
                service_manager.tell("READY=1")
                self._say(_opening(only, host, [program.address for program in programs]))
                code = supervisor.watch()
        finally:
            supervisor.stop()
        sys.exit(code)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def _unusable(address: tuple[str, int] | None, error: Exception) -> str:
    if not address:
        return str(error)
    return f"Port {address[1]} of {address[0]} cannot be used ({error}). Choose another one with --ports."


def _opening(only: list[str], host: str, addresses: list[tuple[str, int] | None]) -> str:
    ports = [str(address[1]) for address in addresses if address]
    if not ports:
        return f"Running: {', '.join(only)}."
    where = "this machine" if host == LOCAL else host
    return f"Acquire is open on {where}. Ports: {', '.join(ports)}."
