"""Load measurements: `make load`, `make load ONLY=players|home|sockets|live|scale|soak`.

Each figure is one JSON line `{"name": …, "value": …, "unit": …}`, printed as soon as it is known. The whole
site and its visitors run on this machine, so figures taken on a busy machine mean little; its load average
is among them.

players  200 people who think for 4 seconds, with 20 games against bots; the cost of a page
home     20 people and 2 games against bots on `make play`, so on SQLite
sockets  1,000 idle and 200 active pages that get ticks
live     300 live tables, each with three people who think for 15 seconds and a computer; if a goal is missed,
         fewer tables until all are met
scale    10,000 stored games: sizes, query plans, pages
soak     50 people against bots for a long time: memory, stuck games; by name, or with SOAK=minutes
"""

import argparse
import resource
import sys
from collections.abc import Iterator
from functools import partial

from tests.load.home_site import HomeSite
from tests.load.live_tables import live_tables, most_tables
from tests.load.load_players import players
from tests.load.long_run import soak
from tests.load.many_games import scale
from tests.load.measurements import Figure, show
from tests.load.open_sockets import sockets
from tests.load.page_cost import weight
from tests.safety.site_stack import Stack
from tests.tools import available_services

# Without a name everything but soak is measured.
PARTS = ("players", "home", "sockets", "live", "scale", "soak")
USUAL_SOAK = 15.0
LIVE_TABLES = 300


def main(arguments: list[str]) -> int:
    """Measure the chosen parts and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("only", nargs="?", choices=PARTS, help="one part alone")
    parser.add_argument("--seconds", type=float, default=60, help="that each part is measured")
    parser.add_argument("--people", type=int, default=200, help="who play; one in ten also against bots")
    parser.add_argument("--tables", type=int, default=0, help="this number of live tables and no other")
    parser.add_argument("--games", type=int, default=10_000, help="that are stored for scale")
    parser.add_argument("--soak", type=float, default=0, help="minutes of playing on")
    asked = parser.parse_args(arguments)
    lacking = [name for name in ("postgres", "redis") if not available_services.find(name).path]
    if lacking:
        print(
            *(f"{name} is needed, but {available_services.find(name).reason}" for name in lacking), sep="\n"
        )
        return 1
    _allow_many_files()
    asked.soak = asked.soak or (USUAL_SOAK if asked.only == "soak" else 0)
    parts = [asked.only] if asked.only else PARTS if asked.soak else PARTS[:-1]
    code = 0
    for part in parts:
        if part == "scale":
            code = scale(asked.games)
        elif part == "live":
            measure = partial(_live, seconds=asked.seconds)
            show(measure(asked.tables) if asked.tables else most_tables(LIVE_TABLES, measure))
        elif part == "home":
            with HomeSite() as site:
                show(players(site, people=20, computers=2, seconds=asked.seconds, name="home"))
        else:
            show(_figures(part, asked))
    return code


def _figures(part: str, asked: argparse.Namespace) -> Iterator[Figure]:
    """Figures of a part that needs the whole site; each part starts its own."""
    env = {"SOCKETS_PER_ADDRESS": "5000"} if part == "sockets" else {}
    with Stack(web=2, env=env) as stack:
        if part == "players":
            yield from players(
                stack,
                people=asked.people,
                computers=asked.people // 10,
                seconds=asked.seconds,
                parts=stack.pids_by_part,
            )
            yield from weight(stack)
        elif part == "sockets":
            yield from sockets(stack, seconds=asked.seconds)
        else:
            yield from soak(stack, minutes=asked.soak)


def _live(tables: int, seconds: float) -> Iterator[Figure]:
    """Figures of live tables at a new site, where no other games run."""
    with Stack(web=2) as stack:
        yield from live_tables(stack, tables=tables, seconds=seconds)


def _allow_many_files() -> None:
    """Raise the limit of open files for this process and the site, as every socket is a file."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
