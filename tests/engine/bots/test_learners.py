"""The rule systems whose bots learn, and faults of what they learned."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError

from games import system_checks
from games.engine.bots import learners
from games.engine.bots.acquire import valuation_weights
from games.engine.bots.bot_levels import BOTS
from tests.support.played_site import ROOT


@pytest.fixture
def weights_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    file = tmp_path / "valuation.json"
    monkeypatch.setattr(valuation_weights, "WEIGHTS_FILE", file)
    valuation_weights.weights.cache_clear()
    yield file
    valuation_weights.weights.cache_clear()


def test_weights_of_this_version_are_in_order() -> None:
    assert learners.faults() == []
    assert system_checks.learned_weights() == []


def test_missing_weights_are_an_error_that_names_a_command(weights_file: Path) -> None:
    (error,) = system_checks.learned_weights()
    assert error.is_serious()
    assert error.msg == "There is no weights file valuation.json."
    assert "manage.py learn --system acquire --seed 1 --use" in error.hint


def test_site_with_missing_weights_does_not_start(weights_file: Path) -> None:
    with pytest.raises(SystemCheckError, match="There is no weights file"):
        call_command("check")


def test_cut_weights_are_an_error(weights_file: Path) -> None:
    whole = Path(valuation_weights.__file__).with_name("valuation.json").read_text()
    weights_file.write_text(whole[:1000])
    assert [error.id for error in system_checks.learned_weights()] == ["games.E001"]


def test_players_of_learned_weights_are_levels() -> None:
    for system, players in learners.PLAYERS.items():
        assert set(players) <= set(BOTS[system])


def test_player_of_missing_weights_is_refused_in_the_same_words(weights_file: Path, tmp_path: Path) -> None:
    players = ["--players", "expert,random", "--out", str(tmp_path / "out")]
    with pytest.raises(CommandError) as refused:
        call_command("arena", *players, "--games", "1", "--processes", "1")
    assert str(refused.value) == f"There is no weights file valuation.json. {valuation_weights.MENDING}"


def test_missing_weights_keep_no_other_player_from_the_arena(weights_file: Path, tmp_path: Path) -> None:
    players = ["--players", "random,random", "--out", str(tmp_path / "out")]
    call_command("arena", *players, "--games", "1", "--processes", "1")
    assert (tmp_path / "out").exists()


def test_missing_numpy_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "find_spec", lambda name: None)
    (warning,) = system_checks.learned_weights()
    assert not warning.is_serious()
    assert "without their network" in warning.msg


def python(code: str, **environment: str) -> str:
    """Run the code in a fresh interpreter and return its output."""
    inherited = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_levels_and_checks_do_not_import_numpy() -> None:
    code = "from games.engine.bots import bot_levels, learners; learners.faults(), learners.lacks_numpy()"
    assert python(f"import sys; {code}; print('numpy' in sys.modules)") == "False"


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_judge_imports_numpy_with_one_thread_unless_told_otherwise(
    given: dict[str, str], threads: str
) -> None:
    code = "from games.engine.bots.acquire.plan_search import judge_in_use; judge_in_use()"
    told = python(
        f"import os, sys; {code}; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])", **given
    )
    assert told == f"True {threads}"


def test_every_learner_can_be_loaded() -> None:
    assert all(hasattr(learners.learner(system), "Learning") for system in learners.LEARNERS)
