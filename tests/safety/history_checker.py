"""Comparison of what players did and heard with what a site has recorded."""

import time
from collections import defaultdict

import psycopg

from tests.safety.crash_players import Attempt, History
from tests.safety.site_stack import Stack

ENTRIES = """
    SELECT game.public_id, move.number, who.username, move.text
    FROM games_logentry move JOIN games_game game ON game.id = move.game_id
    JOIN accounts_user who ON who.id = move.user_id
    WHERE move.kind = 'move' AND move.author = 'person' AND move.origin = ''
"""
# Rulings that give time back change no decision: a move that was sent before them counts after them.
EXTENSIONS = """
    SELECT game.public_id, move.number FROM games_logentry move JOIN games_game game ON game.id = move.game_id
    WHERE move.kind = 'ruling' AND move.text LIKE 'more time for %'
"""
GAPS = """
    SELECT game.public_id, game.version, count(move.id), max(move.number)
    FROM games_game game LEFT JOIN games_logentry move ON move.game_id = game.id
    WHERE game.state IS NOT NULL GROUP BY game.id
    HAVING game.version <> count(move.id) OR (game.version > 0 AND game.version <> max(move.number))
"""
# A bot is to decide, or nobody although the game runs.
WAITING = """
    SELECT game.public_id, game.version, game.bot_due_at FROM games_game game
    WHERE game.status = 'running' AND game.waiting_for_id IS NULL
"""


def check(stack: Stack, history: History) -> list[str]:
    """Return all faults in words: lost, doubled or invented moves, gaps, wrong states or answers."""
    with psycopg.connect(stack.postgres.url) as database:
        entries = [entry for entry in database.execute(ENTRIES) if entry[2] in history.people]
        extensions = set(database.execute(EXTENSIONS))
        gaps = [f"the log of {row[0]} has gaps: {row[1:]}" for row in database.execute(GAPS)]
    entries = [as_sent(entry, history.attempts, extensions) for entry in entries]
    return [*history.faults, *moves(history.attempts, entries), *gaps, *_replayed(stack, history.games)]


def as_sent(
    entry: tuple[str, int, str, str], attempts: list[Attempt], extensions: set[tuple[str, int]]
) -> tuple[str, int, str, str]:
    """The record with the number that its move was sent with, which may be that of an extension before it."""
    game, number, who, text = entry
    tried = {one.number for one in attempts if (one.game, one.who, one.text) == (game, who, text)}
    while number not in tried and (game, number - 1) in extensions:
        number -= 1
    return (game, number, who, text) if number in tried else entry


def moves(attempts: list[Attempt], entries: list[tuple[str, int, str, str]]) -> list[str]:
    """Return the differences between attempts and records; a record is game, number, player and text."""
    tried: dict[tuple[str, int, str, str], set[str]] = defaultdict(set)
    for attempt in attempts:
        tried[attempt.game, attempt.number, attempt.who, attempt.text].add(attempt.outcome)
    recorded = set(entries)
    faults = [f"recorded twice: {entry}" for entry in recorded if entries.count(entry) > 1]
    faults += [f"invented: {entry}" for entry in recorded if entry not in tried]
    for entry, outcomes in tried.items():
        if "ok" in outcomes and entry not in recorded:
            faults.append(f"lost, though it was acknowledged: {entry}")
        if outcomes == {"fail"} and entry in recorded:
            faults.append(f"recorded, though it was refused: {entry}")
    return faults


def _replayed(stack: Stack, games: set[str]) -> list[str]:
    try:
        stack.manage("check_games", *sorted(games))
    except AssertionError as error:
        return [f"replayed otherwise: {error}"]
    return []


def stuck(stack: Stack, seconds: float) -> tuple[list[str], float]:
    """Return the games that do not ask a person or end in time, and how long it took."""
    started = time.monotonic()
    while True:
        with psycopg.connect(stack.postgres.url) as database:
            found = database.execute(WAITING).fetchall()
        passed = time.monotonic() - started
        if not found or passed > seconds:
            return [f"{game} is stuck at {number}, due {due}" for game, number, due in found], passed
        time.sleep(0.2)
