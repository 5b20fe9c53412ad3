"""The command behind `make test`."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.played_site import ROOT
from tests.tools import available_services
from tests.tools.run_tests import MAX_MODULES_AGAIN, Run

MAKE_TEST = [sys.executable, "-m", "tests.tools.run_tests", "test"]


@pytest.mark.parametrize("service", available_services.NAMES)
def test_missing_required_service_is_an_error(service):
    env = {**available_services.environment(), "ACQUIRE_REQUIRE": service, "ACQUIRE_WITHOUT": service}
    done = subprocess.run(MAKE_TEST, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"{service} is required, but ACQUIRE_WITHOUT hides it" in done.stdout


@pytest.mark.parametrize(
    ("codes", "expected"),
    [([0, 0], 0), ([0, 1], 1), ([1, 0], 1), ([0, 5], 0), ([5, 5], 5), ([2, 1], 2), ([-9, 0], 9)],
)
def test_worst_run_decides_and_an_empty_one_only_if_alone(tmp_path, codes, expected):
    run = Run(tmp_path, notes=[])
    run.codes = codes
    assert run.exit_code() == expected


def test_last_line_adds_up_the_runs(tmp_path):
    run = Run(tmp_path, notes=[])
    run.counts = Counter(passed=500, skipped=2) + Counter(passed=200, failed=1)
    assert run.closing_line(61.234) == "700 passed, 2 skipped, 1 failed in 61.23s"


def test_run_reports_its_counts_and_missing_services():
    env = {
        **available_services.environment(),
        "ACQUIRE_WITHOUT": ",".join(available_services.NAMES),
        "ACQUIRE_REQUIRE": "",
    }
    arguments = ["tests/test_import_order.py", "-k", "test_cycle_is_found", "-n", "0"]
    done = subprocess.run([*MAKE_TEST, *arguments], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "PostgreSQL: ACQUIRE_WITHOUT hides it; the tests ran on SQLite only" in done.stdout
    assert "Browser: ACQUIRE_WITHOUT hides it; its tests were skipped" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("3 passed in ")


FAILS_BESIDE_OTHERS = """
import pytest

@pytest.fixture(scope="module")
def shared(pytestconfig):
    assert not hasattr(pytestconfig, "workerinput")

@pytest.mark.parametrize("number", range(4))
def test_needs_what_the_module_shares(number, shared):
    pass

def test_passes():
    pass
"""


def run_beside_others(folder: Path, text: str, modules: int = 1) -> Run:
    (folder / "conftest.py").write_text("from tests.conftest import *")
    for number in range(modules):
        (folder / f"test_some_{number}.py").write_text(text)
    run = Run(folder / "results", notes=[])
    (folder / "results").mkdir()
    run.pytest("some", [str(folder), "-c", str(ROOT / "pyproject.toml")], processes=1)
    return run


def test_tests_of_few_modules_that_fail_beside_others_run_again_by_themselves(tmp_path, capfd):
    run = run_beside_others(tmp_path, FAILS_BESIDE_OTHERS, modules=MAX_MODULES_AGAIN)
    assert run.exit_code() == 0
    assert +run.counts == Counter(passed=5 * MAX_MODULES_AGAIN)
    assert "some: what failed, by itself" in capfd.readouterr().out


def test_tests_of_many_modules_that_fail_beside_others_have_failed(tmp_path):
    modules = MAX_MODULES_AGAIN + 1
    run = run_beside_others(tmp_path, FAILS_BESIDE_OTHERS, modules)
    assert run.exit_code() == 1
    assert +run.counts == Counter(passed=modules, error=4 * modules)


FAILS_ONCE = """
import pathlib, pytest

@pytest.mark.flaky(reruns=1)
def test_fails_once():
    file = pathlib.Path(__file__).with_name("ran")
    before, _ = file.exists(), file.touch()
    assert before, "the machine was busy"
"""


def test_summary_says_why_a_test_ran_again(tmp_path, capfd):
    run = run_beside_others(tmp_path, FAILS_ONCE)
    assert run.exit_code() == 0
    assert +run.counts == Counter(passed=1, rerun=1)
    summary = capfd.readouterr().out.partition("failures that led to another run")[2]
    assert "test_fails_once" in summary and "AssertionError: the machine was busy" in summary


@given(st.just(0.3))  # more than Hypothesis allows unless it is told otherwise
def test_slow_example_does_not_fail(seconds):
    time.sleep(seconds)


NOTES_ITS_NAME = """
import pathlib, pytest
pytestmark = {marks}

@pytest.mark.parametrize("number", range({count}))
def test_notes_its_name(number):
    with pathlib.Path(__file__).with_name("order").open("a") as file:
        file.write(pathlib.Path(__file__).stem + " ")
"""


def test_long_modules_start_first_however_few_tests_they_have(tmp_path):
    (tmp_path / "conftest.py").write_text("from tests.conftest import *")
    # Tests with the database come before those without, if nothing else decides.
    (tmp_path / "test_a.py").write_text(NOTES_ITS_NAME.format(marks="pytest.mark.django_db", count=3))
    (tmp_path / "test_b.py").write_text(NOTES_ITS_NAME.format(marks="pytest.mark.long", count=1))
    (tmp_path / "results").mkdir()
    run = Run(tmp_path / "results", notes=[])
    run.pytest("some", [str(tmp_path), "-c", str(ROOT / "pyproject.toml")], processes=1)
    assert run.exit_code() == 0
    assert (tmp_path / "order").read_text().split() == ["test_b", "test_a", "test_a", "test_a"]


def test_test_that_fails_by_itself_too_has_failed(tmp_path):
    run = run_beside_others(tmp_path, "def test_fails(): assert False\ndef test_passes(): pass\n")
    assert run.exit_code() == 1
    assert +run.counts == Counter(passed=1, failed=1)


def test_suite_must_be_named():
    done = subprocess.run([*MAKE_TEST[:-1], "--safety"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "Name a suite first" in done.stdout


@pytest.mark.parametrize("service", ["postgres", "redis"])
def test_stack_reports_missing_services(service):
    env = {**available_services.environment(), "ACQUIRE_WITHOUT": service}
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.production_stack"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"The stack needs {service}, but ACQUIRE_WITHOUT hides it." in done.stdout


USES_THE_SITE = "import pytest\npytestmark = getattr(pytest.mark, 'si' + 'te')\ndef test_of_a_site(): pass\n"


def test_module_skipped_by_its_own_suite_is_an_error(tmp_path, capfd):
    (tmp_path / "conftest.py").write_text("from tests.conftest import *")
    (tmp_path / "test_some.py").write_text(USES_THE_SITE)
    (tmp_path / "results").mkdir()
    run = Run(tmp_path / "results", notes=[])
    run.pytest("some", [str(tmp_path), "-c", str(ROOT / "pyproject.toml"), "--suite", "test"], processes=1)
    assert run.exit_code() == 1
    assert "e2e skips this module, because it contains none of: browser" in capfd.readouterr().out
