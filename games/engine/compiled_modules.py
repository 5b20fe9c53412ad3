"""The modules that `make fast` compiles, and whether they are compiled.

Python prefers a compiled module to its source, so modules that were compiled from other sources would play
by rules of yesterday. The name of their library holds a digest of the sources, and the engine refuses to be
imported with another one.
"""

from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

# Moves, events, options and observations are left out: their dataclasses stay those of plain Python.
MODULES: Final = (
    *(
        f"games/engine/rules/acquire/{name}"
        for name in (
            *("apply_move", "board", "bonuses", "chains", "legal_moves", "mergers", "state"),
            *("tile_placement", "turns"),
        )
    ),
    *(
        f"games/engine/bots/acquire/{name}"
        for name in (
            *("bonus_cache", "evaluation", "foresight", "lookahead", "monte_carlo", "net_worth"),
            *("plan_search", "rollout_policy", "seat_features", "turn_plans"),
        )
    ),
    *(
        f"games/engine/rules/acquisition/{name}"
        for name in ("apply_move", "board", "buildings", "legal_moves", "state", "tile_placement", "turns")
    ),
    *(f"games/engine/bots/acquisition/{name}" for name in ("beam_search", "evaluation", "lookahead")),
)

MENDING: Final = "Run `make fast` to compile them again, or `make plain` to play in plain Python."


def sources() -> list[Path]:
    """The source files of the modules."""
    return [ROOT / f"{module}.py" for module in MODULES]


def library() -> str:
    """The name of the library that holds the modules as they are compiled from today's sources."""
    digest = sha256()
    for path in sources():
        digest.update(path.read_bytes())
    return f"acquire_{digest.hexdigest()[:16]}"


@cache
def is_compiled() -> bool:
    """Return whether rules and bots run compiled in this Python, which plays the same games faster."""
    return any(_compiled(ROOT / module) for module in MODULES)


def refuse_old_compilation() -> None:
    """Raise ImportError unless all modules are plain, or all are compiled from today's sources."""
    found = [_compiled(ROOT / module) for module in MODULES]
    if any(found) and not (all(found) and _compiled(ROOT / f"{library()}__mypyc")):
        raise ImportError(f"Rules and bots were compiled from other sources. {MENDING}")


def _compiled(module: Path) -> bool:
    """Return whether there is a compiled file of the module that this Python would load."""
    return any(module.with_name(module.name + suffix).exists() for suffix in EXTENSION_SUFFIXES)
