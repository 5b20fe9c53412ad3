"""Figures as lines of JSON, and what they are made of: percentiles, memory, time of the processor."""

import json
import math
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

Figure = tuple[str, float | str, str]


def show(figures: Iterable[Figure]) -> None:
    """Print each figure as soon as it is known."""
    for name, value, unit in figures:
        shown = value if isinstance(value, str) else None if math.isnan(value) else round(value, 2)
        print(json.dumps({"name": name, "value": shown, "unit": unit}), flush=True)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that so many in a hundred do not exceed; not a number without any."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(len(values) * share / 100) - 1)]


def milliseconds(name: str, seconds: Sequence[float], *shares: int) -> Iterator[Figure]:
    """Percentiles of these seconds, in milliseconds, and how many there were."""
    for share in shares:
        yield f"{name}_p{share}", percentile(seconds, share) * 1e3, "ms"
    yield f"{name}_count", len(seconds), "times"


def megabytes(pids: Iterable[int]) -> float:
    """The memory that these processes hold, each with all that it shares; one that is gone holds none."""
    return sum(map(_resident, pids)) / 1024


def _resident(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:")), 0)


def processor(pids: Iterable[int]) -> float:
    """The seconds that these processes have kept a core busy so far; one that is gone has kept none."""
    return sum(map(_ticks, pids)) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    # Behind the name of the program, which may hold anything.
    user, system = text.rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


class Effort:
    """What this process, which makes the load, took of the machine, and how busy that was besides."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.processor = 0.0
        self.busy = os.getloadavg()[0]

    @contextmanager
    def measured(self) -> Iterator[None]:
        began, used = time.monotonic(), time.process_time()
        try:
            yield
        finally:
            self.seconds = time.monotonic() - began
            self.processor = time.process_time() - used

    def figures(self, name: str) -> Iterator[Figure]:
        yield f"{name}_generator_processor", 100 * self.processor / max(self.seconds, 1e-9), "% of a core"
        yield f"{name}_load_average_before", self.busy, "processes"
