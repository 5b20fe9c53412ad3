"""Seats that changed hands in the middle of a game: who sat there before."""

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import User
from games.models import Move
from games.services import rulings


@dataclass(frozen=True, slots=True)
class Handover:
    """Before the entry `number` of the log somebody of this name had the seat."""

    number: int
    seat: int
    name: str


def handovers(entries: Iterable[Move]) -> tuple[Handover, ...]:
    """Those among the entries of one log, oldest first."""
    found = []
    for entry in entries:
        ruling = rulings.read(entry.text) if entry.kind == Move.Kind.RULING else None
        changes = ruling is not None and ruling.kind in ("adopts", "appoints")
        if ruling is not None and changes and (holder := rulings.holder_before(ruling)):
            found.append((entry.number, ruling.number, holder))
    users = User.objects.in_bulk({holder for _number, _seat, holder in found if isinstance(holder, int)})
    return tuple(
        Handover(number, seat, users[holder].get_short_name() if isinstance(holder, int) else holder)
        for number, seat, holder in found
        if not isinstance(holder, int) or holder in users
    )
