"""The processes of the site and their command lines, as in production."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from acquire_site.supervisor import Program

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"

# Parts that `serve --only` names, and the programs that hold them: pages and sockets share a process.
PARTS = {"pages": "web", "sockets": "web", "bots": "bots", "mail": "mail", "sweeper": "sweeper"}

# Clients send nothing but subscriptions, so a long frame is an attack.
_WEB = (
    "uvicorn acquire_site.asgi:application --lifespan on --no-proxy-headers --no-server-header "
    "--ws-max-size 1024 --timeout-graceful-shutdown 3 --log-level warning"
)
# A web process gives requests 3 seconds; a worker finishes what it is at.
_WEB_STOP_SECONDS = 5.0
_WORKER_STOP_SECONDS = 20.0


def programs(port: int, redis_url: str) -> list[Program]:
    """The web server on this port, the two workers and the sweeper, in starting order."""
    env = {"REDIS_URL": redis_url, "SITE_URL": os.environ.get("SITE_URL") or f"http://localhost:{port}"}
    web = _program("web", env, "--host", "127.0.0.1", "--port", str(port))
    return [web, *(_program(kind, env) for kind in ("mail", "bots", "sweeper"))]


def served_programs(
    parts: Iterable[str],
    host: str,
    ports: Iterable[int],
    site_url: str,
    is_stale: Callable[[str], bool] = lambda part: False,
) -> list[Program]:
    """The programs of these parts, in starting order, with a web process for each port of the host.

    The settings of the environment hold for all of them. `is_stale` tells whether a worker or the sweeper
    shows no sign of life.
    """
    kinds = {PARTS[part] for part in parts}
    web = [
        replace(
            _program("web", {"SITE_URL": site_url}),
            name=f"The web server on port {port}",
            address=(host, port),
            stop_seconds=_WEB_STOP_SECONDS,
        )
        for port in (ports if "web" in kinds else [])
    ]
    others = [
        replace(
            _program(kind, {"SITE_URL": site_url}),
            stop_seconds=_WORKER_STOP_SECONDS,
            is_stale=partial(is_stale, kind),
        )
        for kind in ("mail", "bots", "sweeper")
        if kind in kinds
    ]
    return [*web, *others]


def _program(kind: str, env: Mapping[str, str], *options: str) -> Program:
    # Processes, not threads: only they obey the tasks' time limits, and a bot's search in one of them does
    # not block the worker's own loop.
    worker = (
        "celery --app acquire_site --quiet worker --queues {} --hostname {}@%h --pool prefork "
        "--concurrency {} --loglevel WARNING --without-mingle --without-gossip --without-heartbeat"
    )
    python = [sys.executable, "-m"]
    env = {"PYTHONUNBUFFERED": "1", **env}
    # Celery warns when run as root, often a container's only user; in development that is noise.
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges", **env}
    # One search per core, but at least two, so that one search never holds up all other games. Nice: page
    # requests come first.
    searches = min(max(os.cpu_count() or 2, 2), 8)
    match kind:
        case "web":
            pool = os.environ.get("DB_POOL", "8")
            return Program("The web server", [*python, *_WEB.split(), *options], {"DB_POOL": pool, **env})
        case "mail":
            return Program("The worker", [*python, *worker.format("celery", "celery", 1).split()], quiet)
        case "bots":
            bots = worker.format("bots", "bots", searches).split()
            return Program("The worker-bots process", ["nice", "-n", "5", *python, *bots], quiet)
        case _:
            return Program("The sweeper", [sys.executable, str(MANAGE), "sweep", "--loop"], env)
