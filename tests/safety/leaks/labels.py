"""Canaries: tiles that print as a label, so that a tile can be told from the square of its name.

All 108 names stand on every board, so to search a page for "7E" proves nothing about the tile 7E. Between
`installed` and its end every name of the rules has a label besides, and a tile that was read from the store
by its label goes through the rules as the number that it is, and comes out of them as its label: in the
store, in a page of its owner, in a log, in an error report. What lies on the board has its usual name.
"""

import re
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from games.engine.rules.acquire import moves
from games.engine.rules.acquire.board import SQUARE_BY_NAME, SQUARE_NAMES

_LENGTH = 16
_MARK = "ZQ"
# In upper or lower case.
_LABEL = re.compile(rb"(?i)ZQ[A-Z]{14}")


def label(word: str) -> str:
    """Return a label that nothing else has; the same word gives the same label."""
    digest = sha256(f"canary {word}".encode()).digest()
    return _MARK + "".join(chr(ord("A") + byte % 26) for byte in digest)[: _LENGTH - len(_MARK)]


def found(sent: bytes) -> set[str]:
    """Return all labels in some bytes."""
    return {match.decode().upper() for match in _LABEL.findall(sent)}


class Tile(int):
    """The number of a square, printed as its label."""

    label: str

    @classmethod
    def of(cls, square: int) -> "Tile":
        tile = cls(square)
        tile.label = label(SQUARE_NAMES[square])
        return tile

    def __repr__(self) -> str:
        return self.label

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return self.label


class _Names(tuple[str, ...]):
    """Names of the squares; tiles print as their label."""

    def __getitem__(self, square: Any) -> Any:
        return square.label if isinstance(square, Tile) else super().__getitem__(square)


@contextmanager
def installed() -> Iterator[None]:
    """Make the rules use labels for a while."""
    tiles = [Tile.of(square) for square in range(len(SQUARE_NAMES))]
    known = {tile.label: tile for tile in tiles}
    moves_of = {f"place {tile.label.lower()}": moves.PLACE[tile] for tile in tiles}
    names = SQUARE_NAMES
    holders = [
        (module, name)
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").startswith("games.")
        for name, value in list(vars(module).items())
        if value is names
    ]
    for module, name in holders:
        setattr(module, name, _Names(names))
    SQUARE_BY_NAME.update(known)
    moves._BY_TEXT.update(moves_of)
    try:
        yield
    finally:
        for module, name in holders:
            setattr(module, name, names)
        for text in known:
            del SQUARE_BY_NAME[text]
        for text in moves_of:
            del moves._BY_TEXT[text]


def labelled(state: dict[str, Any]) -> dict[str, Any]:
    """Return a stored state with labels for all tiles in hands and in the bag."""
    return {**state, "hands": [_marked(hand) for hand in state["hands"]], "bag": _marked(state["bag"])}


def _marked(text: str) -> str:
    return " ".join(name if name.startswith(_MARK) else label(name) for name in text.split())


def hidden(state: dict[str, Any], seat: int | None) -> set[str]:
    """Return the labels of the tiles that a seat, or a spectator, cannot see."""
    hands = [hand for owner, hand in enumerate(state["hands"]) if owner != seat]
    return set(" ".join([*hands, state["bag"]]).split())


def spellings(seed: bytes) -> Iterable[bytes]:
    """Spellings of a seed."""
    return (seed, seed.hex().encode(), b64encode(seed), repr(seed)[2:-1].encode())
