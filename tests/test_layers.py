"""A file imports only from its own layer or any below; the imports themselves are the proof."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(path for app in ("acquire_site", "accounts", "games") for path in (ROOT / app).rglob("*.py"))

# The layer of each package, the longest name first that fits. What is not named in games is layer 3.
RULES, BOTS, RECORD, WEB, WIRING = range(5)
LAYERS = {
    "games.rules": RULES,
    "games.bots": BOTS,
    "games.plans": BOTS,
    "games.orders": BOTS,
    "games.answers": BOTS,
    "games.models": RECORD,
    "games.services": RECORD,
    "games.queries": RECORD,
    "games": WEB,
    "accounts": RECORD,
    "acquire_site": WIRING,
}

# The rules know no clock, no chance but their seed, and nothing outside the process.
NOT_FOR_RULES = {
    *("asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "secrets"),
    *("shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib", "uuid"),
}


def offences(path: Path, source: str) -> Iterator[str]:
    """Every import of the file that its layer forbids, in words."""
    module = module_name(path)
    for imported in imports(path, source):
        if reason := forbidden(module, imported):
            yield f"{module} imports {imported}: {reason}"


def forbidden(module: str, imported: str) -> str:
    """Why this module may not import that one; empty when it may."""
    own, other = layer(module), layer(imported)
    if other is None:
        return outside(own, imported)
    if inside(module, "accounts") and not inside(imported, "accounts"):
        return "accounts stand alone and send signals"
    if other > own:
        return "it belongs to a higher layer"
    if own == WEB and other in (RULES, BOTS) and not is_public_face(imported):
        return "only the public face of rules and bots is for pages"
    return ""


def outside(own: int, imported: str) -> str:
    """Why a layer may not import something that is not the project's; empty when it may."""
    top = imported.partition(".")[0]
    if own > BOTS:
        return ""
    if top not in sys.stdlib_module_names:
        return "rules and bots use the standard library only"
    if own == RULES and (top in NOT_FOR_RULES or imported == "random"):
        return "rules know no clock, no chance of their own and no outside"
    return ""


def layer(module: str) -> int | None:
    """The layer of a module of the project; None for any other."""
    return next((number for package, number in LAYERS.items() if inside(module, package)), None)


def inside(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def is_public_face(module: str) -> bool:
    """Whether it is one of the faces, right below one of them, or in the `__all__` of its package."""
    package, _, name = module.rpartition(".")
    faces = {"games.rules", "games.bots", "games.plans", "games.orders"}
    return module in faces or package in faces or name in exported(package)


def exported(package: str) -> set[str]:
    """What `__all__` of a package names."""
    tree = ast.parse((ROOT / package.replace(".", "/") / "__init__.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def imports(path: Path, source: str) -> Iterator[str]:
    """The full names of all modules that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = from_where(path, node)
            for alias in node.names:
                yield name if is_module(name := f"{base}.{alias.name}") else base_or_name(base, alias.name)


def base_or_name(base: str, name: str) -> str:
    # `from random import Random` takes a type, `import random` the shared generator.
    return f"{base}.{name}" if base == "random" and name == "Random" else base


def from_where(path: Path, node: ast.ImportFrom) -> str:
    """The module named between `from` and `import`, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    package = path.relative_to(ROOT).parts[: -node.level]
    return ".".join([*package, node.module] if node.module else package)


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_a_file_imports_only_from_its_layer_or_below(path):
    assert set(offences(path, path.read_text())) == set()


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("games/rules/acquire/state.py", "from django.db import models"),
        ("games/rules/acquire/state.py", "import time"),
        ("games/rules/acquire/state.py", "import random"),
        ("games/rules/acquire/state.py", "from random import shuffle"),
        ("games/rules/acquire/state.py", "from games.bots import BOTS"),
        ("games/rules/acquire/state.py", "from ... import bots"),
        ("games/bots/acquire.py", "import numpy"),
        ("games/bots/acquire.py", "from games.models import Game"),
        ("games/models/game.py", "from games.views import table"),
        ("games/services/playing.py", "def late():\n    from ..tasks import play_computer"),
        ("games/views/table.py", "from acquire_site import settings"),
        ("games/views/table.py", "from games.rules.acquire.state import State"),
        ("games/views/table.py", "from games.rules.acquire import state"),
        ("accounts/services.py", "from games.models import Seat"),
        ("accounts/services.py", "import acquire_site.settings"),
    ],
)
def test_a_forbidden_import_is_found(file, line):
    assert list(offences(ROOT / file, line))


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("games/rules/acquire/state.py", "from random import Random"),
        ("games/rules/acquire/state.py", "from hashlib import sha256"),
        ("games/rules/acquire/state.py", "from .board import CELLS"),
        ("games/bots/acquire.py", "from games.rules.acquire.state import State"),
        ("games/models/game.py", "from games.rules import SYSTEMS"),
        ("games/views/table.py", "from games.rules.acquire import Observation"),
        ("games/views/table.py", "from games.rules.errors import IllegalMove"),
        ("games/views/table.py", "from games import services"),
        ("games/sweeper.py", "from accounts.services import anonymise_idle_guests"),
        ("acquire_site/urls.py", "from games import urls"),
    ],
)
def test_a_lawful_import_passes(file, line):
    assert list(offences(ROOT / file, line)) == []
