"""People who play against bots for a long time: memory of the processes, and stuck games."""

import asyncio
from collections.abc import Iterator
from statistics import median

from tests.load.load_members import Person, prepare
from tests.load.load_players import COMPUTERS, Heard, play
from tests.load.measurements import Figure, megabytes, milliseconds
from tests.safety.site_stack import Stack

SAMPLES = 60
# The share of samples that counts as warm-up, not as growth.
WARMING_UP = 0.25

STUCK = """
from django.utils import timezone
from games.moderation import site_health
print("STUCK", site_health.stuck(timezone.now()).count())
"""


def soak(stack: Stack, *, minutes: float, people: int = 50) -> Iterator[Figure]:
    """Measure this number of people, each always in one game against bots."""
    there = prepare(stack, people, [(number, *COMPUTERS) for number in range(people)], "soak")
    heard = Heard()
    memory = asyncio.run(_play(stack, heard, there, 60 * minutes))
    yield from milliseconds("soak_page", heard.pages, 95, 99)
    yield from milliseconds("soak_move", heard.moves, 95, 99)
    for name, samples in memory.items():
        early, late = _ends(samples)
        yield f"soak_memory_{name}", late, "MiB"
        yield f"soak_growth_{name}", 100 * (late / early - 1), "%"
    early, late = _ends([sum(together) for together in zip(*memory.values(), strict=True)])
    yield "soak_growth", 100 * (late / early - 1), "%"
    said = stack.manage("shell", "--no-imports", "-c", STUCK)
    yield "soak_stuck_games", int(said.partition("STUCK ")[2]), "games"
    yield "soak_restarts", sum(process.starts - 1 for process in stack.processes.values()), "processes"
    yield "soak_errors", len(heard.errors), "errors"
    yield from ((f"soak_error_{place}", error, "") for place, error in enumerate(heard.errors[:5], 1))


async def _play(stack: Stack, heard: Heard, there: list[Person], seconds: float) -> dict[str, list[float]]:
    """Let the people play; return samples of the memory of each process."""
    playing = asyncio.create_task(play(there, heard, warm=0, seconds=seconds))
    memory: dict[str, list[float]] = {name: [] for name in stack.processes}
    for _ in range(SAMPLES):
        await asyncio.sleep(seconds / SAMPLES)
        for name, process in stack.processes.items():
            memory[name].append(megabytes(process.pids))
    await playing
    return memory


def _ends(samples: list[float]) -> tuple[float, float]:
    """Memory after the warm-up, and at the end."""
    warm = samples[int(len(samples) * WARMING_UP) :]
    tenth = max(1, len(warm) // 10)
    return median(warm[:tenth]), median(warm[-tenth:])
