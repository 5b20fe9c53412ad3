"""Legal moves."""

from collections.abc import Sequence
from typing import Any, Final

from games.engine.rules.acquisition.board import EMPTY, PARK, SQUARE_NAMES, group
from games.engine.rules.acquisition.moves import BUY_OUT, DECLINE, Move, Park, Place
from games.engine.rules.acquisition.state import State
from games.engine.rules.rule_errors import IllegalMove

_TO_BUYOUT: Final = (BUY_OUT, DECLINE)


def legal_moves(state: State) -> Sequence[Move]:
    """Every move that answers the decision; empty when the game is over.

    The sequence is shared and must not be changed.
    """
    kind = state.decision.kind
    if kind in ("place", "park"):
        return state.open
    return _TO_BUYOUT if kind == "buyout" else ()


def check_move(state: State, move: Move) -> None:
    """Raise IllegalMove, with the reason, unless the move answers the decision.

    The reasons: "over", "other decision", "park there", "tile there", "symmetrical", "too large".
    """
    if move not in legal_moves(state):
        reason, facts = _illegal_reason(state, move)
        raise IllegalMove(reason, **facts)


# The kinds of moves that answer a decision whose kind has another name.
_ANSWERS: Final = {"buyout": ("buyout", "decline")}


def _illegal_reason(state: State, move: Move) -> tuple[str, dict[str, Any]]:
    kind = state.decision.kind
    if kind == "over":
        return "over", {}
    if move.kind not in _ANSWERS.get(kind, (kind,)):
        return "other decision", {"asked": kind, "given": move.kind}
    assert isinstance(move, Park | Place)
    square = {"square": SQUARE_NAMES[move.square]}
    value = state.board[move.square]
    if value == PARK:
        return "park there", square
    if value != EMPTY:
        return "tile there", {**square, "owner": value - 1}
    if isinstance(move, Park):
        return "symmetrical", square
    return "too large", {**square, "size": len(group(state.board, move.square))}
