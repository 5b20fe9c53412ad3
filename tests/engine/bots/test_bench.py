"""The output of `python -m tests.bench`, one line of JSON for each measurement."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from games.engine.bots.bot_levels import BOTS, Bot
from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.moves import Move
from tests.bench import bench_bots, benchmarks

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", ["state_json", "deal"])
def test_measurement_is_one_line_of_json(name: str) -> None:
    command = [sys.executable, "-m", "tests.bench", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, cwd=ROOT)
    (line,) = done.stdout.splitlines()
    figure = json.loads(line)
    assert figure.keys() == {"name", "value", "unit"}
    assert figure["name"] == name
    assert figure["value"] > 0


def test_unknown_measurement_is_refused() -> None:
    command = [sys.executable, "-m", "tests.bench", "luck"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100, cwd=ROOT)
    assert done.returncode == 2
    assert "random_games_4p" in done.stderr


def test_random_game_is_whole() -> None:
    state, moves = benchmarks.random_game(1)
    assert state.ended
    assert len(moves) > 50


def test_every_level_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_bots, "BUDGET", 0.0)
    monkeypatch.setattr(bench_bots, "LEVELS", {key: BOTS["acquire"][key] for key in ("random", "medium")})
    figures = {name: value for name, value, _ in bench_bots.decisions()}
    assert figures.keys() == {"decisions_random", "decisions_medium"}
    assert all(isinstance(value, float) and value > 0 for value in figures.values())


@dataclass(frozen=True)
class Search:
    tries: int

    def choose(self, seen: acquire_rule_system.Observation, legal: Sequence[Move], *asked: object) -> Move:
        tried.append(self.tries)
        return legal[0]


tried: list[int] = []


def test_search_is_measured_with_several_numbers_of_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = Bot("Deep", "thinks.", Search(3000).choose, advise=lambda *asked: [])
    monkeypatch.setattr(bench_bots, "BUDGET", 0.0)
    monkeypatch.setattr(bench_bots, "LEVELS", {"medium": BOTS["acquire"]["medium"], "deep": deep})
    tried.clear()
    figures = {name: value for name, value, _ in bench_bots.rollouts()}
    assert tried == [100, 300, 1000]
    assert figures.keys() == {f"decisions_{tries}_rollouts" for tries in tried}
    assert all(isinstance(value, float) and value > 0 for value in figures.values())


def test_measured_positions_are_fixed_and_leave_choice() -> None:
    positions = bench_bots.positions()
    assert len(positions) > 1000
    assert [*map(acquire_rule_system.state_to_json, positions)] == [
        *map(acquire_rule_system.state_to_json, bench_bots.positions())
    ]
    assert all(len(acquire_rule_system.legal_moves(state)) > 1 for state in positions)


def test_memory_is_counted_in_megabytes() -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("there is no /proc")
    assert 10 < bench_bots.megabytes() < 10_000
