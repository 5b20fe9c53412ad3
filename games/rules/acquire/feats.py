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


def feats(events: Iterable[Event]) -> dict[str, tuple[int, int | None]]:
    """The size of the longest chain, and the highest bonus paid at once with the seat that got it.

    What nobody had is missing; a chain belongs to nobody.
    """
    longest, bonus, by = 0, 0, None
    for event in events:
        if isinstance(event, Founded | Grew | Absorbed):
            longest = max(longest, event.size)
        elif isinstance(event, BonusPaid) and event.dollars > bonus:
            bonus, by = event.dollars, event.seat
    found = {"longest": (longest, None), "bonus": (bonus, by)}
    return {name: (number, seat) for name, (number, seat) in found.items() if number}


def opening(events: Iterable[Event]) -> list[tuple[str, int]]:
    """The chain that was founded first, and the seat that founded it; nothing where none was."""
    return next(([(event.chain, event.seat)] for event in events if isinstance(event, Founded)), [])
