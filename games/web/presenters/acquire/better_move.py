"""Drawings on the board of a game review of what a better move was about."""

from collections.abc import Collection

from django.utils.safestring import SafeString

from games.engine.rules.acquire.board import COLUMNS, ROWS
from games.engine.rules.acquire.moves import Buy, Dispose, Found, Move, Next, Place, Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import joined_squares, tile_effect
from games.web.presenters.board_shapes import better_svg

_MAKES_A_CHAIN = ("founds", "grows", "merges")


def better_move(seen: Observation, move: Move) -> SafeString:
    """A drawing for the board of what the move would have done, or which chains it is about.

    `seen` is what its player saw before it.
    """
    if isinstance(move, Place):
        effect = tile_effect(seen, move.square)
        joined = joined_squares(seen, move.square) if effect.kind in _MAKES_A_CHAIN else set()
        defunct = effect.chains[1:] if len(effect.survivors) == 1 else ()
        return _drawn(joined, _squares(seen, defunct), move.square)
    if isinstance(move, Survivor):
        gone = [chain for chain in seen.queue if chain != move.chain]
        return _drawn(joined_squares(seen, seen.tile), _squares(seen, gone))
    if isinstance(move, Found):
        return _drawn(joined_squares(seen, seen.tile))
    if isinstance(move, Dispose):
        return _drawn(_squares(seen, [seen.survivor]), _squares(seen, [seen.defunct]))
    if isinstance(move, Next):
        return _drawn(_squares(seen, [move.chain]))
    return _drawn(_squares(seen, move.shares) if isinstance(move, Buy) else ())


def _squares(seen: Observation, chains: Collection[int]) -> list[int]:
    return [square for square, chain in enumerate(seen.board) if chain in chains]


def _drawn(joined: Collection[int], defunct: Collection[int] = (), tile: int | None = None) -> SafeString:
    return better_svg(COLUMNS, len(ROWS), joined, defunct, tile)
