"""What is told of a finished game: whose turns there were, what is worth a record, and how it opened."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from .events import Absorbed, BonusPaid, Event, Founded, Grew, Passed, Placed

# By name, in the order in which people read them. More is better.
FEATS: Final = ("longest", "bonus")


def turns(events: Iterable[Event]) -> Mapping[int, int]:
    """How many turns each seat had that had any; each begins with a tile, or with none that can be played."""
    return Counter(event.seat for event in events if isinstance(event, Placed | Passed))


def feats(events: Iterable[Event]) -> dict[str, dict[int | None, int]]:
    """The size of the longest chain, which is nobody's, and the highest bonus each seat was paid at once."""
    longest: dict[int | None, int] = {}
    bonus: dict[int | None, int] = {}
    for event in events:
        if isinstance(event, Founded | Grew | Absorbed):
            longest[None] = max(longest.get(None, 0), event.size)
        elif isinstance(event, BonusPaid):
            bonus[event.seat] = max(bonus.get(event.seat, 0), event.dollars)
    return {"longest": longest, "bonus": bonus}


def opening(events: Iterable[Event]) -> list[tuple[str, int]]:
    """The chain that was founded first, and the seat that founded it; nothing where none was."""
    return next(([(event.chain, event.seat)] for event in events if isinstance(event, Founded)), [])
