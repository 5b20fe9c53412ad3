"""Drawings of what an answer would do to the board: the chain there will be, and those that go defunct."""

from collections.abc import Iterator, Sequence

from django.utils.safestring import SafeString

from games.engine.rules.acquire.board import COLUMNS, ROWS, SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_NAMES
from games.engine.rules.acquire.moves import Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect, joined_squares
from games.web.presenters.acquire.merger_preview import defunct_chains
from games.web.presenters.board_shapes import outcome_svg
from games.web.presenters.table_people import TablePeople

_DRAWN = ("founds", "grows", "merges")


def outcomes(seen: Observation, people: TablePeople, known: dict[int, TileEffect]) -> list[SafeString]:
    """A drawing for each of the reader's answers that makes a chain, shown while it is chosen.

    `known` are the effects of the reader's tiles.
    """
    if not people.decides(seen.decision.seat):
        return []
    return [
        outcome_svg(
            COLUMNS,
            len(ROWS),
            answer,
            joined_squares(seen, tile),
            [square for square, chain in enumerate(seen.board) if chain in defunct],
        )
        for answer, tile, defunct in _answers(seen, known)
    ]


def _answers(seen: Observation, known: dict[int, TileEffect]) -> Iterator[tuple[str, int, Sequence[int]]]:
    """The key of each answer, the tile that joins, and the chains that are sure to go defunct."""
    if seen.decision.kind == "place":
        for square, fate in known.items():
            if fate.kind in _DRAWN:
                yield SQUARE_NAMES[square], square, defunct_chains(fate) if len(fate.survivors) == 1 else ()
    for move in seen.legal:
        if isinstance(move, Survivor):
            defunct = [number for number in seen.queue if number != move.chain]
            yield CHAIN_NAMES[move.chain], seen.tile, defunct
