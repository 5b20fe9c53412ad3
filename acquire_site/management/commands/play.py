"""`manage.py play`: the whole site on this machine, with one command."""

import importlib
import importlib.util
import os
import secrets
import socket
import sys
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from acquire_site import embedded_redis
from acquire_site.supervisor import Program, Supervisor


class Command(BaseCommand):
    help = (
        "Runs the site with all it needs: Redis (REDIS_URL, or an installed server, or one in Python), "
        "the web server, workers for computer opponents and for mail, and the sweeper. Ctrl-C stops it all."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="8000 unless given; 0 takes a free one")

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        port = self._usable(port)
        supervisor = Supervisor(self._say)
        supervisor.stop_on_signals()
        try:
            redis_url = settings.REDIS_URL or self._start_redis(supervisor)
            self._prepare_database()
            for program in programs(port, redis_url):
                supervisor.start(program)
            code = supervisor.watch(until=lambda: embedded_redis.answers(port))
            if code is None:
                if not settings.EMAIL_URL:
                    self._say(f"Mail is not sent: it is put into {settings.EMAIL_FILE_PATH}")
                self._say(self.style.SUCCESS(f"Acquire is open at http://localhost:{port} (Ctrl-C ends it)."))
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
            # As the web server does: connections that are just ending do not count.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except (OSError, OverflowError) as error:
                raise CommandError(
                    f"Port {port} cannot be used ({error}). Choose another: make play PORT=8001"
                ) from error
        return port

    def _start_redis(self, supervisor: Supervisor) -> str:
        """Start the Redis that is there; returns its URL."""
        port = embedded_redis.free_port()
        if executable := embedded_redis.redis_program():
            supervisor.start(embedded_redis.redis_server(executable, port))
        else:
            embedded_redis.serve_in_python(port)
        embedded_redis.wait_until_it_answers(port)
        return f"redis://127.0.0.1:{port}/0"

    def _prepare_database(self) -> None:
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        users = get_user_model().objects
        if users.exists():
            return
        password = secrets.token_urlsafe(9)
        users.create_superuser("admin", password=password)
        self._say(f"The administrator of this new site is admin, the password is {password}")
        if importlib.util.find_spec("games.demo"):
            importlib.import_module("games.demo").create_demo_games()


def programs(port: int, redis_url: str) -> list[Program]:
    """The parts of the site, as they run in production too, in the order of their start."""
    env = {
        "REDIS_URL": redis_url,
        "SITE_URL": os.environ.get("SITE_URL") or f"http://localhost:{port}",
        "PYTHONUNBUFFERED": "1",
    }
    python = sys.executable
    # Sockets send nothing but a subscription, so a long frame is no friend's.
    web = (
        f"uvicorn acquire_site.asgi:application --host 127.0.0.1 --port {port} --lifespan off "
        "--no-server-header --ws-max-size 1024 --timeout-graceful-shutdown 3 --log-level warning"
    )
    # Processes, not threads: only they obey the tasks' time limits, and a computer opponent that
    # thinks hard in one of them does not slow the worker's own loop.
    worker = (
        "celery --app acquire_site --quiet worker --queues {} --hostname {}@%h --pool prefork "
        "--concurrency {} --loglevel WARNING --without-mingle --without-gossip --without-heartbeat"
    )
    mail = worker.format("celery", "celery", 1)
    # As many searches at once as there are cores, for each is worth a whole one; never one alone, behind
    # which every other game would wait. Nice: whoever waits for a page comes first.
    bots = worker.format("bots", "bots", min(max(os.cpu_count() or 2, 2), 8))
    # Celery warns root, as a container's only user often is; on the workbench that is no news.
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    manage = str(settings.BASE_DIR / "manage.py")
    return [
        Program(
            "The web server", [python, "-m", *web.split()], {"DB_POOL": os.environ.get("DB_POOL", "8"), **env}
        ),
        Program("The worker", [python, "-m", *mail.split()], {**quiet, **env}),
        Program("The computers' worker", ["nice", "-n", "5", python, "-m", *bots.split()], {**quiet, **env}),
        Program("The sweeper", [python, manage, "sweep", "--loop"], env),
    ]
