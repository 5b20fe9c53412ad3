"""The reader's tiles and their effects."""

from dataclasses import dataclass

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect, tile_effect
from games.web.presenters.acquire import tile_effect_text


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: its name, its effect in a few words and in a sentence, and whether it can be chosen.

    An `idle` tile cannot be placed on this board.
    """

    name: str
    does: str
    why: str
    choose: bool
    idle: bool


def tile_effects(seen: Observation) -> dict[int, TileEffect]:
    """The effects of the observer's tiles, in the order of the board."""
    return {square: tile_effect(seen, square) for square in seen.hand or ()}


def hand(seen: Observation, known: dict[int, TileEffect], *, choosing: bool) -> list[Tile]:
    """The tiles for a template; `choosing` while one of them is to be placed."""
    return [
        Tile(
            SQUARE_NAMES[square],
            tile_effect_text.short(seen, fate),
            tile_effect_text.consequence(seen, fate),
            choosing and fate.kind in tile_effect_text.PLAYABLE,
            fate.kind not in tile_effect_text.PLAYABLE,
        )
        for square, fate in known.items()
    ]
