"""Seats that changed hands in the middle of a game: who sat there before."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from accounts.models import User
from games.log import rulings
from games.log.positions import LogRow
from games.log.rulings import Ruling
from games.models import LogEntry, Seat


@dataclass(frozen=True, slots=True)
class Handover:
    """Before the entry `number` of the log somebody of this name had the seat."""

    number: int
    seat: int
    name: str


def handovers(entries: Iterable[LogRow], *, by_name: bool = False) -> tuple[Handover, ...]:
    """Those among the entries of one log, oldest first.

    Where people are told `by_name`, as in an imported game, no number is the key of anybody here.
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
    """Who had the seat after entry `number` of a whole log, oldest first: as `Seat.owner_id` says it.

    A computer that kept it for nobody is told by its name. None where nobody had it, or an old log does not
    tell.
    """
    for entry, ruling in _hand_over(entries):
        if entry.number > number and ruling.number == seat.number:
            return rulings.previous_holder(ruling)
    return seat.owner_id


def _hand_over(entries: Iterable[LogRow]) -> Iterator[tuple[LogRow, Ruling]]:
    """The entries by which a seat got somebody else, each with what it says."""
    for entry in entries:
        if entry.kind == LogEntry.Kind.RULING:
            ruling = rulings.parse_ruling(entry.text)
            if ruling.kind in ("adopts", "appoints"):
                yield entry, ruling
