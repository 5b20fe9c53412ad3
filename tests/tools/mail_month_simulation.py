"""A month of mail: `python -m tests.tools.mail_month_simulation`.

200 members with choices of all kinds, two outages, and the code of the site: see `tests.support.mail_month`.
Says each day how far it is, and prints the figures as one line of JSON. Fails if a mail was held back until
its deadline was over, if one was sent for a decision that was over, or if fewer than 95 of 100 turn mails
were handed over within 15 seconds of being due. Those that were due during an outage count, too; the figures
also say how many these were, and how many of 100 were prompt outside outages.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from typing import Any
from unittest.mock import patch

from tests.support.measured_site import create_tables, site_environment

PROMPT_PERCENT = 95


def main() -> int:
    """Simulate a month; returns the exit code for the shell."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.mail_month_simulation", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--members", type=int, default=200, help="how many members (%(default)s)")
    parser.add_argument("--days", type=int, default=30, help="how many days (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which month (%(default)s)")
    parser.add_argument(
        "--games", type=int, default=0, help=("number of games (default: one for three members)")
    )
    parser.add_argument("--without-worker", action="store_true", help="have the sweeper send everything")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="acquire-") as folder:
        os.environ.update(site_environment(folder, f"sqlite:///{folder}/month.sqlite3"))
        create_tables(only_postgres=False)
        figures = simulate(options)
    print(json.dumps(figures), flush=True)
    is_good = not (figures["held_back"] or figures["sent_over"] or figures["limits_told_twice"])
    return 0 if is_good and figures["prompt_percent"] >= PROMPT_PERCENT else 1


def simulate(options: argparse.Namespace) -> dict[str, Any]:
    """Simulate the month in the empty database of the settings and return its figures."""
    from games.clocks import machine_clock
    from tests.support.mail_month import Figures, Month

    began, told = time.perf_counter(), 0

    def report(day: int, figures: Figures) -> None:
        nonlocal told
        sent = f"{figures.mails} mails, {figures.prompt} of {figures.turn_mails} turn mails prompt"
        bad = f"{figures.held_back} held back, {figures.sent_over} sent too late"
        seconds = time.perf_counter() - began
        print(f"day {day} of {options.days}, {seconds:.0f} s: {sent}, {bad}", file=sys.stderr, flush=True)
        for incident in figures.incidents[told:]:
            print(incident, file=sys.stderr, flush=True)
        told = len(figures.incidents)

    month = Month(
        options.members,
        options.days,
        options.seed,
        games=options.games,
        has_worker=not options.without_worker,
        report=report,
    )
    # The clock of the month is the only one.
    with patch.multiple(machine_clock, steady=time.time, boot=lambda: "", database_offset=lambda: None):
        return month.run().as_json()


if __name__ == "__main__":
    sys.exit(main())
