"""The log of a game for whoever looks at it: each entry names who sat at the table when it was made."""

from collections.abc import Iterable
from dataclasses import replace

from games.models import Move
from games.queries import Look
from games.tables import COMPUTER, Entry, People, Person

from .naming import entry, persons


def told(look: Look, moves: Iterable[Move], since: int | None = None) -> list[Entry]:
    """These entries of the game; those after entry `since` are new to the reader, none if it is None."""
    now = People(tuple(persons(look.seats)), look.seat)
    before = {handover.number: handover.name for handover in look.handovers}
    return [
        entry(
            move,
            now.persons,
            now.reader,
            look.gone,
            since,
            then=_then(now, look, move),
            before=before.get(move.number, ""),
        )
        for move in moves
    ]


def people_at(look: Look, number: int) -> People:
    """Who sat at the table after this entry of its log, for whoever looks."""
    seated, reader = _seated(People(tuple(persons(look.seats)), look.seat), look, number)
    return People(tuple(seated), reader)


def _seated(now: People, look: Look, number: int) -> tuple[list[Person], int | None]:
    """Who sat there after the entry `number`, and whom of them the reader is."""
    seated, reader = list(now.persons), now.reader
    for handover in reversed(look.handovers):
        if handover.number > number:
            seat = seated[handover.seat]
            seated[handover.seat] = replace(
                seat, name=handover.name, computer=False, level="", conceded=None, replaced=False
            )
            # What the one before them did was not done by the reader.
            reader = None if reader == handover.seat else reader
    return seated, reader


def _then(now: People, look: Look, move: Move) -> People | None:
    """Who sat at the table before this entry was made, and made it; None for those who sit there now."""
    seated, reader = _seated(now, look, move.number)
    if move.seat is not None and move.author == Move.Author.COMPUTER:
        person = seated[move.seat]
        if person.replaced or not person.computer:
            # It played in the place of somebody, who did not do this.
            name = f"{person.name} {COMPUTER}"
            seated[move.seat] = replace(person, name=name, computer=False, replaced=False)
            reader = None if reader == move.seat else reader
    if (seated, reader) == (list(now.persons), now.reader):
        return None
    return replace(now, persons=tuple(seated), reader=reader)
