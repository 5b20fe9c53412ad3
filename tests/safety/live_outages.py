"""Trials of live games while parts of the site are away: nobody loses a move, and nobody's time runs.

In some games people play all the time. In the others nobody answers, and the player to move has little time
left when the outage begins.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import psycopg

from tests.safety.crash_players import Party, prepare
from tests.safety.site_outages import Result, settle
from tests.safety.site_stack import Stack

# Three minutes and thirty seconds a move.
TERMS = {"pace": 30, "bank": 180, "cap": 180}
PLAYED, IDLE = 6, 4

# Seconds that the players of idle games have left when the outage begins; each outage is longer.
LEFT = 5.0
# Up to the last heartbeat before an outage the clocks ran.
HEARTBEAT = 1.0
# The site is whole again, and knows it, after this many seconds.
BACK = 60.0

ASKED = "SELECT count(*) FROM games_game WHERE public_id = ANY(%s) AND waiting_for_id IS NOT NULL"
LEAVE = """
    UPDATE games_game SET deadline = now() + %s * interval '1 second'
    WHERE public_id = ANY(%s) AND deadline IS NOT NULL RETURNING public_id
"""
TIMES = """
    SELECT public_id, extract(epoch FROM deadline - now())::float FROM games_game
    WHERE public_id = ANY(%s) AND deadline IS NOT NULL
"""
TIMEOUTS = """
    SELECT game.public_id, move.number FROM games_logentry move JOIN games_game game ON game.id = move.game_id
    WHERE game.public_id = ANY(%s) AND move.author = 'house'
        AND move.kind = 'move' AND move.origin = ''
"""


class Database:
    """The database of a site, read and changed behind its back."""

    def __init__(self, stack: Stack) -> None:
        self._url = stack.postgres.url

    def rows(self, query: str, *values: object) -> list[Any]:
        with psycopg.connect(self._url) as database:
            return database.execute(query, values).fetchall()


async def outage_amid_live_games(
    stack: Stack,
    names: Sequence[str],
    begin: Callable[[], None],
    end: Callable[[], None],
    *,
    seconds: float,
    calm: float = 3,
    patience: float = 60.0,
) -> Result:
    """Take a part of the site away for some seconds while people play live, and judge what it cost them."""
    result = Result("live games")
    database = Database(stack)
    party = Party(stack, names, PLAYED, pause=0.5, terms=TERMS)
    party.history.patience = patience
    idle = await asyncio.to_thread(_idle_games, stack, [f"{name}idle" for name in names[:IDLE]])
    async with party:
        await asyncio.sleep(calm)
        await _until_asked(database, idle)
        waiting = [game for [game] in database.rows(LEAVE, LEFT, idle)]
        acknowledged = party.history.count("ok")
        begin()
        await asyncio.sleep(seconds)
        result.did["moves during"] = party.history.count("ok") - acknowledged
        end()
        left = await _times_after(database, waiting)
        result.faults += [
            f"{game} has {left.get(game, 0.0):.1f} s left of {LEFT:g}"
            for game in waiting
            if left.get(game, 0.0) < LEFT - HEARTBEAT
        ]
        result.faults += _timeouts(database, [*idle, *party.history.games])
        await asyncio.sleep(calm)
    result.did["waiting"] = len(waiting)
    await settle(stack, party, result)
    return result


def _idle_games(stack: Stack, names: Sequence[str]) -> list[str]:
    """Live games whose players never come."""
    theirs = prepare(stack, names, len(names), TERMS)
    return sorted({game for games in theirs.values() for game in games})


async def _until_asked(database: Database, games: Sequence[str]) -> None:
    """Wait until each of these games asks a person: computers may begin."""
    ends = time.monotonic() + BACK
    while database.rows(ASKED, games)[0][0] < len(games):
        assert time.monotonic() < ends, "computers do not play"
        await asyncio.sleep(0.2)


async def _times_after(database: Database, games: Sequence[str]) -> dict[str, float]:
    """The time left in each of these games once the site has given back what it owes, or has had time to."""
    left: dict[str, float] = {}
    ends = time.monotonic() + BACK
    while time.monotonic() < ends and not _timeouts(database, games):
        left = dict(database.rows(TIMES, games))
        if len(left) == len(games) and min(left.values(), default=0.0) >= LEFT - HEARTBEAT:
            break
        await asyncio.sleep(0.2)
    return left


def _timeouts(database: Database, games: Iterable[str]) -> list[str]:
    return [f"time ran out in {game} at {number}" for game, number in database.rows(TIMEOUTS, list(games))]


def kill(stack: Stack, names: Sequence[str]) -> tuple[Callable[[], None], Callable[[], None]]:
    """Functions that kill these processes with all their children, and start them again."""

    def begin() -> None:
        for name in names:
            stack.processes[name].wanted = False
            stack.processes[name].kill_all()

    def end() -> None:
        for name in names:
            stack.processes[name].start()

    return begin, end
