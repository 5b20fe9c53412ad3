"""The processes of the site and their command lines, as in production."""

import os
import sys
from pathlib import Path

from acquire_site.supervisor import Program

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"


def programs(port: int, redis_url: str) -> list[Program]:
    """The web server on this port, the two workers and the sweeper, in starting order."""
    env = {
        "REDIS_URL": redis_url,
        "SITE_URL": os.environ.get("SITE_URL") or f"http://localhost:{port}",
        "PYTHONUNBUFFERED": "1",
    }
    python = sys.executable
    # Clients send nothing but subscriptions, so a long frame is an attack.
    web = (
        f"uvicorn acquire_site.asgi:application --host 127.0.0.1 --port {port} --lifespan off "
        "--no-server-header --ws-max-size 1024 --timeout-graceful-shutdown 3 --log-level warning"
    )
    # Processes, not threads: only they obey the tasks' time limits, and a bot's search in one of them does
    # not block the worker's own loop.
    worker = (
        "celery --app acquire_site --quiet worker --queues {} --hostname {}@%h --pool prefork "
        "--concurrency {} --loglevel WARNING --without-mingle --without-gossip --without-heartbeat"
    )
    mail = worker.format("celery", "celery", 1)
    # One search per core, but at least two, so that one search never holds up all other games. Nice: page
    # requests come first.
    bots = worker.format("bots", "bots", min(max(os.cpu_count() or 2, 2), 8))
    # Celery warns when run as root, often a container's only user; in development that is noise.
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    return [
        Program(
            "The web server", [python, "-m", *web.split()], {"DB_POOL": os.environ.get("DB_POOL", "8"), **env}
        ),
        Program("The worker", [python, "-m", *mail.split()], {**quiet, **env}),
        Program("The computers' worker", ["nice", "-n", "5", python, "-m", *bots.split()], {**quiet, **env}),
        Program("The sweeper", [python, str(MANAGE), "sweep", "--loop"], env),
    ]
