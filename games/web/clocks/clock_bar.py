"""The bar that shows the time left of the player to move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from games.clocks.game_clock import full_time, left_until
from games.log.public_times import deadline_shown
from games.models import Game, Seat

# It moves by steps of this many per cent, so that a list changes seldom.
_STEP: Final = 5
# Below this many per cent little time is left.
_LITTLE_TIME: Final = 20


@dataclass(frozen=True, slots=True)
class ClockBar:
    """The time left of the player to move, in per cent of the full time."""

    filled: int

    @property
    def low(self) -> bool:
        return self.filled < _LITTLE_TIME


def clock_bar(game: Game, seats: Sequence[Seat]) -> ClockBar | None:
    """The clock of the player to move, while it runs."""
    now = timezone.now()
    deadline = deadline_shown(game.deadline, now)
    if deadline is None or game.seat_to_move is None:
        return None
    full = full_time(game, seats[game.seat_to_move])
    if not full:
        return None
    filled = round(100 / _STEP * (left_until(game, deadline, now) / full)) * _STEP
    return ClockBar(max(0, min(filled, 100)))
