"""The parts of the site and their command lines, as they run in production too."""

import os
import sys
from pathlib import Path

from acquire_site.supervisor import Program

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"


def programs(port: int, redis_url: str) -> list[Program]:
    """The web server on this port, the two workers and the sweeper, in the order of their start."""
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
    return [
        Program(
            "The web server", [python, "-m", *web.split()], {"DB_POOL": os.environ.get("DB_POOL", "8"), **env}
        ),
        Program("The worker", [python, "-m", *mail.split()], {**quiet, **env}),
        Program("The computers' worker", ["nice", "-n", "5", python, "-m", *bots.split()], {**quiet, **env}),
        Program("The sweeper", [python, str(MANAGE), "sweep", "--loop"], env),
    ]
