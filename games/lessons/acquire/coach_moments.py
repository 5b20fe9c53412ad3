"""Moments of a game of Acquire at which a coach mark helps, from what the reader sees."""

from collections.abc import Callable
from typing import Final

from games.engine.rules.acquire.chains import CHAINS, SAFE
from games.engine.rules.acquire.moves import Buy
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import tile_effect


def coach_moments(seen: Observation) -> list[str]:
    """The names of the coach marks that fit the reader's decision, the most important first."""
    return [name for name, fits in MOMENTS.items() if seen.legal and fits(seen)]


def safe_chains(seen: Observation) -> list[int]:
    """The safe chains on the board."""
    return [chain for chain in CHAINS if seen.size[chain] >= SAFE]


def tiles_that(seen: Observation, kind: str) -> list[int]:
    """The reader's tiles with this effect."""
    return [square for square in seen.hand or () if tile_effect(seen, square).kind == kind]


def _asks(kind: str) -> Callable[[Observation], bool]:
    return lambda seen: seen.decision.kind == kind


def _holds_tile_that(kind: str) -> Callable[[Observation], bool]:
    return lambda seen: seen.decision.kind == "place" and bool(tiles_that(seen, kind))


def _can_buy(seen: Observation) -> bool:
    return any(isinstance(move, Buy) and move.shares for move in seen.legal)


def _can_end(seen: Observation) -> bool:
    return any(isinstance(move, Buy) and move.end for move in seen.legal)


def _buys_more(seen: Observation) -> bool:
    """Return whether the reader can buy and holds shares of a chain on the board already."""
    assert seen.seat is not None
    return _can_buy(seen) and any(seen.size[chain] and seen.holdings[chain][seen.seat] for chain in CHAINS)


def _sees_safe_chain(seen: Observation) -> bool:
    return seen.decision.kind in ("place", "buy") and bool(safe_chains(seen))


# In the order of importance: how to answer, then what this answer can lead to, then what is on the board.
MOMENTS: Final[dict[str, Callable[[Observation], bool]]] = {
    "found": _asks("found"),
    "survivor": _asks("survivor"),
    "dispose": _asks("dispose"),
    "end": _can_end,
    "place": _asks("place"),
    "buy": _can_buy,
    "merge": _holds_tile_that("merges"),
    "dead": _holds_tile_that("dead"),
    "blocked": _holds_tile_that("blocked"),
    "safe": _sees_safe_chain,
    "chain": _holds_tile_that("grows"),
    "bonuses": _buys_more,
}
