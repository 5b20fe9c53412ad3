"""Handovers: seats that changed hands during a game, and who held them before."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import User
from games.log import rulings
from games.log.positions import LogRow
from games.log.rulings import Ruling
from games.models import Game, LogEntry, Seat


@dataclass(frozen=True, slots=True)
class Handover:
    """A handover of a seat: somebody with this name held it before the entry `number` of the log."""

    number: int
    seat: int
    name: str


def handovers(entries: Iterable[LogRow], *, by_name: bool = False) -> tuple[Handover, ...]:
    """The handovers among the entries of one log, oldest first.

    With `by_name`, as in an imported game, holders are names and never keys of users.
    """
    found = [
        (entry.number, ruling.number, str(holder) if by_name else holder)
        for entry, ruling in _hand_over(entries)
        if (holder := rulings.previous_holder(ruling))
    ]
    users = User.objects.in_bulk({holder for _number, _seat, holder in found if isinstance(holder, int)})
    return tuple(
        Handover(number, seat, users[holder].get_short_name() if isinstance(holder, int) else holder)
        for number, seat, holder in found
        if not isinstance(holder, int) or holder in users
    )


def holder_at(entries: Iterable[LogRow], seat: Seat, number: int) -> int | str | None:
    """The holder of the seat after entry `number` of a whole log, oldest first, like `Seat.owner_id`.

    For a bot that played for nobody it is its nickname. None if nobody held the seat, or an old log does not
    tell.
    """
    for entry, ruling in _hand_over(entries):
        if entry.number > number and ruling.number == seat.number:
            return rulings.previous_holder(ruling)
    return seat.owner_id


def successor_of(entries: Iterable[LogRow], user_id: int) -> int | None:
    """The seat that this user lost last to somebody else, among these entries of one log, or None."""
    lost = [ruling.number for _, ruling in _hand_over(entries) if rulings.previous_holder(ruling) == user_id]
    return lost[-1] if lost else None


def losses_of(user_id: int) -> QuerySet[LogEntry]:
    """The rulings, in all games, by which this user lost a seat to somebody else for good."""
    return LogEntry.objects.filter(kind=LogEntry.Kind.RULING, text__endswith=f" from {user_id}")


def rulings_of(game: Game) -> Iterable[LogEntry]:
    """The rulings in the whole log of a game, oldest first."""
    return game.moves.filter(kind=LogEntry.Kind.RULING)


def _hand_over(entries: Iterable[LogRow]) -> Iterator[tuple[LogRow, Ruling]]:
    """The entries that hand over a seat, each with its ruling."""
    for entry in entries:
        if entry.kind == LogEntry.Kind.RULING:
            ruling = rulings.parse_ruling(entry.text)
            if ruling.kind in ("adopts", "appoints"):
                yield entry, ruling
