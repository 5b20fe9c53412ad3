"""Facts about a finished game: turns of each seat, marks for records, and the opening."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from games.engine.rules.acquire.events import Absorbed, BonusPaid, ChainGrew, Event, Founded, Passed, Placed

# The first words of the moves that begin a turn, and the kinds of decision before one.
FIRST_MOVES: Final = ("place", "pass")
FIRST_DECISIONS: Final = ("place", "stuck")

# In the order in which they are displayed. More is better.
RECORD_KINDS: Final = ("longest", "bonus")


def turns(events: Iterable[Event]) -> Mapping[int, int]:
    """The number of turns of each seat that had any; a turn begins with a tile or a pass."""
    return Counter(event.seat for event in events if isinstance(event, Placed | Passed))


def record_marks(events: Iterable[Event]) -> dict[str, dict[int | None, int]]:
    """The size of the longest chain, which is nobody's, and the highest single bonus of each seat."""
    longest: dict[int | None, int] = {}
    bonus: dict[int | None, int] = {}
    for event in events:
        if isinstance(event, Founded | ChainGrew | Absorbed):
            longest[None] = max(longest.get(None, 0), event.size)
        elif isinstance(event, BonusPaid):
            bonus[event.seat] = max(bonus.get(event.seat, 0), event.dollars)
    return {"longest": longest, "bonus": bonus}


def opening(events: Iterable[Event]) -> list[tuple[str, int]]:
    """The chain that was founded first, and the seat that founded it; empty if none was."""
    return next(([(event.chain, event.seat)] for event in events if isinstance(event, Founded)), [])
