"""Positions of the games in a list as everybody may see them, with their last moves."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, OuterRef, Q, Subquery, TextField
from django.db.models.functions import Cast

from games.models import Game, GameVisit, LogEntry
from games.play.spectator_position import all_shown_to

# Entries of a log that are read; a turn has two at least.
_LAST_ENTRIES: Final = 4
# The same if the game waits for the reader, to whom some of them are new.
_MOST_NEWS: Final = 12


@dataclass(frozen=True)
class ListedPosition:
    """A spectator's observation of a game, and its last moves that still stand, oldest first.

    With `is_news` the moves are those since the reader's last visit.
    """

    seen: Any
    moves: tuple[LogEntry, ...] = ()
    is_news: bool = False


def listed_positions(games: Iterable[Game], reader: Any = None) -> dict[int, ListedPosition]:
    """The positions of those of the games that are dealt, by key, in two queries.

    Without a `reader`, or for a spectator, games with a delay are shown as they stood. Only running games
    have moves. Those that wait for the reader have the moves since the reader's last visit, if there are any.
    """
    user = reader or AnonymousUser()
    dealt = {game.pk: game for game in all_shown_to((game for game in games if game.is_dealt), user)}
    if not dealt:
        return {}
    moves = _last_moves(dealt, None if reader is None else reader.pk)
    # State and ending must come from one row: a game may be reopened after the list was read.
    columns = ("system", "state", "ending", "status", "spectator_delay")
    fresh = Game.with_secrets.filter(pk__in=dealt, state__isnull=False).only(*columns)
    return {
        key: ListedPosition(_seen_by_all(game), *moves.get(key, ((), False)))
        for key, game in _as_listed(dealt, fresh)
    }


def _as_listed(listed: dict[int, Game], fresh: Iterable[Game]) -> Iterator[tuple[int, Game]]:
    """The games from which positions are shown, by key: as they stood for a spectator, else as read now."""
    for game in fresh:
        then = listed[game.pk]
        if then.rounds_late:
            yield game.pk, then
        elif then.is_running or not (game.is_running and game.spectator_delay):
            # Otherwise the game was over when the list was read, and has been reopened since.
            yield game.pk, game


def _seen_by_all(game: Game) -> Any:
    system = game.rule_system
    return system.observe(system.state_from_json(game.state), None, ended=game.ending)


# The moves that a list shows of a game, and whether they are news.
_Moves = tuple[tuple[LogEntry, ...], bool]


def _shown(entries: list[LogEntry], waits: bool) -> _Moves:
    """The moves since the reader's last visit to a game that waits for the reader, or else the last ones."""
    news = tuple(entry for entry in entries if waits and _is_new(entry))
    if news:
        return news, True
    return tuple(entry for entry in entries if entry.number > entries[-1].number - _LAST_ENTRIES), False


def _is_new(entry: Any) -> bool:
    """Return whether the entry was made after the reader's last visit; nothing is new without a visit."""
    return entry.visited is not None and entry.number > entry.visited


def _last_moves(games: dict[int, Game], reader: int | None) -> dict[int, _Moves]:
    """The last moves of the running games: those since the last ruling, which may have changed players."""
    running = [key for key, game in games.items() if game.is_running]
    asking = [key for key in running if reader is not None and games[key].waiting_for_id == reader]
    visits = GameVisit.objects.filter(game=OuterRef("game"), user=reader or 0)
    late = {key: game.version for key, game in games.items() if game.rounds_late}
    latest = Q(number__gt=F("game__version") - _LAST_ENTRIES) & ~Q(game__in=late)
    for key, version in late.items():
        latest |= Q(game=key, number__gt=version - _LAST_ENTRIES, number__lte=version)
    if asking:
        latest |= Q(game__in=asking, number__gt=F("game__version") - _MOST_NEWS)
    found = (
        LogEntry.objects.filter(latest, game__in=running)
        .annotate(events_text=Cast("events", TextField()), visited=Subquery(visits.values("seen")))
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
    return {key: _shown(entries, key in asking) for key, entries in moves.items()}
