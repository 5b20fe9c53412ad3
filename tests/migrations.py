"""What every older state of the code has stored is migrated and played on: `make migrations`.

For each commit that changed how things are stored, its own code migrates an empty database and fills it
(tests/safety/made_by_old_code.py); today's code migrates that, looks whether all is there, and plays every
game to its end. On SQLite, and on PostgreSQL if there is one. Needs the history of the repository.

With `--keep COMMIT FILE` what a commit has stored is written down instead, for tests/safety/stored/.
"""

import argparse
import contextlib
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import services
from tests.postgres import Postgres
from tests.run import ROOT

STORED = ["games/migrations", "accounts/migrations", "games/models", "accounts/models", "accounts/models.py"]
# Without these files a commit is a part of what follows and cannot run by itself.
RUNS = ["manage.py", "acquire_site/urls.py", "games/services", "accounts/services"]
APPS = ["accounts", "games", "account"]
FILL = ROOT / "tests" / "safety" / "made_by_old_code.py"


def main() -> int:
    """Returns the exit code for the shell."""
    parser = argparse.ArgumentParser(description="Older data, migrated by today's code.")
    parser.add_argument("--keep", nargs=2, metavar=("COMMIT", "FILE"), help="write down what a commit stores")
    parser.add_argument("--only", default="", help="one commit")
    parser.add_argument("--check", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.check:
        return _check(json.loads(Path(arguments.check).read_text()))
    if arguments.keep:
        with tempfile.TemporaryDirectory() as folder:
            keep(*arguments.keep, Path(folder))
        return 0
    failed = sum(_try(commit) for commit in ([arguments.only] if arguments.only else commits()))
    print(f"{failed} commits failed" if failed else "All that was stored is there, and all games go on.")
    return 1 if failed else 0


def commits() -> list[str]:
    """The commits that changed how things are stored; for one that cannot run, the next that can."""
    history = _git("rev-list", "--reverse", "--first-parent", "HEAD").split()
    changed = _git("rev-list", "HEAD", "--", *STORED).split()
    found = []
    for commit in history:
        if commit in changed:
            later = history[history.index(commit) :]
            found.append(next(one for one in later if _runs(one)))
    return list(dict.fromkeys(found))


def _runs(commit: str) -> bool:
    return len(_git("ls-tree", "--name-only", commit, *RUNS).split()) == len(RUNS)


def _try(commit: str) -> bool:
    """Fill databases by the code of a commit and migrate them; whether that fails."""
    title = _git("log", "-1", "--format=%h %s", commit).strip()
    for kind, url, folder in databases():
        started = time.monotonic()
        try:
            with worktree(commit) as old:
                told = folder / "told.json"
                told.write_text(fill(old, url, folder))
            done = _python(ROOT, url, folder, "-m", "tests.migrations", "--check", str(told))
        except subprocess.CalledProcessError as error:
            print(f"{kind:10} FAILED {title}\n{error.stdout}\n{error.stderr}", flush=True)
            return True
        print(f"{kind:10} {time.monotonic() - started:4.0f}s {done.strip()}: {title}", flush=True)
    return False


def databases() -> Iterator[tuple[str, str, Path]]:
    """Empty databases: the kind, the URL, and a folder beside each."""
    with tempfile.TemporaryDirectory(prefix="acquire-old-") as folder:
        yield "SQLite", f"sqlite:///{folder}/old.sqlite3", Path(folder)
    if initdb := services.find("postgres").path:
        with tempfile.TemporaryDirectory(prefix="acquire-old-") as folder, Postgres(initdb) as server:
            yield "PostgreSQL", server.url, Path(folder)


@contextlib.contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The files of a commit, in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="acquire-code-") as folder:
        files = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=files, check=True)
        yield Path(folder)


def fill(old: Path, url: str, folder: Path) -> str:
    """Let the code in the folder `old` fill an empty database; what it tells of that, as JSON."""
    _python(old, url, folder, "manage.py", "migrate", "--verbosity", "0")
    _python(old, url, folder, "manage.py", "createcachetable", "--verbosity", "0")
    run = f"exec(compile(open({str(FILL)!r}).read(), 'made_by_old_code', 'exec'), globals())"
    return _python(old, url, folder, "manage.py", "shell", "-v", "0", "-c", run).splitlines()[-1]


def keep(commit: str, file: str, folder: Path) -> None:
    """Write down what the code of a commit stores: the migrations, the rows, and what must be there of it."""
    url = f"sqlite:///{folder}/old.sqlite3"
    with worktree(commit) as old:
        told = json.loads(fill(old, url, folder))
        rows = json.loads(_python(old, url, folder, "manage.py", "dumpdata", "--all", *APPS))
        names = {
            app: sorted(path.stem for path in (old / app / "migrations").glob("0*.py"))[-1]
            for app in APPS[:2]
        }
    kept = {"migrations": names, "told": told, "rows": rows}
    # Without a date in it the same data make the same file.
    Path(file).write_bytes(gzip.compress(json.dumps(kept).encode(), mtime=0))


def _check(told: dict[str, Any]) -> int:
    """Migrate the database that there is, and look at what is in it."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.BOT_PACE = 0
    settings.MOVES_PER_MINUTE = 100_000
    call_command("migrate", verbosity=0)
    from tests.safety import stored_games

    stored_games.all_is_there(told)
    moves = stored_games.games_go_on(told)
    before = sum(len(story["log"]) for story in told["games"].values())
    print(f"{len(told['games'])} games, {before} moves, {moves} more to their ends")
    return 0


def _python(place: Path, url: str, folder: Path, *arguments: str) -> str:
    env = {
        **os.environ,
        "DATABASE_URL": url,
        "DATA_DIR": str(folder),
        "REDIS_URL": "",
        "LOG_LEVEL": "CRITICAL",
    }
    env |= {"DJANGO_SETTINGS_MODULE": "acquire_site.settings", "DB_LIMITS": "0"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=place, env=env, check=True, capture_output=True, text=True).stdout


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
