"""From which share of the win that a decision gives away it is a slip, a mistake or a blunder."""

from typing import Final

# A move that loses less than this counts as good as the best one.
SLIP: Final = 0.02
MISTAKE: Final = 0.05
BLUNDER: Final = 0.1


def severity(lost: float) -> str:
    """Name a decision by the share of the win that it gave away; empty for less than a slip."""
    steps = (("blunder", BLUNDER), ("mistake", MISTAKE), ("slip", SLIP))
    return next((name for name, least in steps if lost >= least), "")
