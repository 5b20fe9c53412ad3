"""Rows and log lines of a running site, seen from outside its processes."""

import re
import sqlite3
from contextlib import closing
from typing import Any

from tests.support.played_site import DATABASE

TROUBLE = re.compile(r"WARNING|ERROR|CRITICAL|Traceback|Exception")
TILE = re.compile(r"\b(?:1[0-2]|[1-9])[A-I]\b")


def rows(site: Any, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Return the rows of a query on the site's database."""
    with closing(sqlite3.connect(site.data_dir / DATABASE, timeout=20)) as database:
        return database.execute(query, values).fetchall()


def improper(site: Any, expected: str = "^$", since: int = 0) -> list[str]:
    """Return log lines that warn, name a tile, or hold the seed of a game.

    Lines that match `expected` may warn. `since` is the length of the log after which to look.
    """
    seeds = [
        secret
        for seed, commitment in rows(site, "SELECT seed, seed_hash FROM games_game WHERE seed IS NOT NULL")
        for secret in (bytes(seed).hex(), str(bytes(seed))[2:-1], commitment)
    ]
    lines = site.log[since:].replace(site.admin_password or "\n", "").splitlines()
    return [
        line
        for line in lines
        if (TROUBLE.search(line) and not re.search(expected, line))
        or TILE.search(line)
        or any(seed in line for seed in seeds)
    ]
