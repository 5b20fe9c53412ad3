"""The open hand of a practice table, where several people share one device.

The player to decide opens their hand on the device; it stays open until somebody else decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accounts.refusals import Refusal
from games.models import Game, LogEntry, Seat
from games.refusals import HandCovered, NotYourDecision


@dataclass(frozen=True, slots=True)
class OpenHand:
    """The hand opened last on a device: its seat, and the version of the game at that time."""

    seat: int
    version: int


def acting_seat(
    game: Game, seats: Sequence[Seat], user: Any, opened: OpenHand | None = None, *, entry: int | None = None
) -> Seat | None:
    """The seat for which the user views and acts, or None; at a practice table the one with the open hand.

    A hand stays open for consecutive decisions of its seat. With `entry` the answer is for the time of that
    log entry, which may be the next one or one already made. Without hidden information, or with one person
    only, no hand needs to be opened.
    """
    mine = [seat for seat in seats if seat.owner_id is not None and seat.owner_id == user.pk]
    if not game.is_practice or len(mine) < 2:
        return mine[0] if mine else None
    now = entry is None or entry > game.version
    if not game.rule_system.HAS_HIDDEN_INFORMATION:
        return _numbered(mine, game.seat_to_move if now else _seat_of_entry(game, entry))
    if opened is None or (now and game.seat_to_move != opened.seat):
        return None
    version = game.version if entry is None else min(entry - 1, game.version)
    if opened.version > version or _others_decided(game, opened, version):
        return None
    return _numbered(mine, opened.seat)


def next_hand_to_open(game: Game, shown: Seat | None, seats: Sequence[Seat], user: Any) -> Seat | None:
    """The seat whose hand is to be opened next while the device shows `shown`, or None."""
    if not game.is_practice or shown is not None:
        return None
    return _numbered([seat for seat in seats if seat.owner_id == user.pk], game.seat_to_move)


def reason_against_acting(game: Game, user: Any) -> Refusal | None:
    """Return HandCovered or NotYourDecision if the host may not act at the practice table, or None."""
    if not game.is_practice or game.host_id != user.pk:
        return None
    return HandCovered() if game.is_running and game.bot_due_at is None else NotYourDecision()


def _numbered(seats: Sequence[Seat], number: int | None) -> Seat | None:
    return next((seat for seat in seats if seat.number == number), None)


def _seat_of_entry(game: Game, entry: int | None) -> int | None:
    return game.moves.filter(number=entry or 0).values_list("seat", flat=True).first()


def _others_decided(game: Game, opened: OpenHand, version: int) -> bool:
    """Return whether another person has decided since the hand was opened, up to this version."""
    moves = game.moves.filter(kind=LogEntry.Kind.MOVE, author=LogEntry.Author.PERSON)
    since = moves.filter(number__gt=opened.version, number__lte=version)
    return since.exclude(seat=opened.seat).exists()
