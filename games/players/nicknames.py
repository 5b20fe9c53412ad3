"""Nicknames of bots at a table."""

from collections.abc import Collection
from random import SystemRandom

# Reserved: no member can take one.
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
    """Random nicknames that are free at the table."""
    return SystemRandom().sample([name for name in NICKNAMES if name not in taken], count)
