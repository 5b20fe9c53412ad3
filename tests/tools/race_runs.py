"""Long runs of the races of tests/safety: `make races ROUNDS=10000`, in a PostgreSQL of their own.

Rounds are numbered, and take one race after the other. A run that was broken off goes on where it was:
the sums so far are kept in a file in data/ until it is done. A round that fails is printed with the
command that repeats it.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

KEPT = ROOT / "data" / "races.json"
# After this many rounds the sums are stored and printed.
EVERY = 50
THREADS = {"postgres": 32, "sqlite": 8}


def main() -> int:
    """Run this many rounds; returns the exit code for the shell."""
    arguments = _arguments()
    if arguments.inside:
        return _inside(arguments)
    with _database() as (kind, url, folder):
        env = {
            **os.environ,
            "DATABASE_URL": url,
            "DATA_DIR": folder,
            "LOG_LEVEL": "CRITICAL",
            "REDIS_URL": "",
        }
        env |= {"DJANGO_SETTINGS_MODULE": "acquire_site.settings"}
        command = [sys.executable, "-m", "tests.tools.race_runs", "--inside", kind, *sys.argv[1:]]
        child = subprocess.Popen(command, cwd=ROOT, env=env)
        with contextlib.suppress(KeyboardInterrupt):
            return child.wait()
        return child.wait()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Many at once, for long.")
    parser.add_argument("--rounds", type=int, default=1000, help="in all, of all races together")
    parser.add_argument("--only", default="", help="one race by its name")
    parser.add_argument("--first", type=int, help="begin with this round, and forget what was run before")
    parser.add_argument("--word", default="", help="any word: other games")
    parser.add_argument("--minutes", type=float, default=0.0, help="break off after so long")
    parser.add_argument("--inside", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


@contextlib.contextmanager
def _database() -> Iterator[tuple[str, str, str]]:
    """Yield the kind and URL of a database, and a folder beside it; SQLite if there is no PostgreSQL."""
    found = available_services.find("postgres")
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="acquire-races-"))
        if found.path is None:
            yield "sqlite", f"sqlite:///{folder}/races.sqlite3", folder
        else:
            yield "postgres", stack.enter_context(Postgres(found.path)).url, folder


def _inside(arguments: argparse.Namespace) -> int:
    """Run the rounds, with the database running."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.BOT_DELAY_FACTOR = settings.ANSWER_DELAY_SECONDS = 0
    settings.MOVES_PER_MINUTE = 100_000
    settings.ALLOWED_HOSTS = ["*"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    run = Run(arguments)
    with contextlib.suppress(KeyboardInterrupt):
        run.go_on(THREADS[arguments.inside])
    return run.close()


class Run:
    """A run of rounds and its results so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        from tests.safety.all_races import RACES

        self._races = [race for race in RACES if arguments.only in ("", race.__name__)]
        if not self._races:
            raise SystemExit(f"There is no race {arguments.only!r}: {', '.join(r.__name__ for r in RACES)}")
        self._rounds = arguments.rounds
        self._until = time.monotonic() + 60 * arguments.minutes if arguments.minutes else float("inf")
        self._name = f"{arguments.only or 'all'} {arguments.word} {arguments.inside}"
        self._word, self._repeats = arguments.word, arguments.first is not None
        kept: dict[str, Any] = {} if self._repeats or not KEPT.exists() else json.loads(KEPT.read_text())
        mine = kept.get(
            self._name, {"next": arguments.first or 0, "sums": {}, "failures": [], "seconds": 0.0}
        )
        self._first = arguments.first or 0
        self._next, self._failures, self._seconds = mine["next"], mine["failures"], mine["seconds"]
        self._sums = Counter(mine["sums"])

    def go_on(self, threads: int) -> None:
        """Run the remaining rounds."""
        from tests.safety.race_stage import Stage

        if self._next > self._first:
            print(f"Going on with round {self._next}.")
        with Stage(word=self._word, threads=threads) as stage:
            stage.tally = self._sums
            while self._next < self._first + self._rounds and time.monotonic() < self._until:
                started = time.monotonic()
                race = self._races[self._next % len(self._races)]
                try:
                    stage.run(race, self._next)
                except AssertionError as failure:
                    self._failures.append(str(failure))
                    print(failure, flush=True)
                self._next += 1
                self._seconds += time.monotonic() - started
                if self._next % EVERY == 0:
                    self._keep()
                    print(self._line(), flush=True)

    def close(self) -> int:
        """Print all sums, and forget the run if it is done; returns the exit code for the shell."""
        self._keep(done=self._next >= self._first + self._rounds)
        for outcome, number in sorted(self._sums.items()):
            print(f"{number:>10,} {outcome}")
        print(self._line())
        return 1 if self._failures else 0

    def _line(self) -> str:
        done, failed = self._next - self._first, len(self._failures)
        return f"{done:,} rounds of {self._rounds:,}, {failed} failed, {self._seconds:.0f}s"

    def _keep(self, *, done: bool = False) -> None:
        if self._repeats:
            return
        KEPT.parent.mkdir(exist_ok=True)
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        kept[self._name] = {
            "next": self._next, "sums": self._sums, "failures": self._failures, "seconds": self._seconds
        }  # fmt: skip
        if done:
            del kept[self._name]
        KEPT.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
