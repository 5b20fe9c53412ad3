"""The order of the folders: a file imports only from its own folder and from those above it in the list."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# A module belongs to the longest name that it is or lies in. It imports nothing further down.
ORDER = (
    "accounts.names",
    "accounts.models",
    "accounts.refusals",
    "accounts.signals",
    "accounts.mail",
    "accounts.operator",
    "accounts.membership",
    "accounts.api_access",
    "accounts.moderation",
    "accounts.privacy",
    "accounts.web.moderation",
    "accounts.web.api_access",
    "accounts.web.membership",
    "accounts.web.settings",
    "accounts.web.operator",
    "accounts.templatetags",
    "accounts.urls",
    "accounts.apps",
    "accounts.admin",
    "accounts.management",
    "accounts.migrations",
    "games.engine.compiled_modules",
    "games.engine.rules",
    "games.engine.bots",
    "games.engine.owner_must_decide",
    "games.engine.standing_orders",
    "games.engine.planned_turns",
    "games.engine.ready_move",
    "games.models",
    "games.refusals",
    "games.keyset_page",
    "games.log",
    "games.realtime",
    "games.players",
    "games.clocks",
    "games.processes",
    "games.notifications",
    "games.play",
    "games.chat",
    "games.ratings",
    "games.lobby",
    "games.archive",
    "games.analysis",
    "games.puzzles",
    "games.insights",
    "games.retries",
    "games.lessons",
    "games.showcase",
    "games.moderation",
    "games.privacy",
    "games.web.presenters",
    "games.web.addresses",
    "games.web.requests",
    "games.web.refusal_response",
    "games.web.page_links",
    "games.web.open_hand",
    "games.web.text",
    "games.web.settings",
    "games.web.moderation",
    "games.web.realtime",
    "games.web.notifications",
    "games.web.clocks",
    "games.web.chat",
    "games.web.lobby",
    "games.web.ratings",
    "games.web.archive",
    "games.web.puzzles",
    "games.web.insights",
    "games.web.retries",
    "games.web.lessons",
    "games.web.rules",
    "games.web.analysis",
    "games.web.showcase",
    "games.web.play",
    "games.web.api",
    "games.receivers",
    "games.tasks",
    "games.system_checks",
    "games.templatetags",
    "games.sweeper",
    "games.urls",
    "games.apps",
    "games.admin",
    "games.management",
    "games.migrations",
    "acquire_site",
)

# Packages whose `__init__.py` holds code: Django loads the models, the settings and the Celery app there.
WITH_CODE = ("accounts.models", "games.models", "acquire_site")
# Python imports this package before any module of the engine, so it refuses compiled modules that are old.
REFUSES_OLD_COMPILATION = "games.engine"

SYSTEMS = {"acquire", "acquisition"}
REGISTRIES = {
    "games.engine.rules.rule_systems",
    "games.engine.bots.bot_levels",
    "games.engine.bots.learners",
    "games.engine.standing_orders.order_systems",
    "games.engine.planned_turns.plan_systems",
    "games.lessons.course",
    "games.web.presenters.presenter_registry",
}

USES_NUMPY = {"games.engine.bots.acquire.network"}

# Clock, chance and I/O. The rules take chance from a `Random` that the caller seeds.
NOT_FOR_RULES = {
    *("asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets"),
    *("shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib", "uuid"),
}
IO_CALLS = {"open", "print", "input"}


def offences(module: str, source: str) -> Iterator[str]:
    """Return what the module's own text does against the order, in words."""
    tree = ast.parse(source)
    if is_package(module):
        with_code = module == REFUSES_OLD_COMPILATION or any(inside(module, name) for name in WITH_CODE)
        if holds_code(tree) and not with_code:
            yield f"{module}: an __init__.py holds nothing but a docstring"
    elif place(module) is None:
        yield f"{module} has no place in ORDER"
    for imported in imports(module, tree):
        if reason := forbidden(module, imported):
            yield f"{module} imports {imported}: {reason}"
    if inside(module, "games.engine.rules"):
        yield from (f"{module} calls {name}: no I/O in the rules" for name in io_calls(tree))


def forbidden(module: str, imported: str) -> str:
    """Return why the module may not import the other, or an empty string."""
    if imported.partition(".")[0] not in {"accounts", "games", "acquire_site"}:
        return forbidden_library(module, imported)
    own, other = place(module), place(imported)
    if own is None:
        return ""
    if other is None:
        return "it has no place in ORDER"
    if inside(module, "accounts") and not inside(imported, "accounts"):
        return "accounts stands alone"
    if other > own:
        return "it stands further down in ORDER"
    if module not in REGISTRIES and not systems(imported) <= systems(module):
        return "only its registry and its own packages import a rule system by name"
    return ""


def forbidden_library(module: str, imported: str) -> str:
    """Return why the module may not import this from outside the project, or an empty string."""
    library = imported.partition(".")[0]
    if not inside(module, "games.engine"):
        return ""
    if library not in sys.stdlib_module_names and (library != "numpy" or module not in USES_NUMPY):
        return "the engine uses the standard library only"
    if inside(module, "games.engine.rules") and library in NOT_FOR_RULES and imported != "random.Random":
        return "no clock, no chance and no I/O in the rules"
    return ""


def place(module: str) -> int | None:
    """Return the index in ORDER of the longest name that the module is or lies in."""
    fitting = [name for name in ORDER if inside(module, name)]
    return ORDER.index(max(fitting, key=len)) if fitting else None


def inside(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def systems(module: str) -> set[str]:
    """Return the rule systems that the module's packages are named after."""
    return SYSTEMS & set(module.split("."))


def holds_code(tree: ast.Module) -> bool:
    return len(tree.body) > (ast.get_docstring(tree) is not None)


def io_calls(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IO_CALLS:
            yield node.func.id


def imports(module: str, tree: ast.Module) -> Iterator[str]:
    """Return the modules that are imported anywhere in the file; `random.Random` counts as one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = imported_from(module, node)
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield name if is_module(name) or name == "random.Random" else base


def imported_from(module: str, node: ast.ImportFrom) -> str:
    """Return the module named between `from` and `import`, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    package = parts[: len(parts) - node.level + is_package(module)]
    return ".".join([*package, node.module] if node.module else package)


def is_module(name: str) -> bool:
    return is_package(name) or (ROOT / name.replace(".", "/")).with_suffix(".py").exists()


def is_package(name: str) -> bool:
    return (ROOT / name.replace(".", "/") / "__init__.py").exists()


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others."""
    reached = {module: reachable(graph, module) for module in graph}
    groups = {
        tuple(sorted(other for other in reached[module] if module in reached[other]))
        for module in graph
        if module in reached[module]
    }
    return [list(group) for group in sorted(groups)]


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    ahead = [start]
    while ahead:
        new = graph.get(ahead.pop(), set()) - found
        found |= new
        ahead.extend(new)
    return found


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {
    module_name(path): path.read_text()
    for package in ("accounts", "games", "acquire_site")
    for path in sorted((ROOT / package).rglob("*.py"))
}


@pytest.mark.parametrize("module", SOURCES)
def test_module_keeps_the_order(module):
    assert set(offences(module, SOURCES[module])) == set()


def test_no_modules_import_each_other():
    trees = {module: ast.parse(source) for module, source in SOURCES.items()}
    graph = {module: set(imports(module, tree)) & set(SOURCES) for module, tree in trees.items()}
    assert cycles(graph) == []


def test_every_module_that_is_named_here_exists():
    assert [name for name in (*ORDER, *WITH_CODE, *REGISTRIES, *USES_NUMPY) if not is_module(name)] == []


@pytest.mark.parametrize(
    ("module", "source", "reason"),
    [
        ("games.models.game", "from games.web.play import table_views", "further down"),
        ("games.models.game", "from games.play.play_move import play_move", "further down"),
        ("games.play.play_move", "def late():\n    from ..tasks import play_bot", "further down"),
        ("games.play.play_move", "if TYPE_CHECKING:\n    import games.lobby.invite", "further down"),
        ("games.ratings.leaderboards", "from games.lobby import lobby_lists", "further down"),
        ("games.engine.rules.rule_systems", "from games.engine import bots", "further down"),
        ("games.engine.rules.acquire.state", "from ...bots import bot_levels", "further down"),
        ("games.engine.bots.bot_levels", "from games.models import Game", "further down"),
        ("games.web.chat.chat_views", "from games.web.lobby import lobby_pages", "further down"),
        ("games.web.open_hand", "from games.web.text.game_titles import title", "further down"),
        ("games.web.play.table_views", "from acquire_site import settings", "further down"),
        ("accounts.names.lookalikes", "from accounts.models import User", "further down"),
        ("accounts.operator.site_switches", "from accounts.moderation import sanctions", "further down"),
        ("accounts.membership.guests", "from games.models import Seat", "stands alone"),
        ("accounts.apps", "import acquire_site.settings", "stands alone"),
        ("games.services.playing", "", "has no place"),
        ("games.web.tools", "", "has no place"),
        ("games.tasks", "from games import utils", "has no place"),
        ("games.play", "from games.play.play_move import play_move", "nothing but a docstring"),
        ("games.engine.rules.acquire", '"""Acquire."""\nSEATS = 6', "nothing but a docstring"),
        ("games.web.play.table_views", "from games.engine.rules.acquire.state import State", "by name"),
        ("games.play.game_view", "from games.engine.rules.acquisition import rule_system", "by name"),
        ("games.engine.rules.acquire.state", "import games.engine.rules.acquisition.board", "by name"),
        ("games.engine.bots.acquire.evaluation", "import django", "standard library only"),
        ("games.engine.bots.acquire.greedy", "import numpy", "standard library only"),
        ("games.engine.bots.acquire.valuation", "import numpy", "standard library only"),
        ("games.engine.rules.acquire.state", "import numpy.random", "standard library only"),
        ("games.engine.ready_move", "from django.db import models", "standard library only"),
        ("games.engine.rules.acquire.deal", "import random", "no clock, no chance"),
        ("games.engine.rules.acquire.deal", "from random import Random, shuffle", "no clock, no chance"),
        ("games.engine.rules.acquire.turns", "from datetime import UTC", "no clock, no chance"),
        ("games.engine.rules.acquire.turns", "import os.path", "no clock, no chance"),
        ("games.engine.rules.acquire.turns", "def show():\n    print(1)", "no I/O"),
        ("games.engine.rules.rule_systems", "text = open('rules').read()", "no I/O"),
    ],
)
def test_offence_is_found(module, source, reason):
    assert [found for found in offences(module, source) if reason in found]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("games.engine.rules.acquire.deal", "from random import Random"),
        ("games.engine.rules.acquire.deal", "from hashlib import sha256"),
        ("games.engine.rules.acquire.state", "from .board import SIDE"),
        ("games.engine.rules.rule_systems", "from games.engine.rules.acquire import rule_system"),
        ("games.engine.bots.acquire.greedy", "from games.engine.rules.acquire.state import State"),
        ("games.engine.bots.acquire.network", "import numpy"),
        ("games.engine.bots.arena.match_runner", "import time, multiprocessing"),
        ("games.web.presenters.acquire.presenter", "from games.engine.bots.acquire import evaluation"),
        ("games.web.presenters.presenter_registry", "from games.web.presenters.acquire import presenter"),
        ("games.models", "from games.models.game import Game"),
        ("games.models.playable_systems", "from games.engine.rules.rule_systems import RULE_SYSTEMS"),
        ("games.play.play_move", "from games.play.seats import concession"),
        ("games.play", '"""Play."""'),
        ("games.web.play.table_views", "from games.web.chat import chat_views"),
        ("games.web.open_hand", "from django.http import HttpRequest"),
        ("games.sweeper", "from accounts.privacy.cleanup import delete_expired"),
        ("accounts.web.settings.settings_forms", "from accounts.models import User"),
        ("acquire_site.urls", "from games import urls"),
    ],
)
def test_lawful_import_passes(module, source):
    assert list(offences(module, source)) == []


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"d"}}, [["a", "b", "c"], ["d"]]),
    ],
)
def test_cycle_is_found(graph, expected):
    assert cycles(graph) == expected
