"""Kills and outages for as long as one likes: `python -m tests.safety.chaos --kills 500 --redis 20 …`.

What was done is kept in a file, one JSON line each, and counts: started again, it does what is missing.
The last line adds up all lines of the file. Ends with 1 if anything was not as promised.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.safety.failing_mail import MailServer, trouble_with_mail
from tests.safety.larger_site import kills_in_turn, larger_site
from tests.safety.site_outages import (
    Result,
    crashes_of_the_database,
    kill_processes,
    outages_of_redis,
    screenless_browser,
)
from tests.safety.site_stack import Stack

KILLS_AT_ONCE, CRASHES_AT_ONCE = 25, 5
KILLS_ON_A_LARGER_SITE = "kills on a larger site"

# Trials for hours, when nothing in particular is asked for.
ALL = {"kills": 500, "larger": 200, "redis": 20, "postgres": 50, "mail": 60}


def main(arguments: list[str]) -> int:
    """Run the trials that are asked for and not yet done; returns the exit code for the shell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=0, help="of web processes, workers and the sweeper")
    parser.add_argument(
        "--redis", type=int, default=0, help="rounds of stopping Redis, which empties it, and hanging it"
    )
    parser.add_argument("--postgres", type=int, default=0, help="crashes of the database")
    parser.add_argument("--mail", type=float, default=0, help="minutes of trouble with mail")
    parser.add_argument(
        "--larger", type=int, default=0, help="kills on a site with several processes of each kind"
    )
    parser.add_argument("--minutes", type=float, default=600, help="begin nothing new after so many")
    parser.add_argument("--results", type=Path, default=Path("data/chaos.jsonl"), help="where it is kept")
    asked = parser.parse_args(arguments)
    if not any(getattr(asked, name) for name in ALL):
        vars(asked).update(ALL)
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    wanted = {"kills": asked.kills, "hung": asked.redis, "crashes": asked.postgres}
    wanted["mail seconds"] = int(60 * asked.mail)
    ends = time.monotonic() + 60 * asked.minutes
    mail_server = MailServer(Random(time.time_ns()))
    with mail_server.serving() as url:
        env = {"BOT_DELAY_FACTOR": "0.3", "EMAIL_URL": url}
        for site, counts in (
            (Stack(web=2, env=env), wanted),
            (larger_site(env), {KILLS_ON_A_LARGER_SITE: asked.larger}),
        ):
            _try_out(site, counts, mail_server, asked.results, ends)
    total = sums(asked.results)
    print(json.dumps({"sum": total}))
    return 1 if total["faults"] else 0


def _try_out(
    site: Stack, wanted: dict[str, int], mail_server: MailServer, results: Path, ends: float
) -> None:
    """Run the trials of one site that are not yet done; starts it only if there are any."""

    def left(what: str) -> int:
        return wanted[what] - int(sums(results)[what])

    if not any(left(what) > 0 for what in wanted):
        return
    with site as stack:
        for what in wanted:
            while left(what) > 0 and time.monotonic() < ends:
                _note(_trial(what, left(what), stack, mail_server), results)


def _trial(what: str, left: int, stack: Stack, mail_server: MailServer) -> Result:
    """Run one trial of this kind, with at most `left` of what it counts."""
    seed = time.time_ns() // 1_000_000
    names = [f"p{seed}n{number}" for number in range(8)]
    if what == "kills":
        return asyncio.run(kill_processes(stack, names, kills=min(left, KILLS_AT_ONCE), seed=seed))
    if what == "hung":
        return asyncio.run(_redis(stack, names, seed))
    if what == "crashes":
        cycles = min(left, CRASHES_AT_ONCE)
        return asyncio.run(crashes_of_the_database(stack, names, cycles=cycles, seed=seed))
    if what == KILLS_ON_A_LARGER_SITE:
        kills = min(left, KILLS_AT_ONCE)
        return kills_in_turn(stack, mail_server, f"l{seed}", kills=kills, seed=seed)
    started = time.monotonic()
    result = trouble_with_mail(stack, mail_server, word=f"m{seed}n")
    result.did["mail seconds"] = round(time.monotonic() - started)
    return result


async def _redis(stack: Stack, names: list[str], seed: int) -> Result:
    async with screenless_browser() as browser:
        return await outages_of_redis(stack, names, browser, seed=seed)


def _note(result: Result, results: Path) -> None:
    line = json.dumps(result.as_json())
    print(line, flush=True)
    with results.open("a") as file:
        file.write(line + "\n")


def sums(results: Path) -> Counter[str]:
    """Return all counts of the file added up, and the worst of each measurement."""
    total: Counter[str] = Counter()
    for line in results.read_text().splitlines() if results.exists() else []:
        for name, value in json.loads(line).items():
            if isinstance(value, list):
                total[name] += len(value)
            elif isinstance(value, float):
                total[name] = max(total[name], value)  # type: ignore[assignment]
            elif isinstance(value, int):
                total[name] += value
    return total


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
