"""Themes of decisions, and the tier of the chain in question."""

from typing import Final

from games.engine.rules.acquire.chains import CHAIN_NAMES, TIERS
from games.engine.rules.acquire.moves import Buy, Found, Move, Next, Place, Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.tile_placement import tile_effect

# "merge" is a tile that merges, or the order in which chains go defunct, "end" a purchase with which the game
# could be ended.
THEMES: Final = ("place", "found", "merge", "dispose", "buy", "end")

_THEME_BY_KIND: Final = {
    "stuck": "place",
    "found": "found",
    "survivor": "merge",
    "next": "merge",
    "dispose": "dispose",
}
_THEME_BY_EFFECT: Final = {"founds": "found", "merges": "merge"}


def decision_theme(seen: Observation, move: Move) -> str:
    """The theme of the observer's decision, answered by this move: one of THEMES."""
    if isinstance(move, Place):
        return _THEME_BY_EFFECT.get(tile_effect(seen, move.square).kind, "place")
    if isinstance(move, Buy):
        return "end" if any(isinstance(other, Buy) and other.end for other in seen.legal) else "buy"
    return _THEME_BY_KIND[seen.decision.kind]


def decision_tier(seen: Observation, move: Move) -> int:
    """The tier of the chain that the move is about: 1 is low, 3 is high, 0 means that there is none.

    For a tile it is the chain that remains, for a purchase the one of the highest tier, and for shares of a
    chain that goes defunct that chain.
    """
    match move:
        case Place():
            chains = tile_effect(seen, move.square).chains[:1]
        case Buy():
            chains = move.shares
        case Found() | Survivor() | Next():
            chains = (move.chain,)
        case _:
            chains = (seen.defunct,) if seen.decision.kind == "dispose" else ()
    return max((_tier(seen.rules, chain) for chain in chains), default=0)


def _tier(rules: Rules, chain: int) -> int:
    name = CHAIN_NAMES[chain]
    return next(tier for tier, names in enumerate(TIERS[rules.tiers], start=1) if name in names)
