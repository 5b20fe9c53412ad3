"""Names of bots at a table."""

from collections.abc import Collection
from random import SystemRandom

# Short, and no member's name.
NICKNAMES = (
    "Rook",
    "Mogul",
    "Ledger",
    "Baron",
    "Penny",
    "Tycoon",
    "Ticker",
    "Magnate",
    "Bellhop",
    "Concierge",
)


def free_nicknames(taken: Collection[str], count: int) -> list[str]:
    """Random nicknames that nobody at the table has."""
    return SystemRandom().sample([name for name in NICKNAMES if name not in taken], count)
