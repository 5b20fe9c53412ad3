"""Figures as lines of JSON: percentiles, memory, processor time."""

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

Figure = tuple[str, float | str, str]


def show(figures: Iterable[Figure]) -> None:
    """Print each figure as soon as it is known."""
    for name, value, unit in figures:
        shown = value if isinstance(value, str) else None if math.isnan(value) else round(value, 2)
        print(json.dumps({"name": name, "value": shown, "unit": unit}), flush=True)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is at least as large as this percentage of all; NaN without values."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(len(values) * share / 100) - 1)]


def milliseconds(name: str, seconds: Sequence[float], *shares: int) -> Iterator[Figure]:
    """Percentiles of these seconds, in milliseconds, and the number of values."""
    for share in shares:
        yield f"{name}_p{share}", percentile(seconds, share) * 1e3, "ms"
    yield f"{name}_count", len(seconds), "times"


def megabytes(pids: Iterable[int]) -> float:
    """Resident memory of these processes, shared pages included; processes that have ended count 0."""
    return sum(map(_resident, pids)) / 1024


def _resident(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:")), 0)


def processor(pids: Iterable[int]) -> float:
    """Processor seconds of these processes so far; processes that have ended count 0."""
    return sum(map(_ticks, pids)) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    # Skip the name of the program, which may contain spaces.
    user, system = text.rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


# The processes of a site by the part that they are of.
Parts = Callable[[], Mapping[str, Iterable[int]]]


class Effort:
    """Processor time that the load generator and the parts of the site took, and the load average before."""

    def __init__(self, parts: Parts = dict) -> None:
        self.seconds = 0.0
        self.processor = 0.0
        self.busy = os.getloadavg()[0]
        self._parts = parts
        self._taken: dict[str, float] = {}

    @contextmanager
    def measured(self) -> Iterator[None]:
        began, used = time.monotonic(), time.process_time()
        parts = {name: list(pids) for name, pids in self._parts().items()}
        before = {name: processor(pids) for name, pids in parts.items()}
        try:
            yield
        finally:
            self.seconds = time.monotonic() - began
            self.processor = time.process_time() - used
            self._taken = {name: processor(pids) - before[name] for name, pids in parts.items()}

    def figures(self, name: str) -> Iterator[Figure]:
        yield f"{name}_generator_processor", 100 * self.processor / max(self.seconds, 1e-9), "% of a core"
        for part, taken in self._taken.items():
            yield f"{name}_{part}_processor", 100 * taken / max(self.seconds, 1e-9), "% of a core"
        yield f"{name}_load_average_before", self.busy, "processes"
