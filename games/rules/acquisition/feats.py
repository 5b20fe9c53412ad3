"""What is told of a finished game: whose turns there were, what is worth a record, and how it opened."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from .events import BoughtOut, Event, Landmark, Placed

# Nothing but what the game is won by.
FEATS: Final[tuple[str, ...]] = ()

# The one thing that an opening is told by.
_LARGE: Final = "large"


def turns(events: Iterable[Event]) -> Mapping[int, int]:
    """How many turns each seat had that had any; a park is placed before the first one."""
    return Counter(event.seat for event in events if isinstance(event, Placed))


def feats(events: Iterable[Event]) -> dict[str, dict[int | None, int]]:
    """Nothing."""
    return {}


def opening(events: Iterable[Event]) -> list[tuple[str, int]]:
    """Whose the first large building was; nothing where there was none."""
    large = (event.seat for event in events if isinstance(event, Landmark | BoughtOut))
    return [(_LARGE, seat) for seat in large][:1]
