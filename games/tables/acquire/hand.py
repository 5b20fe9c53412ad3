"""The reader's own tiles and what each of them would do."""

from dataclasses import dataclass

from games.rules import acquire
from games.rules.acquire import Effect, Observation

from . import effects


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile: its name, what it would do in few words and in a sentence, whether it can be chosen.

    `idle` tells that it cannot be placed on this board.
    """

    name: str
    does: str
    why: str
    choose: bool
    idle: bool


def fates(seen: Observation) -> dict[int, Effect]:
    """What each tile of the observer's hand would do, in the order of the board."""
    return {square: acquire.effect(seen, square) for square in seen.hand or ()}


def hand(seen: Observation, known: dict[int, Effect], *, choosing: bool) -> list[Tile]:
    """The tiles for a template; `choosing` while one of them is to be placed."""
    return [
        Tile(
            acquire.SQUARE_NAMES[square],
            effects.short(seen, fate),
            effects.consequence(seen, fate),
            choosing and fate.kind in effects.PLAYABLE,
            fate.kind not in effects.PLAYABLE,
        )
        for square, fate in known.items()
    ]
