"""Forced moves, as far as public information forces them."""

from typing import Final

from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import BUY, Move
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import may_declare_end

HAS_FORCED_MOVES: Final = True


def forced_move(state: State) -> Move | None:
    """The only legal move, when public information shows that it is the only one; else None.

    This is an empty purchase when no share can be bought and the end cannot be declared. With hidden
    holdings, a lack of cash is secret; what a hand allows is always secret. A choice with only one
    chain or survivor is never asked in the first place.
    """
    if state.decision.kind == "buy" and not may_declare_end(state) and not _may_afford_a_share(state):
        return BUY[(), False]
    return None


def _may_afford_a_share(state: State) -> bool:
    """Return whether the seat on turn can buy a share or, with hidden holdings, possibly could."""
    if state.rules.holdings == "open":
        return len(legal_moves(state)) > 1
    return any(state.size[chain] and state.bank[chain] for chain in CHAINS)
