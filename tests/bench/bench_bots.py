"""Decisions per second of each level, and memory of a worker that plays for them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from games.engine.bots.arena.match import Match, play
from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.observation import observe
from games.engine.rules.acquire.state import State
from tests.tools.run_tests import ROOT

LEVELS = BOTS["acquire"]
# Processor seconds for each figure, and numbers of tries of the search.
BUDGET = 2.0
ROLLOUTS = (100, 300, 1000)
GAMES = 2

Figure = tuple[str, float | str, str]


def decisions() -> Iterator[Figure]:
    """Decisions per second of each level, observation included, without a time limit."""
    for level, bot in LEVELS.items():
        yield f"decisions_{level}", per_second(bot.choose), "1/s"


def rollouts() -> Iterator[Figure]:
    """Decisions per second of the search, by its number of tries."""
    searches = [bot.choose.__self__ for bot in LEVELS.values() if bot.advise]  # type: ignore[attr-defined]
    for tries in ROLLOUTS:
        yield f"decisions_{tries}_rollouts", per_second(replace(searches[-1], tries=tries).choose), "1/s"


def per_second(choose: Callable[..., Any]) -> float:
    """Decisions per processor second, as many as fit into the budget."""
    rng = Random(1)
    states = positions()
    made = 0
    began = process_time()
    while (spent := process_time() - began) < BUDGET or not made:
        state = states[made % len(states)]
        seen = observe(state, state.decision.seat, memory=True)
        choose(seen, seen.legal, rng)
        made += 1
    return made / spent


def positions() -> list[State]:
    """Positions with a choice from games of medium players, in a fixed random order."""
    found = []
    rng = Random(1)
    choose = LEVELS["medium"].choose
    for _ in range(10):
        state = acquire.deal(acquire.PRESETS["avalon-hill"], 4, rng.randbytes(32))
        while (seat := acquire.decider(state)) is not None:
            seen = observe(state, seat, memory=True)
            if len(seen.legal) > 1:
                found.append(state.copy())
            acquire.apply(state, choose(seen, seen.legal, rng))
    rng.shuffle(found)
    return found


def memory() -> Iterator[Figure]:
    """Resident memory of a worker process after start, and after games of all levels."""
    if not Path("/proc/self/statm").exists():
        yield "worker_memory", "skipped: there is no /proc", "MB"
        return
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "acquire_site.settings"}
        command = [sys.executable, "-m", "tests.bench.bench_bots"]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    before, after = map(float, done.stdout.split())
    yield "worker_memory_start", before, "MB"
    yield "worker_memory", after, "MB"


# -- In the measured process ---------------------------------------------------------------------------


def measure() -> tuple[float, float]:
    """Megabytes before and after the games."""
    from acquire_site.celery import app

    app.loader.import_default_modules()
    before = megabytes()
    # The strongest levels, as many as fit at a table.
    match = Match(tuple(LEVELS)[-max(acquire.SEATS) :])
    for number in range(GAMES):
        play(match, number)
    return before, megabytes()


def megabytes() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    print(*measure())
