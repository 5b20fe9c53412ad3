"""Many games with every request by every viewer: `python -m tests.safety.leaks --games 40`.

What was done is kept in a file, a line for each game, so a run that was stopped goes on where it was. What
was done with other code counts no more.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CODE = ("games", "accounts", "acquire_site", "templates", "tests/safety/leaks")


def main() -> int:
    """Run the command line; returns 1 if anything leaked."""
    parser = argparse.ArgumentParser(prog="python -m tests.safety.leaks", description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="how many games to look at (%(default)s)")
    parser.add_argument("--game", type=int, help="look at this one game again")
    parser.add_argument(
        "--share", type=int, default=1, help="so many moments until all is asked (%(default)s)"
    )
    parser.add_argument("--processes", type=int, default=2, help="how many games at once (%(default)s)")
    parser.add_argument("--done", type=Path, default=ROOT / "data/leaks.jsonl", help="what was done")
    options = parser.parse_args()
    if options.game is not None:
        return one(options.game, options.share)
    return many(options.games, options.share, options.processes, options.done)


def many(games: int, share: int, processes: int, done: Path) -> int:
    """Check the games that are not done yet, each in its own process; returns the exit code."""
    code = fingerprint()
    known = [json.loads(line) for line in done.read_text().splitlines()] if done.exists() else []
    counted = {row["game"]: row for row in known if row["code"] == code and row["share"] <= share}
    for row in counted.values():
        print(f"{row['title']}: done before", flush=True)
    done.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(processes) as pool:
        left = [number for number in range(games) if number not in counted]
        for number, said in zip(left, pool.map(lambda number: apart(number, share), left), strict=True):
            row = _row(said.stdout)
            if said.returncode or row is None:
                print(said.stdout + said.stderr, file=sys.stderr)
                print(f"again: python -m tests.safety.leaks --game {number} --share {share}", file=sys.stderr)
                pool.shutdown(cancel_futures=True)
                return 1
            counted[number] = row | {"code": code, "share": share}
            with done.open("a") as file:
                file.write(json.dumps(counted[number]) + "\n")
            print(f"{row['title']}: {_said(row['counts'])}, {row['seconds']:.0f} s", flush=True)
    total: Counter[str] = Counter()
    for row in counted.values():
        total.update(row["counts"])
    print(f"No byte differs and no label is where it must not be. In all {_said(total)}.")
    return 0


def apart(number: int, share: int) -> "subprocess.CompletedProcess[str]":
    """Check a game in a process of its own."""
    command = [sys.executable, "-m", "tests.safety.leaks", "--game", str(number), "--share", str(share)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def one(number: int, share: int) -> int:
    """Check one game; prints the counts as a line of JSON, or the leak."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment

    setup_test_environment()
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        return _look(number, share)
    finally:
        connection.creation.destroy_test_db("", verbosity=0)


def _look(number: int, share: int) -> int:
    from django.conf import settings

    from tests.safety.leaks import twin_games
    from tests.safety.leaks.leak_check import Check, Leak

    settings.MOVES_PER_MINUTE = 100_000
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    check, started = Check(twin_games.script(number), share), time.monotonic()
    try:
        check.run()
    except Leak as leak:
        print(leak)
        return 1
    seconds = time.monotonic() - started
    row = {"game": number, "title": str(check.script), "seconds": seconds, "counts": check.counts}
    print(json.dumps(row))
    return 0


def fingerprint() -> str:
    """Return a hash that changes with any of the code."""
    digest = sha256()
    files = (
        path for folder in CODE for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".html")
    )
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _row(said: str) -> dict | None:
    try:
        return json.loads(said.splitlines()[-1])
    except (IndexError, ValueError):
        return None


def _said(counts: dict[str, int]) -> str:
    names = ("games", "moves", "comparisons", "bytes", "answers", "frames", "letters and posts", "reports")
    return ", ".join(f"{counts[name]:,} {name}" for name in names if counts.get(name))


if __name__ == "__main__":
    sys.exit(main())
