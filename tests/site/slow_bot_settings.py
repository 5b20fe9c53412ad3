"""Bots that try the patience of a site, as the settings of a site that has them.

The site runs with DJANGO_SETTINGS_MODULE=tests.site.slow_bot_settings. Each of them says when it begins
to think, and in which process. With BROKEN=1 the site lacks what protects it from them, so that a test
can see what it would miss.
"""

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from acquire_site.settings import *  # noqa: F403
from acquire_site.settings import CELERY_TASK_ANNOTATIONS, DATA_DIR
from games.engine.bots.bot_levels import BOTS, Bot

# While this file exists, they move at once.
GO = DATA_DIR / "go"


def waiting(out_of_time: Callable[[], bool]) -> None:
    """Think until the time limit, which is long."""
    while not (GO.exists() or out_of_time()):
        time.sleep(0.02)


def deaf(out_of_time: Callable[[], bool]) -> None:
    """Ignore the time limit."""
    while not GO.exists():
        time.sleep(0.02)


def stubborn(out_of_time: Callable[[], bool]) -> None:
    """Go on even when interrupted."""
    while not GO.exists():
        try:
            time.sleep(0.02)
        except Exception:
            print("stubborn goes on", flush=True)


def level(think: Callable[[Callable[[], bool]], None], seconds: float) -> Bot:
    def choose(seen: Any, legal: Sequence[Any], rng: Any, out_of_time: Callable[[], bool]) -> Any:
        print(f"{think.__name__} begins in process {os.getpid()}.", flush=True)
        think(out_of_time)
        return legal[0]

    return Bot(think.__name__, "plays in a test.", choose, seconds)


BOTS["acquire"] |= {bot.name: bot for bot in (level(waiting, 600), level(deaf, 0.1), level(stubborn, 0.1))}

if os.environ.get("BROKEN"):
    # Nobody is interrupted, and the work of a dead process is forgotten.
    CELERY_TASK_ANNOTATIONS["games.tasks.play_computer"] = {"reject_on_worker_lost": False}
