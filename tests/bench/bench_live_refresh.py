"""Cost of the table that a page of a live game fetches after a tick, and of sending it without being asked.

A push would still check session and user, and draw the table: it saves the request. All ways are measured in
one process, in turn, with a server that a program of its own asks; see docs/decisions/htmx_and_ticks.md.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time, sleep
from typing import Any

from tests.support.measured_site import create_tables, site_environment
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

WARM_UP, ROUNDS = 5, 60
VERSION = 60

# Asks for each address that it reads, with a cookie, over one connection.
ASKER = """
import http.client, sys
server = http.client.HTTPConnection("localhost", int(sys.argv[1]))
for line in sys.stdin:
    path, cookie = line.rstrip("\\n").split("\\t")
    server.request("GET", path, headers={"Cookie": cookie, "HX-Request": "true", "Accept-Encoding": "gzip"})
    answer = server.getresponse()
    print(answer.status, len(answer.read()), flush=True)
"""


def live_refresh() -> Iterator[tuple[str, float | str, str]]:
    """Processor time of a refresh with a new move and of one without, and the share of it that a push takes.

    In a PostgreSQL of its own, or in SQLite without one.
    """
    found = available_services.find("postgres")
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = f"sqlite:///{folder}/bench.sqlite3"
        if found.path is not None:
            url = stack.enter_context(Postgres(found.path)).url
        command = [sys.executable, "-m", __name__]
        environment = site_environment(folder, url, ALLOWED_HOSTS="localhost")
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        name, value, unit = json.loads(line)
        yield name, value, unit


# -- In the process of the site ------------------------------------------------------------------------


def serve() -> None:
    """Measure with a new database and print the figures."""
    create_tables(only_postgres=False)
    from accounts.models import User
    from games.lobby.game_start import start_game
    from tests.support.clients import client_of
    from tests.support.games import play_on

    people = [User.objects.create_user(f"player{number}", time_zone="UTC") for number in range(4)]
    game = start_game(
        system="acquire", preset="classic", host=people[0], players=people, pace=60, bank=600, cap=600
    )
    game = play_on(game, VERSION)
    cookies = {name: morsel.value for name, morsel in client_of(people[1]).cookies.items()}
    path = f"/games/{game.public_id}/table/?after="
    with _asker() as ask:
        ways: dict[str, Callable[[], Any]] = {
            "refresh": lambda: ask(f"{path}{game.version - 1}", cookies, 200),
            "unchanged": lambda: ask(f"{path}{game.version}", cookies, 204),
            "pushed": lambda: _pushed(game.public_id, cookies),
        }
        spent: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(WARM_UP + ROUNDS):
            for name, way in ways.items():
                began = process_time()
                way()
                if number >= WARM_UP:
                    spent[name].append(process_time() - began)
    for name in ("refresh", "unchanged"):
        print(json.dumps([f"live_{name}_ms", median(spent[name]) * 1e3, "ms"]))
    ratio = median(push / ask for push, ask in zip(spent["pushed"], spent["refresh"], strict=True))
    print(json.dumps(["live_push_ratio", ratio, "x"]))


@contextlib.contextmanager
def _asker() -> Iterator[Callable[[str, dict[str, str], int], None]]:
    """Serve the site in a thread; yields a function that lets another process ask for an address."""
    import uvicorn

    from acquire_site.asgi import application

    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    command = [sys.executable, "-c", ASKER, str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asker:
        assert asker.stdin is not None
        assert asker.stdout is not None

        def ask(path: str, cookies: dict[str, str], status: int) -> None:
            cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
            print(path, cookie, sep="\t", file=asker.stdin, flush=True)
            said = asker.stdout.readline()
            if not said.startswith(f"{status} "):
                raise RuntimeError(f"{path}: {said}")

        yield ask
        asker.stdin.close()
    server.should_exit = True
    thread.join()


def _pushed(public_id: str, cookies: dict[str, str]) -> bytes:
    """Do what a socket would for a tick: check session and user, and draw the table by its view."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import get_user
    from django.test import RequestFactory

    from games.web.play.table_views import table

    request: Any = RequestFactory().get("/", HTTP_HOST="localhost")
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(
        cookies[settings.SESSION_COOKIE_NAME]
    )
    request.user, request.htmx = get_user(request), True
    content: bytes = table(request, public_id).content
    return content


if __name__ == "__main__":
    serve()
