"""Run a suite of tests, for `make` and `.ci/run`.

The command is `python -m tests.tools.run_tests SUITE [arguments of pytest]`.

The suites are those of `tests/support/suites.py`: test, sqlite, e2e, safety and proof. They run on PostgreSQL
if it is installed, else on SQLite; the sites of their own, on which e2e plays, always have SQLite.
ACQUIRE_REQUIRE=postgres,redis,browser makes it an error when one of these is missing,
ACQUIRE_WITHOUT=postgres,redis,browser hides them; `available_services.NAMES` lists all names. The last line
adds up the runs of pytest, in its own form.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.tools import available_services
from tests.tools.postgres_server import Postgres

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "manage.py").exists())

SUITES = ("test", "sqlite", "e2e", "safety", "proof")

TESTS_FAILED = 1  # pytest's exit code

# Tests wait for databases, programs and browsers: one process more than cores leaves none of them idle.
PROCESSES = min((os.cpu_count() or 1) + 1, 8)

# So many modules may fail because the machine is busy; more have a cause, which another run would only delay.
MAX_MODULES_AGAIN = 3


def main(arguments: list[str]) -> int:
    """Run a suite; returns the exit code for the shell."""
    if arguments[:1] not in [[suite] for suite in SUITES]:
        print(f"Name a suite first, one of {', '.join(SUITES)}.")
        return 2
    started = time.monotonic()
    suite, *arguments = arguments
    found = {name: available_services.find(name) for name in available_services.NAMES}
    lacking = [name for name in available_services.required() if not found[name].path]
    if lacking:
        print(*(f"{name} is required, but {found[name].reason}" for name in lacking), sep="\n")
        return 1
    initdb = found["postgres"].path if suite in ("test", "safety", "proof") else None
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="acquire-")))
        run = Run(folder, notes=[found[name].note for name in available_services.NAMES])
        env = {"DATABASE_URL": stack.enter_context(Postgres(initdb)).url} if initdb else {}
        run.suite(suite, arguments, **env)
    print(run.closing_line(time.monotonic() - started))
    return run.exit_code()


class Run:
    """The pytest runs of one call and their results."""

    def __init__(self, folder: Path, notes: list[str]) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: list[int] = []
        self._folder = folder
        self._env = {
            **available_services.environment(),
            "DATA_DIR": str(folder),
            "ACQUIRE_TEST_NOTES": "\n".join(notes),
            "ACQUIRE_TEST_RESULTS": str(folder / "results.json"),
        }

    def suite(self, suite: str, arguments: list[str], **env: str) -> None:
        """Run a suite; its tests that need the machine to themselves come last, one after the other."""
        title = f"{suite}, on {'PostgreSQL' if env else 'SQLite'}"
        arguments = ["--suite", suite, *arguments]
        if suite in ("safety", "proof"):
            self.pytest(title, ["--alone", "no", *arguments], processes=PROCESSES, **env)
            self.pytest(f"{title}, one at a time", ["--alone", "only", *arguments], processes=0, **env)
        else:
            self.pytest(title, arguments, processes=PROCESSES, **env)

    def pytest(self, title: str, arguments: list[str], processes: int, **env: str) -> None:
        """Run tests; if few of many fail beside others, run those by themselves, and let that decide."""
        code, counts, failed = self._call(title, arguments, processes, env)
        # Count modules: a shared fixture that fails makes all tests of its module fail.
        modules = {name.partition("::")[0] for name in failed}
        if code == TESTS_FAILED and processes and 0 < len(modules) <= MAX_MODULES_AGAIN:
            names = self._folder / "failed.json"
            names.write_text(json.dumps(failed))
            # One word: pytest would take a path by itself for a folder of tests.
            arguments = [*arguments, f"--only-named-in={names}"]
            code, again, _ = self._call(f"{title}: what failed, by itself", arguments, 0, env)
            # A test counts once, by its last run.
            counts = counts - Counter(failed=counts["failed"], error=counts["error"]) + again
        self.codes.append(code)
        self.counts += counts

    def _call(
        self, title: str, arguments: list[str], processes: int, env: dict[str, str]
    ) -> tuple[int, Counter[str], list[str]]:
        """Return the exit code, how many tests came to which outcome, and the names of those that failed."""
        print(f"\n{title}", flush=True)
        # The tests of a module share what they build, so one worker runs them all. The modules keep the order
        # that `conftest.py` gave them.
        options = f"-q -rfEsR -p no:cacheprovider -n {processes} --dist loadfile --no-loadscope-reorder"
        command = [sys.executable, "-m", "pytest", *options.split()]
        code = subprocess.call([*command, *arguments], env={**self._env, **env}, cwd=ROOT)
        file = self._folder / "results.json"
        if not file.exists():
            return code, Counter(), []
        results = json.loads(file.read_text())
        file.unlink()
        return code, Counter(results["counts"]), results["failed"]

    def closing_line(self, seconds: float) -> str:
        parts = [f"{number} {outcome}" for outcome, number in self.counts.items() if number]
        return f"{', '.join(parts) or 'no tests ran'} in {seconds:.2f}s"

    def exit_code(self) -> int:
        """Return the worst exit code; an empty run counts only if there was no other."""
        nothing_to_run = 5
        # A signal's code is negative, and must not hide behind a run that passed.
        codes = [abs(code) for code in self.codes if code != nothing_to_run]
        return max(codes, default=nothing_to_run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
