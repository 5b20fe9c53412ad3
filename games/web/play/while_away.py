"""The panel on what happened while a reader could not see the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import ngettext

from games.models import LogEntry
from games.play.game_view import GameView
from games.web.play.table_links import missed_moves
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import table_persons

# Paragraphs that the panel tells, the latest ones; a reader who was away for long has the replay and the log.
_MOST_NEWS = 8


@dataclass(frozen=True, slots=True)
class WhileAway:
    """The number of moves, a sentence on those made for the reader or "", and paragraphs on the others.

    `replay` leads to the boards of the moves, None for a single one.
    """

    moves: int
    made_for_reader: str
    news: Sequence[str]
    replay: dict[str, Any] | None


def while_away(look: GameView, user: Any, since: int | None) -> WhileAway | None:
    """Return what others have done after entry `since`, the last one that the reader's page has shown.

    None if `since` is, or if that was no more than one move of another player. A finished game begins with
    its result, and a practice table shows its moves to everybody as they are made.
    """
    game = look.game
    if since is None or not game.is_running or game.is_practice:
        return None
    entries = [entry for entry in look.entries if entry.number > since and not _is_own(entry, look, user)]
    made = [entry for entry in entries if entry.kind == LogEntry.Kind.MOVE and entry.number not in look.gone]
    for_reader = sum(_is_made_for(entry, look.seat) for entry in made)
    if len(made) < 2 and not for_reader:
        return None
    views = log_entry_views(look, entries, since)
    return WhileAway(len(made), _made_for_reader(for_reader), _news(look, views), missed_moves(game, views))


def _is_own(entry: LogEntry, look: GameView, user: Any) -> bool:
    """Return whether the reader did it, perhaps on another page, or had planned it.

    The table says by itself what plans and orders have done.
    """
    if entry.kind == LogEntry.Kind.RULING:
        return entry.user_id is not None and entry.user_id == user.pk
    return entry.seat == look.seat and not _is_made_for(entry, look.seat)


def _is_made_for(entry: LogEntry, seat: int | None) -> bool:
    """Return whether a computer player made the move in the reader's seat."""
    # A move that was the only one possible has an origin.
    machine = entry.author in (LogEntry.Author.COMPUTER, LogEntry.Author.HOUSE) and not entry.origin
    return machine and seat is not None and entry.seat == seat


def _made_for_reader(moves: int) -> str:
    if not moves:
        return ""
    text = ngettext(
        "A computer player made {n} move for you.", "A computer player made {n} moves for you.", moves
    )
    return text.format(n=moves)


def _news(look: GameView, entries: Sequence[LogEntryView]) -> list[str]:
    """The rulings, and what matters most in the moves, in paragraphs, oldest first."""
    table = PRESENTERS[look.game.system]
    spoken = TablePeople(tuple(table_persons(look.seats)), look.seat, html=True)
    told = [replace(entry, events=table.news(entry.events), note="") for entry in entries if not entry.gone]
    turns = table.turns(told, spoken, look.seen.rules)
    return [paragraph for turn in reversed(turns) for paragraph in turn.paragraphs][-_MOST_NEWS:]
