"""The figures of `python -m tests.bench` are lines that a program can read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import bench

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["state_json", "deal"])
def test_a_figure_is_one_line_of_json(name: str) -> None:
    command = [sys.executable, "-m", "tests.bench", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, cwd=ROOT)
    (line,) = done.stdout.splitlines()
    figure = json.loads(line)
    assert figure.keys() == {"name", "value", "unit"}
    assert figure["name"] == name
    assert figure["value"] > 0


def test_an_unknown_figure_is_refused() -> None:
    command = [sys.executable, "-m", "tests.bench", "luck"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100, cwd=ROOT)
    assert done.returncode == 2
    assert "random_games_4p" in done.stderr


def test_a_random_game_of_the_bench_is_a_whole_one() -> None:
    state, moves = bench.random_game(1)
    assert state.ended
    assert len(moves) > 50
    assert bench.wins_against_random("random", games=4) <= 4
