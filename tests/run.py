"""`make test`: every test on SQLite, then those that touch the database again on PostgreSQL.

What is installed is used, what is missing is said, and ACQUIRE_REQUIRE=postgres,redis,browser makes
it an error. ACQUIRE_WITHOUT=postgres,redis,browser does as if these were not installed. Arguments go
to pytest. The last line adds up the runs, in pytest's own form.
"""

import contextlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import services  # noqa: E402

# A test run must not meet what a developer has set for the site.
SETTINGS_OF_THE_SITE = {
    *("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DATABASE_URL", "DEBUG", "DJANGO_SETTINGS_MODULE"),
    *("DEFAULT_FROM_EMAIL", "EMAIL_URL", "MAIL_BOUNCE_KEY", "REDIS_URL", "SECRET_KEY", "SITE_URL"),
    *("VAPID_PRIVATE_KEY", "VAPID_SUBJECT"),
}


def main(arguments: list[str]) -> int:
    """Run the tests; returns the exit code for the shell."""
    started = time.monotonic()
    found = {name: services.find(name) for name in services.NAMES}
    lacking = [name for name in services.required() if not found[name].path]
    if lacking:
        print(*(f"{name} is required, but {found[name].reason}" for name in lacking), sep="\n")
        return 1
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="acquire-")))
        run = Run(folder, notes=[found[name].note for name in services.NAMES])
        run.pytest("SQLite", arguments)
        if initdb := found["postgres"].path:
            url = stack.enter_context(postgres(initdb.parent))
            run.pytest("PostgreSQL", ["--database-only", *arguments], DATABASE_URL=url)
    print(run.closing_line(time.monotonic() - started))
    return run.exit_code()


class Run:
    """The pytest runs of one call, and what came out of them."""

    def __init__(self, folder: Path, notes: list[str]) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: list[int] = []
        self._folder = folder
        self._env = {name: text for name, text in os.environ.items() if name not in SETTINGS_OF_THE_SITE}
        self._env |= {
            "DATA_DIR": str(folder),
            "ACQUIRE_TEST_NOTES": "\n".join(notes),
            "ACQUIRE_TEST_COUNTS": str(folder / "counts.json"),
        }

    def pytest(self, title: str, arguments: list[str], **env: str) -> None:
        print(f"\n{title}", flush=True)
        # A module's tests share a site or a browser, which take seconds to start: one worker has them all.
        options = "-q -rfEs -p no:cacheprovider -n 2 --dist loadfile"
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


@contextlib.contextmanager
def postgres(programs: Path) -> Iterator[str]:
    """A PostgreSQL of its own that listens on a socket in a temporary folder; yields its URL."""
    folder = Path(tempfile.mkdtemp(prefix="acquire-pg-"))
    account: list[str] = []
    if os.geteuid() == 0:
        # The server refuses to run as root.
        user = unprivileged_user()
        os.chown(folder, user.pw_uid, user.pw_gid)
        account = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]

    def call(program: str, *arguments: str) -> None:
        command = [*account, str(programs / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    for_speed = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c jit=off"
    options = f"-c listen_addresses='' -c max_connections=200 -k {folder} {for_speed}"
    try:
        call("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        call("pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", options)
        try:
            yield f"postgres://postgres@{quote(str(folder), safe='')}/postgres"
        finally:
            call("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def unprivileged_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise LookupError("There is neither a user postgres nor nobody to run PostgreSQL as.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
