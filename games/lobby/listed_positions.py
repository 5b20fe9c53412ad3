"""Positions of the games in a list as everybody may see them, with their last moves."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, TextField
from django.db.models.functions import Cast

from games.models import Game, LogEntry

# Entries of a log that are read; a turn has two at least.
_LAST_ENTRIES: Final = 4


@dataclass(frozen=True)
class ListedPosition:
    """A spectator's observation of a game, and its last moves that still stand, oldest first."""

    seen: Any
    moves: tuple[LogEntry, ...] = ()


def listed_positions(games: Iterable[Game]) -> dict[int, ListedPosition]:
    """The positions of those of the games that are dealt, by key, in two queries.

    Only running games have moves.
    """
    dealt = {game.pk: game for game in games if game.is_dealt}
    if not dealt:
        return {}
    moves = _last_moves(dealt)
    # State and ending must come from one row: a game may be reopened after the list was read.
    fresh = Game.with_secrets.filter(pk__in=dealt, state__isnull=False).only("system", "state", "ending")
    return {game.pk: ListedPosition(_seen_by_all(game), tuple(moves[game.pk])) for game in fresh}


def _seen_by_all(game: Game) -> Any:
    system = game.rule_system
    return system.observe(system.state_from_json(game.state), None, ended=game.ending)


def _last_moves(games: dict[int, Game]) -> dict[int, list[LogEntry]]:
    """The last moves of the running games: those since the last ruling, which may have changed players."""
    running = [key for key, game in games.items() if game.is_running]
    found = (
        LogEntry.objects.filter(game__in=running, number__gt=F("game__version") - _LAST_ENTRIES)
        .annotate(events_text=Cast("events", TextField()))
        .defer("events")
        .order_by("game", "number")
    )
    moves: dict[int, list[LogEntry]] = defaultdict(list)
    for entry in found:
        if entry.kind == LogEntry.Kind.RULING:
            moves[entry.game_id].clear()
        else:
            entry.game = games[entry.game_id]
            moves[entry.game_id].append(entry)
    return moves
