"""The panel on what happened while a reader could not see the table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import ngettext

from games.log.handovers import Handover, handovers
from games.log.positions import standing_moves
from games.models import LogEntry
from games.play.game_view import GameView, entries_after
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
    """Sentences on the moves made for the reader and by others, "" for none, and paragraphs on the latter.

    `made_by_others` is "" if there are paragraphs, too. `replay` leads to the boards of the moves, None for
    a single one.
    """

    made_for_reader: str
    made_by_others: str
    news: Sequence[str]
    replay: dict[str, Any] | None


def while_away(
    look: GameView, user: Any, since: int | None, replay: dict[str, Any] | None = None
) -> WhileAway | None:
    """Return what others have done after entry `since`, the last one that the reader's page has shown.

    None without `since`, and after a single move of another player. A ruling is always told. A finished game
    begins with its result, and a practice table shows its moves to everybody as they are made. `replay` is
    the one that the table offers, if any, so that its link and that of the panel are the same.
    """
    game = look.game
    if since is None or not game.is_running or game.is_practice:
        return None
    latest = [entry for entry in look.entries if entry.number > since]
    seated = _seated_since(look.handovers, look.seat)
    missed = [one for one in latest if not _is_own(one, user, look.seat if one.number > seated else None)]
    made = [one for one in standing_moves(latest) if one in missed]
    for_reader = _moves_for_reader(latest, look.seat, seated)
    if len(made) < 2 and not for_reader and all(entry.kind == LogEntry.Kind.MOVE for entry in missed):
        return None
    news = _news(look, log_entry_views(look, missed, since))
    by_others = "" if news else _made_by_others(len(made) - for_reader, look.seat)
    if for_reader and look.entries[0].number > since + 1:
        entries = entries_after(look.game, since)
        for_reader = _moves_for_reader(entries, look.seat, _seated_since(handovers(entries), look.seat))
    return WhileAway(_made_for_reader(for_reader), by_others, news, replay or missed_moves(look, since))


def _seated_since(changes: Iterable[Handover], seat: int | None) -> int:
    """The entry by which the reader took over somebody's seat; 0 if it is not among these."""
    return max((change.number for change in changes if change.seat == seat), default=0)


def _moves_for_reader(entries: Iterable[LogEntry], seat: int | None, seated: int) -> int:
    """Count the moves that computer players made in the reader's seat since entry `seated` and that stand."""
    return sum(move.number > seated and _is_made_for(move, seat) for move in standing_moves(entries))


def _is_own(entry: LogEntry, user: Any, seat: int | None) -> bool:
    """Return whether the reader, in this seat then, did it, perhaps on another page, or had planned it.

    The table has its own sentence on plans and orders.
    """
    if entry.kind == LogEntry.Kind.RULING:
        return entry.user_id is not None and entry.user_id == user.pk
    return entry.seat == seat and not _is_made_for(entry, seat)


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


def _made_by_others(moves: int, seat: int | None) -> str:
    """Count the moves of the others, who are all the players if the reader has no seat."""
    if not moves:
        return ""
    if seat is None:
        text = ngettext("The players made {n} move.", "The players made {n} moves.", moves)
    else:
        text = ngettext("Another player made {n} move.", "Other players made {n} moves.", moves)
    return text.format(n=moves)


def _news(look: GameView, entries: Sequence[LogEntryView]) -> list[str]:
    """The rulings, and what matters most in the moves, in paragraphs, oldest first."""
    table = PRESENTERS[look.game.system]
    spoken = TablePeople(tuple(table_persons(look.seats)), look.seat, html=True)
    told = [replace(entry, events=table.news(entry.events), note="") for entry in entries if not entry.gone]
    turns = table.turns(told, spoken, look.seen.rules)
    return [paragraph for turn in reversed(turns) for paragraph in turn.paragraphs][-_MOST_NEWS:]
