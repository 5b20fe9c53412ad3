"""Legal moves."""

from collections.abc import Sequence
from typing import Any, Final

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_NAMES, CHAINS, SHARES
from games.engine.rules.acquire.mergers import largest
from games.engine.rules.acquire.moves import (
    FOUND,
    MAX_BOUGHT,
    NEXT,
    PASS,
    REDRAW,
    SURVIVOR,
    Buy,
    Dispose,
    Found,
    Move,
    Next,
    Place,
    Survivor,
    disposals,
    purchases,
)
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.tile_placement import tile_effect
from games.engine.rules.acquire.turns import may_declare_end, may_redraw
from games.engine.rules.rule_errors import IllegalMove

# For each chain and each number of shares in the bank, the bits that `purchases` reads.
_STOCK_BITS: Final = [
    [min(count, MAX_BOUGHT) << 2 * chain for count in range(SHARES + 1)] for chain in range(len(CHAIN_NAMES))
]


def legal_moves(state: State) -> Sequence[Move]:
    """Every move that answers the decision; empty when the game is over.

    The sequence is shared and must not be changed.
    """
    kind = state.decision.kind
    if kind == "place":
        return state.playable
    if kind == "buy":
        return _purchases(state)
    if kind == "dispose":
        held = state.holdings[state.defunct][state.decision.seat]
        return disposals(held, min(held // 2, state.bank[state.survivor]))
    if kind == "found":
        return tuple([FOUND[chain] for chain in CHAINS if not state.size[chain]])
    if kind == "survivor":
        return tuple([SURVIVOR[chain] for chain in largest(state)])
    if kind == "next":
        return tuple([NEXT[chain] for chain in largest(state)])
    if kind == "stuck":
        return (REDRAW, PASS) if may_redraw(state) else (PASS,)
    return ()


def _purchases(state: State) -> Sequence[Buy]:
    bank, prices, cash = state.bank, state.rules.prices, state.cash[state.turn]
    price_of = [0] * len(CHAIN_NAMES)
    stock = dearest = 0
    for chain, tiles in enumerate(state.size):
        if tiles and bank[chain]:
            price = prices[chain][tiles]
            if price <= cash:
                price_of[chain] = price
                stock |= _STOCK_BITS[chain][bank[chain]]
                if price > dearest:
                    dearest = price
    moves = purchases(stock)[may_declare_end(state)]
    if MAX_BOUGHT * dearest <= cash:
        return moves
    return tuple(
        [buy for buy in moves if price_of[buy.first] + price_of[buy.second] + price_of[buy.third] <= cash]
    )


def check_move(state: State, move: Move) -> None:
    """Raise IllegalMove, with the reason, unless the move answers the decision.

    The reasons: "over", "other decision", "not in hand", "dead", "blocked", "chain on the board",
    "not among the largest", "too few held", "too few to trade for", "not on the board",
    "too few in the bank", "too dear", "end not allowed", "redraw not allowed".
    """
    if move not in legal_moves(state):
        reason, facts = _illegal_reason(state, move)
        raise IllegalMove(reason, **facts)


# The kinds of moves that answer a decision whose kind has another name.
_ANSWERS = {"stuck": ("redraw", "pass"), "over": ()}


def _illegal_reason(state: State, move: Move) -> tuple[str, dict[str, Any]]:
    kind = state.decision.kind
    if kind == "over":
        return "over", {}
    if move.kind not in _ANSWERS.get(kind, (kind,)):
        return "other decision", {"asked": kind, "given": move.kind}
    if isinstance(move, Place):
        return _illegal_tile_reason(state, move)
    if isinstance(move, Found):
        return "chain on the board", {"chain": CHAIN_NAMES[move.chain]}
    if isinstance(move, Survivor | Next):
        return "not among the largest", {"chain": CHAIN_NAMES[move.chain]}
    if isinstance(move, Dispose):
        return _illegal_disposal_reason(state, move)
    if isinstance(move, Buy):
        return _illegal_purchase_reason(state, move)
    return "redraw not allowed", {}


def _illegal_tile_reason(state: State, move: Place) -> tuple[str, dict[str, Any]]:
    tile = {"tile": SQUARE_NAMES[move.square]}
    if move.square not in state.hands[state.turn]:
        return "not in hand", tile
    return tile_effect(state, move.square).kind, tile


def _illegal_disposal_reason(state: State, move: Dispose) -> tuple[str, dict[str, Any]]:
    held = state.holdings[state.defunct][state.decision.seat]
    if move.sell + move.trade > held:
        return "too few held", {"chain": CHAIN_NAMES[state.defunct], "held": held}
    return "too few to trade for", {"chain": CHAIN_NAMES[state.survivor], "stock": state.bank[state.survivor]}


def _illegal_purchase_reason(state: State, move: Buy) -> tuple[str, dict[str, Any]]:
    for chain in move.shares:
        if not state.size[chain]:
            return "not on the board", {"chain": CHAIN_NAMES[chain]}
        if state.bank[chain] < move.shares.count(chain):
            return "too few in the bank", {"chain": CHAIN_NAMES[chain], "stock": state.bank[chain]}
    cash = state.cash[state.turn]
    dollars = sum(state.rules.prices[chain][state.size[chain]] for chain in move.shares)
    if dollars > cash:
        return "too dear", {"dollars": dollars, "cash": cash}
    return "end not allowed", {}
