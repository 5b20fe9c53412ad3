"""Compiled rules and bots play as plain Python does, and pass the same tests."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.tools.run_tests import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("mypyc") is None, reason="mypyc is not installed"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
]

GAMES = """
import json
from random import Random
from games.engine.bots.acquire import evaluation
from games.engine.bots.acquire.monte_carlo import MonteCarloSearch
from games.engine.bots.acquire.plan_search import PlanSearch
from games.engine.bots.acquire.self_play import PRESETS_IN_TURN, play_game
from games.engine.bots.acquisition.beam_search import BeamSearch
from games.engine.bots.bot_levels import BOTS
from games.engine.compiled_modules import is_compiled
from games.engine.rules.acquisition import rule_system as acquisition

# A searching bot sits in the first seat, bots that look one move ahead in one to three others.
def game_of_acquisition(rng):
    seats = rng.randrange(2, 5)
    state = acquisition.deal(acquisition.PRESETS["standard"], seats, rng.randbytes(32))
    choices = [BeamSearch(width=4, rounds=1).choose, *[BOTS["acquisition"]["medium"].choose] * 3]
    moves = []
    while not state.ended:
        seat = state.decision.seat
        seen = acquisition.observe(state, seat)
        moves.append(choices[seat](seen, acquisition.legal_moves(state), rng))
        acquisition.apply(state, moves[-1])
    return [move.text for move in moves]

VARIED = (9, 11, 13)  # games for three, five and two, each with other rules
levels = BOTS["acquire"]
bots = [
    (levels["random"].choose, range(56)),
    (levels["easy"].choose, range(8)), (levels["medium"].choose, range(8)),
    (MonteCarloSearch(tries=20, judge=evaluation.linear_evaluation, turns=4).choose, VARIED),
    (PlanSearch(tries=20).choose, VARIED), (PlanSearch(tries=20, foresight_every=1).choose, [0]),
]
games = [play_game(1, number, choose).moves for choose, numbers in bots for number in numbers]
games += [game_of_acquisition(Random(seed)) for seed in (0, 1, 5)]  # for three, two and four
print(json.dumps({"compiled": is_compiled(), "games": games}))
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project with compiled rules and bots."""
    copy = tmp_path_factory.mktemp("compiled") / "acquire"
    for name in ("acquire_site", "accounts", "games", "templates", "tests", "docs", "deploy"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for path in (ROOT / "manage.py", ROOT / "pyproject.toml", ROOT / "Makefile", ROOT / "README.md"):
        shutil.copy(path, copy)
    run(copy, "manage.py", "compile_engine")
    yield copy
    shutil.rmtree(copy)


def run(folder: Path, *arguments: str) -> str:
    """The output of Python in this folder, which must succeed."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def games(folder: Path) -> Any:
    """The games that bots play in this copy, and whether its rules are compiled."""
    return json.loads(run(folder, "-c", GAMES))


def test_compiled_bots_play_the_same_games_move_for_move(compiled: Path) -> None:
    plain, fast = games(ROOT), games(compiled)
    assert (plain["compiled"], fast["compiled"]) == (False, True)
    assert fast["games"] == plain["games"]


def test_engine_passes_its_tests_compiled(compiled: Path) -> None:
    """Without the long games of bots: the test above compares compiled games move for move."""
    said = run(
        compiled, "-m", "pytest", "tests/engine", "-m", "not long", "-q", "-n", "2", "-p", "no:cacheprovider"
    )
    assert "passed" in said.splitlines()[-1]


def test_source_changed_after_compilation_is_refused(compiled: Path) -> None:
    source = compiled / "games" / "engine" / "rules" / "acquire" / "chains.py"
    before = source.read_text()
    source.write_text(before.replace("SAFE: Final = 11", "SAFE: Final = 12"))
    try:
        command = [sys.executable, "manage.py", "check"]
        done = subprocess.run(command, cwd=compiled, capture_output=True, text=True)
        assert done.returncode != 0
        assert "Run `make fast` to compile them again" in done.stderr
    finally:
        source.write_text(before)


def test_old_compilation_would_play_by_old_rules(compiled: Path) -> None:
    """The twin of the test above: without the refusal, the changed source counts for nothing."""
    source = compiled / "games" / "engine" / "rules" / "acquire" / "chains.py"
    engine = compiled / "games" / "engine" / "__init__.py"
    before, checks = source.read_text(), engine.read_text()
    source.write_text(before.replace("SAFE: Final = 11", "SAFE: Final = 12"))
    engine.write_text("")
    try:
        said = run(compiled, "-c", "from games.engine.rules.acquire import chains; print(chains.SAFE)")
        assert said.strip() == "11"
    finally:
        source.write_text(before)
        engine.write_text(checks)
