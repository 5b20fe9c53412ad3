"""Facts about a finished game: turns of each seat, marks for records, and the opening."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from games.engine.rules.acquisition.events import BoughtOut, Event, Landmark, Placed

# The first words of the moves that begin a turn, and the kinds of decision before one.
FIRST_MOVES: Final = ("place",)
FIRST_DECISIONS: Final = ("place",)

# The score is the only record of this game.
RECORD_KINDS: Final[tuple[str, ...]] = ()

# The only feature that characterises an opening.
_LARGE: Final = "large"


def turns(events: Iterable[Event]) -> Mapping[int, int]:
    """The number of turns of each seat that had any; placing a park is not a turn."""
    return Counter(event.seat for event in events if isinstance(event, Placed))


def record_marks(events: Iterable[Event]) -> dict[str, dict[int | None, int]]:
    """Return no marks, as this game has no records besides the score."""
    return {}


def opening(events: Iterable[Event]) -> list[tuple[str, int]]:
    """The seat of the first large building; empty if there was none."""
    large = (event.seat for event in events if isinstance(event, Landmark | BoughtOut))
    return [(_LARGE, seat) for seat in large][:1]
