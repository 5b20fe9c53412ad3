"""One game as one viewer may see it."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from games.models import Game, Move, Seat

# More than the turns that a table shows; the whole log has a page of its own.
RECENT = 120


@dataclass(frozen=True)
class Look:
    """A game for one viewer: `seat` is None for a spectator, `seen` is what the rules let that seat know.

    `entries` are the latest of the log, oldest first.
    """

    game: Game
    seats: list[Seat]
    seat: int | None
    seen: Any
    entries: list[Move]


def look(public_id: str, user: Any, *, newer_than: int = -1, whole_log: bool = False) -> Look | None:
    """The game for this user, or None when it is not newer than a version.

    The log is cut to its latest entries unless it is asked for whole or the game is over.
    Raises Http404 without such a game, and before it is dealt.
    """
    known = Game.objects.filter(public_id=public_id)
    if newer_than >= 0 and known.filter(version__lte=newer_than).exists():
        return None
    game = Game.with_secrets.filter(public_id=public_id, state__isnull=False).first()
    if game is None:
        raise Http404
    seats = list(game.seats.select_related("user"))
    seat = next((seat.number for seat in seats if seat.user_id is not None and seat.user_id == user.pk), None)
    system = game.rule_system
    seen = system.observe(system.from_json(game.state), seat)
    first = 1 if whole_log or not game.is_running else game.version - RECENT
    return Look(game, seats, seat, seen, list(game.moves.filter(number__range=(first, game.version))))
