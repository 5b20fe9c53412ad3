"""The command play: runs the whole site on this machine."""

import importlib
import importlib.util
import secrets
import socket
import sys
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from acquire_site import embedded_redis
from acquire_site.health.service_health import missing_migrations
from acquire_site.processes import programs
from acquire_site.supervisor import Supervisor


class Command(BaseCommand):
    help = (
        "Runs the whole site on this machine: Redis (REDIS_URL, an installed server, or one in Python), the"
        " web server, workers for computer players and emails, and the sweeper. Press Ctrl-C to stop."
    )

    # `handle` runs the checks while the web server starts.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="port (default: 8000; 0 picks a free one)")

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        port = self._usable(port)
        supervisor = Supervisor(self._say)
        supervisor.stop_on_signals()
        try:
            redis_url = settings.REDIS_URL or self._start_redis(supervisor)
            is_new = self._make_tables()
            web, *others = programs(port, redis_url)
            supervisor.start(web)
            self.check()
            if is_new:
                self._make_first_games()
            # Started beside the web server, the others would keep the first page waiting.
            code = supervisor.watch(until=lambda: embedded_redis.answers(port))
            if code is None:
                for program in others:
                    supervisor.start(program)
                if not settings.EMAIL_URL:
                    self._say(f"Emails are not sent. They are saved in {settings.EMAIL_FILE_PATH}")
                self._say(
                    self.style.SUCCESS(f"Acquire is open at http://localhost:{port} (press Ctrl-C to stop).")
                )
                code = supervisor.watch()
        finally:
            supervisor.stop()
        sys.exit(code)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()

    def _usable(self, port: int) -> int:
        if port == 0:
            return embedded_redis.free_port()
        with socket.socket() as probe:
            # As the web server does: ports of closing connections count as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except (OSError, OverflowError) as error:
                raise CommandError(
                    f"Port {port} cannot be used ({error}). Choose another one: make play PORT=8001"
                ) from error
        return port

    def _start_redis(self, supervisor: Supervisor) -> str:
        """Start an installed Redis, or one in Python, and return its URL."""
        port = embedded_redis.free_port()
        if executable := embedded_redis.redis_program():
            supervisor.start(embedded_redis.redis_server(executable, port))
        else:
            embedded_redis.serve_in_python(port)
        embedded_redis.wait_until_it_answers(port)
        return f"redis://127.0.0.1:{port}/0"

    def _make_tables(self) -> bool:
        """Create missing tables and return whether the site is new."""
        if missing_migrations():
            call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        return not get_user_model().objects.exists()

    def _make_first_games(self) -> None:
        """Create the administrator and the first games; until then pages are shown without them."""
        password = secrets.token_urlsafe(9)
        get_user_model().objects.create_superuser("admin", password=password)
        self._say(f"This site is new. Log in as admin. The password is {password}")
        if importlib.util.find_spec("games.lobby.demo_games"):
            importlib.import_module("games.lobby.demo_games").create_demo_games()
