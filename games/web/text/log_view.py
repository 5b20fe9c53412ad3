"""Log entries as a reader sees them, with the players of the time."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from games.log.public_times import entry_time
from games.models import LogEntry
from games.play.game_view import GameView
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import COMPUTER, Person, TablePeople
from games.web.text import ruling_text
from games.web.text.seat_names import table_persons, without_stand_in


def log_entry_views(
    look: GameView, moves: Iterable[LogEntry], since: int | None = None
) -> list[LogEntryView]:
    """Return views of log entries; those after entry `since` are new, none if it is None."""
    now = TablePeople(tuple(table_persons(look.seats)), look.seat)
    before = {handover.number: handover.name for handover in look.handovers}
    return [
        entry(
            move,
            now.persons,
            now.reader,
            look.gone,
            since,
            then=_people_then(now, look, move),
            before=before.get(move.number, ""),
        )
        for move in moves
    ]


def automatic_moves_notice(look: GameView, since: int) -> str:
    """A sentence on what the reader's plan and orders have done after entry `since`; "" for nothing."""
    order, plan = LogEntry.Origin.ORDER, LogEntry.Origin.PLAN
    mine = [move for move in look.entries if move.seat == look.seat and move.number > since]
    made = {
        move.origin
        for move in mine
        if move.origin in (order, plan) and move.number not in look.gone and _still_sits_there(move)
    }
    if made == {order, plan}:
        return _("Your planned turn was played, and your standing order was carried out.")
    if plan in made:
        return _("Your planned turn was played.")
    return _("Your standing order for your shares was carried out.") if made else ""


def people_at(look: GameView, number: int, conceded: Collection[int]) -> TablePeople:
    """The players after this log entry; `conceded` are the seats that had conceded by then."""
    seated, reader = _seated(TablePeople(tuple(table_persons(look.seats)), look.seat), look, number)
    then = (
        replace(
            without_stand_in(person) if person.replaced else person,
            conceded=person.conceded if seat in conceded else None,
        )
        for seat, person in enumerate(seated)
    )
    return TablePeople(tuple(then), reader)


def _seated(now: TablePeople, look: GameView, number: int) -> tuple[list[Person], int | None]:
    """The players after this log entry, and the reader's seat then."""
    seated, reader = list(now.persons), now.reader
    for handover in reversed(look.handovers):
        if handover.number > number:
            seat = seated[handover.seat]
            seated[handover.seat] = replace(
                seat, name=handover.name, computer=False, level="", conceded=None, replaced=False
            )
            # The previous player's moves were not the reader's.
            reader = None if reader == handover.seat else reader
    return seated, reader


def _people_then(now: TablePeople, look: GameView, move: LogEntry) -> TablePeople | None:
    """The players when this entry was made, or None if they are the same now."""
    seated, reader = _seated(now, look, move.number)
    if move.seat is not None and move.author == LogEntry.Author.COMPUTER:
        person = seated[move.seat]
        if person.replaced or not person.computer:
            # A stand-in made this move, not the player.
            name = f"{person.name} {COMPUTER}"
            seated[move.seat] = replace(person, name=name, computer=False, replaced=False)
            reader = None if reader == move.seat else reader
    if (seated, reader) == (list(now.persons), now.reader):
        return None
    return replace(now, persons=tuple(seated), reader=reader)


def entry(
    move: LogEntry,
    people: Sequence[Person],
    reader: int | None,
    gone: Collection[int] = (),
    since: int | None = None,
    then: TablePeople | None = None,
    before: str = "",
) -> LogEntryView:
    """Return the view of a log entry for the seat `reader`; `then` are other players at the time, if any.

    A ruling has a sentence instead of events. `gone` are the numbers of moves that were taken back. Entries
    after `since` are new to the reader, none if it is None. `before` is the player whose seat is taken over.
    """
    new = since is not None and move.number > since
    table = then or TablePeople(tuple(people), reader)
    at = entry_time(move.game, move.created_at)
    if move.kind == LogEntry.Kind.MOVE:
        note, is_gone = _note(move, table), move.number in gone
        return LogEntryView(
            move.number, move.decoded_events, at, note=note, gone=is_gone, new=new, people=then
        )
    return LogEntryView(
        move.number, at=at, text=ruling_text.sentence(move, table, before), new=new, people=then
    )


def _note(move: LogEntry, people: TablePeople) -> str:
    """Return the note on how the move was made, if the reader may know it."""
    assert move.seat is not None
    who = people.sentence_start(move.seat)
    if move.origin == LogEntry.Origin.FORCED_MOVE:
        return PRESENTERS[move.game.system].why_forced(move.text, move.game.rules, who)
    if move.author == LogEntry.Author.HOUSE:
        return _("{who} ran out of time, so a computer player made this move.").format(who=who)
    if not move.origin:
        return ""
    mine = people.reader == move.seat and _still_sits_there(move)
    if not mine and not move.game.is_finished:
        return ""
    sentences = {
        LogEntry.Origin.ORDER: _("{name}’s standing order made this move."),
        LogEntry.Origin.PLAN: _("{name} had planned this move."),
    }
    if mine:
        sentences = {
            LogEntry.Origin.ORDER: _("Your standing order made this move."),
            LogEntry.Origin.PLAN: _("You had planned this move."),
        }
    # The order may be that of a previous player of the seat.
    return sentences[LogEntry.Origin(move.origin)].format(name=people[move.seat].name)


def _still_sits_there(move: LogEntry) -> bool:
    """Return whether the player who made the move still has the seat."""
    seats = move.game.seats.all()
    return any(seat.number == move.seat and seat.user_id == move.user_id for seat in seats)
