"""The bag is unpredictable: it comes evenly from a secret of the operating system."""

import ast
import random
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games.engine.rules.acquire.board import SQUARES
from games.engine.rules.seeded_random import random_below, shuffled
from games.lobby import game_start

ROOT = Path(__file__).resolve().parents[2]

# Modules that decide the order of the bag, in the order of their calls.
START_PATH = (
    ROOT / "games/lobby/game_start.py",
    ROOT / "games/lobby/open_seats.py",
    ROOT / "games/play/game_columns.py",
    ROOT / "games/play/automation/automatic_moves.py",
    ROOT / "games/play/log_writer.py",
    *sorted((ROOT / "games/rules").rglob("*.py")),
)
# Types, which draw nothing themselves.
HARMLESS = {"Random", "SystemRandom"}
# A generator for players' nicknames, and nothing else.
NICKNAMES = "SystemRandom().sample"

# Taken before the fixture of all tests replaces it by reproducible seeds.
draw_seed = game_start.new_seed

STARTS = 20_000
# Exceeded by chance once in a thousand times, with the number of squares less one.
UNLIKELY = 158.0


def offences(source: str) -> Iterator[str]:
    """Return uses in a module of anything predictable or controllable: the common generator."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (f"import {alias.name}" for alias in node.names if alias.name in ("random", "time"))
        elif isinstance(node, ast.ImportFrom) and node.module == "random":
            yield from (f"from random import {n.name}" for n in node.names if n.name not in HARMLESS)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in HARMLESS or called.startswith("random."):
                yield called


@pytest.mark.parametrize("path", START_PATH, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_seed_decides_the_bag(path: Path) -> None:
    source = path.read_text()
    allowed = ["SystemRandom"] * source.count(NICKNAMES)
    assert sorted(offences(source)) == allowed


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from random import shuffle",
        "from random import choice as pick",
        "def deal(bag):\n    import random\n    random.shuffle(bag)",
        "from random import Random\nbag = Random(1)",
        "import time",
    ],
)
def test_use_of_another_generator_is_detected(line: str) -> None:
    assert list(offences(line))


def test_seed_does_not_depend_on_the_common_generator() -> None:
    seeds = set()
    for _ in range(50):
        random.seed(1)
        seeds.add(draw_seed())
    assert len(seeds) == 50 and {len(seed) for seed in seeds} == {32}


def seeds(many: int) -> Iterator[bytes]:
    return (sha256(f"start {start}".encode()).digest() for start in range(many))


def chi_square(counts: Counter[Any], kinds: int) -> float:
    """Return how far the counts are from being equal."""
    even = counts.total() / kinds
    return sum((counts[kind] - even) ** 2 / even for kind in range(kinds))


def test_every_tile_comes_first_equally_often() -> None:
    squares = len(SQUARES)
    drawn = [shuffled(seed, "bag", SQUARES) for seed in seeds(STARTS)]
    for place in (0, 1, squares - 1):
        assert chi_square(Counter(bag[place] for bag in drawn), squares) < UNLIKELY, place


def test_uneven_shuffle_is_detected() -> None:
    """The twin: a byte of the seed modulo the number of tiles favours small values."""
    squares = len(SQUARES)
    assert chi_square(Counter(seed[0] % squares for seed in seeds(STARTS)), squares) > UNLIKELY
    even = Counter(random_below(seed, "bag", 0, squares) for seed in seeds(STARTS))
    assert chi_square(even, squares) < UNLIKELY
