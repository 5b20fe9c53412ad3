"""Random numbers of a game, drawn from one secret seed of 32 bytes.

Every random number is SHA-256 of the seed followed by the ASCII text
"label counter attempt", read as a big-endian number and reduced without bias.
The rules have no other randomness. With the seed, anybody can repeat the deal in
any language; with its SHA-256, anybody can check the seed later.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_SPAN = 1 << 256


def seed_hash(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hexadecimal, which can be published before the game starts."""
    return sha256(seed).hexdigest()


def random_below(seed: bytes, label: str, counter: int, below: int) -> int:
    """Random number `counter` of the label; each value from 0 to `below` - 1 is equally likely."""
    attempt = 0
    while True:
        digest = sha256(b"%b%b %d %d" % (seed, label.encode("ascii"), counter, attempt)).digest()
        value = int.from_bytes(digest, "big")
        rest = value % below
        # Values past the last whole multiple of `below` would favour the small results.
        if value - rest <= _SPAN - below:
            return rest
        attempt += 1


def shuffled(seed: bytes, label: str, items: Iterable[T]) -> list[T]:
    """The items in the order given by the seed: a Fisher–Yates shuffle from the last place down.

    The swap for the last place uses number 0 of the label, the next one number 1, and so on.
    """
    order = list(items)
    for counter, last in enumerate(range(len(order) - 1, 0, -1)):
        other = random_below(seed, label, counter, last + 1)
        order[last], order[other] = order[other], order[last]
    return order
