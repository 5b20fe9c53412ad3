"""The answers that leave nothing to decide, as far as everybody can see it."""

from typing import Final

from .chains import CHAINS
from .legal import legal_moves
from .moves import BUY, Move
from .state import State
from .turning import may_declare_end

FORCES: Final = True


def forced(state: State) -> Move | None:
    """The one legal answer that public information forces; None where there is a choice, or a secret.

    That is a purchase where no share can be bought and the end cannot be declared. With hidden holdings
    an empty purse is a secret, and what a hand allows always is. Of one chain or one survivor the rules
    do not ask anyway.
    """
    if state.decision.kind == "buy" and not may_declare_end(state) and not _may_afford_a_share(state):
        return BUY[(), False]
    return None


def _may_afford_a_share(state: State) -> bool:
    """Whether the seat on turn can buy a share, or for all that the others know could."""
    if state.rules.holdings == "open":
        return len(legal_moves(state)) > 1
    return any(state.size[chain] and state.bank[chain] for chain in CHAINS)
