"""`make test`: every test on SQLite, then those that touch the database again on PostgreSQL.

`make safety` (this file with `--safety` before all else) runs what is in tests/safety instead: on PostgreSQL
if there is one, then what is marked `both` again on SQLite, and at last, one after the other, what
is marked `alone`.

What is installed is used, what is missing is said, and ACQUIRE_REQUIRE=postgres,redis,browser makes
it an error. ACQUIRE_WITHOUT=postgres,redis,browser does as if these were not installed. Arguments go
to pytest. The last line adds up the runs, in pytest's own form.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import services  # noqa: E402
from tests.postgres import Postgres  # noqa: E402


def main(arguments: list[str]) -> int:
    """Run the tests; returns the exit code for the shell."""
    started = time.monotonic()
    safety = arguments[:1] == ["--safety"]
    found = {name: services.find(name) for name in services.NAMES}
    lacking = [name for name in services.required() if not found[name].path]
    if lacking:
        print(*(f"{name} is required, but {found[name].reason}" for name in lacking), sep="\n")
        return 1
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="acquire-")))
        run = Run(folder, notes=[found[name].note for name in services.NAMES])
        initdb = found["postgres"].path
        url = stack.enter_context(Postgres(initdb)).url if initdb else ""
        if safety:
            run.safety(url, arguments[1:])
        else:
            run.everything(url, arguments)
    print(run.closing_line(time.monotonic() - started))
    return run.exit_code()


class Run:
    """The pytest runs of one call, and what came out of them."""

    def __init__(self, folder: Path, notes: list[str]) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: list[int] = []
        self._folder = folder
        self._env = {
            **services.environment(),
            "DATA_DIR": str(folder),
            "ACQUIRE_TEST_NOTES": "\n".join(notes),
            "ACQUIRE_TEST_COUNTS": str(folder / "counts.json"),
        }

    def everything(self, url: str, arguments: list[str]) -> None:
        """All tests but those of tests/safety; on the PostgreSQL of this URL, too, if there is one."""
        arguments = ["--ignore=tests/safety", *arguments]
        self.pytest("SQLite", arguments)
        if url:
            self.pytest("PostgreSQL", ["--database-only", *arguments], DATABASE_URL=url)

    def safety(self, url: str, arguments: list[str]) -> None:
        """The tests of tests/safety, on the PostgreSQL of this URL if there is one."""
        main, env = ("PostgreSQL", {"DATABASE_URL": url}) if url else ("SQLite", {})
        arguments = ["tests/safety", *arguments]
        self.pytest(main, ["-m", "not alone", *arguments], **env)
        if url:
            self.pytest("SQLite", ["-m", "both", *arguments])
        self.pytest(f"{main}, one at a time", ["-m", "alone", *arguments], processes=0, **env)

    def pytest(self, title: str, arguments: list[str], processes: int = 2, **env: str) -> None:
        print(f"\n{title}", flush=True)
        # A module's tests share a site or a browser, which take seconds to start: one worker has them all.
        options = f"-q -rfEsR -p no:cacheprovider -n {processes} --dist loadfile"
        command = [sys.executable, "-m", "pytest", *options.split()]
        self.codes.append(subprocess.call([*command, *arguments], env={**self._env, **env}, cwd=ROOT))
        counts = self._folder / "counts.json"
        if counts.exists():
            self.counts.update(json.loads(counts.read_text()))
            counts.unlink()

    def closing_line(self, seconds: float) -> str:
        parts = [f"{number} {outcome}" for outcome, number in self.counts.items() if number]
        return f"{', '.join(parts) or 'no tests ran'} in {seconds:.2f}s"

    def exit_code(self) -> int:
        """The worst of the runs; one that found nothing to run counts only when it is the only one."""
        nothing_to_run = 5
        # A signal's code is negative, and must not hide behind a run that passed.
        codes = [abs(code) for code in self.codes if code != nothing_to_run]
        return max(codes, default=nothing_to_run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
