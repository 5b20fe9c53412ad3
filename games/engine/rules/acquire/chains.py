"""The seven chains, their tiers and share prices."""

from bisect import bisect_right
from functools import cache
from typing import Final

from games.engine.rules.acquire.board import SQUARES

CHAIN_NAMES: Final = ("", "tower", "continental", "american", "imperial", "festival", "luxor", "worldwide")
CHAINS: Final = range(1, len(CHAIN_NAMES))
CHAIN_BY_NAME: Final = {name: chain for chain, name in enumerate(CHAIN_NAMES) if name}
CHAIN_LETTERS: Final = ".TCAIFLW"

SHARES: Final = 25
SAFE: Final = 11
END_SIZE: Final = 41

# The tiers from low to high. The order within a tier decides which of two chains of
# the same size is scored first.
TIERS: Final = {
    "2008": (("worldwide", "luxor"), ("festival", "imperial", "american"), ("continental", "tower")),
    "1962": (("luxor", "tower"), ("american", "festival", "worldwide"), ("continental", "imperial")),
}

# A chain's price rises by $100 when it reaches each of these sizes.
STEPS: Final = (2, 3, 4, 5, 6, 11, 21, 31, 41)


def price(tier: int, size: int) -> int:
    """Dollars for one share of a chain of this size; tier 0 is low, 2 is high."""
    step = bisect_right(STEPS, size)
    return 100 * (tier + 1 + step) if step else 0


@cache
def price_table(tiers: str) -> tuple[tuple[int, ...], ...]:
    """Dollars by chain and size: `price_table("2008")[chain][size]`."""
    table: list[tuple[int, ...]] = [()] * len(CHAIN_NAMES)
    for tier, names in enumerate(TIERS[tiers]):
        for name in names:
            table[CHAIN_BY_NAME[name]] = tuple(price(tier, size) for size in range(len(SQUARES) + 1))
    return tuple(table)


def scoring_order(tiers: str) -> tuple[int, ...]:
    """The chains from the low tier to the high one, as the tiers are listed."""
    return tuple(CHAIN_BY_NAME[name] for names in TIERS[tiers] for name in names)


def chain_label(tiers: str, chain: int) -> str:
    """The displayed name of a chain: the purple one is Sackson in the tiers of 2008, Luxor in 1962."""
    if CHAIN_NAMES[chain] == "luxor" and tiers == "2008":
        return "Sackson"
    return CHAIN_NAMES[chain].capitalize()
