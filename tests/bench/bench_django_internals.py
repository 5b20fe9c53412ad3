"""Gain of replacing parts of Django: the site's handler and its prepared queries.

All ways are measured in one process, in turn; see docs/decisions/asgi_handler.md and
docs/decisions/prepared_query.md.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from tests.support.measured_site import create_tables, site_environment

ROOT = Path(__file__).resolve().parent
while not (ROOT / "manage.py").exists():
    ROOT = ROOT.parent

WARM_UP, ROUNDS, REQUESTS = 5, 40, 5


def django_internals() -> Iterator[tuple[str, float | str, str]]:
    """Processor time of the table page, and its ratio without each replacement."""
    with tempfile.TemporaryDirectory() as folder:
        environment = site_environment(folder, ALLOWED_HOSTS="testserver")
        command = [sys.executable, "-m", __name__]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        name, value, unit = json.loads(line)
        yield name, value, unit


# -- In the process of the site ------------------------------------------------------------------------


def serve() -> None:
    """Measure with a new database and print the figures."""
    create_tables(only_postgres=False)
    from django.core.handlers.asgi import ASGIHandler
    from django.test import Client

    from accounts.models import User
    from acquire_site.asgi_handler import Handler
    from games.lobby.game_start import start_game
    from games.models.prepared_query import PreparedQuery

    players = [User.objects.create_user(f"player{number}") for number in range(4)]
    game = start_game(system="acquire", preset="avalon-hill", host=players[0], players=players)
    client = Client()
    client.force_login(players[0])
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())

    ours, djangos = Handler(), ASGIHandler()
    prepared = PreparedQuery.rows

    def written_anew(self: Any, **values: Any) -> Any:
        self._known.clear()
        return prepared(self, **values)

    async def page(handler: Any, rows: Any) -> None:
        PreparedQuery.rows = rows  # type: ignore[method-assign]
        await _ask(handler, f"/games/{game.public_id}/", cookie)

    ways: dict[str, Callable[[], Awaitable[None]]] = {
        "page": lambda: page(ours, prepared),
        "django_handler": lambda: page(djangos, prepared),
        "unprepared_queries": lambda: page(ours, written_anew),
    }
    spent = asyncio.run(_measure(ways))
    print(json.dumps(["page_ms", median(spent["page"]) * 1e3, "ms"]))
    for name in ("django_handler", "unprepared_queries"):
        ratio = median(other / page for other, page in zip(spent[name], spent["page"], strict=True))
        print(json.dumps([f"{name}_ratio", ratio, "x"]))


async def _measure(ways: dict[str, Callable[[], Awaitable[None]]]) -> dict[str, list[float]]:
    """Processor seconds of a request each way, by round."""
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(WARM_UP + ROUNDS):
        for name, ask in ways.items():
            began = process_time()
            for _ in range(REQUESTS):
                await ask()
            if number >= WARM_UP:
                spent[name].append((process_time() - began) / REQUESTS)
    return spent


async def _ask(handler: Any, path: str, cookie: str) -> None:
    from asgiref.testing import ApplicationCommunicator
    from django.test import AsyncRequestFactory

    scope = AsyncRequestFactory()._base_scope(path=path)  # type: ignore[attr-defined]
    scope["headers"] = [(b"host", b"testserver"), (b"cookie", cookie.encode())]
    request = ApplicationCommunicator(handler, scope)
    await request.send_input({"type": "http.request"})
    assert (await request.receive_output(30))["status"] == 200
    while (await request.receive_output(30)).get("more_body"):
        pass
    await request.wait(30)


if __name__ == "__main__":
    serve()
