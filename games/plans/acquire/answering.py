"""A plan's answer to what is asked, or why its owner must be asked.

Whether a move is legal is for the rules to say, so the plan is tried on a state that fits what its owner
sees. The tile is placed only if the rest of the turn can follow, as far as that can be seen before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.rules.acquire import (
    CHAINS,
    EMPTY,
    NEIGHBOURS,
    SQUARE_NAMES,
    Buy,
    Move,
    Observation,
    Rules,
    State,
    apply,
    check,
    determinize,
    effect,
    legal_moves,
    parse_move,
)
from games.rules.errors import IllegalMove

from ..asking import Ask
from .plan import Plan, opening

# What a plan that only declares the end does.
_END: Final = parse_move("buy nothing and end")


def answer(plan: Plan, seen: Observation) -> Move | Ask | None:
    """What the plan has for the decision asked of the observer.

    None when that is not the observer's own turn, or the plan leaves the decision to its owner. The reasons
    to ask: "stuck" (no tile can be placed), "changed" (tile, square), "does something else" (tile), and those
    with which the rules refuse a move. Raises ValueError where holdings are hidden and not remembered.
    """
    if seen.seat is None or seen.turn != seen.seat or not seen.legal:
        return None
    kind = seen.decision.kind
    if kind == "stuck":
        return None if plan.square is None else Ask("stuck")
    state = determinize(seen, Random(0))
    if kind == "place":
        return None if plan.square is None else _tile(plan, plan.square, seen, state)
    return None if _is_for_another_tile(plan, seen) else _part(plan, state)


def proposal(plan: Plan, seen: Observation) -> Move | None:
    """What the plan wished for the decision asked of the observer if it is legal, whatever has changed."""
    if seen.turn != seen.seat or not seen.legal:
        return None
    if seen.decision.kind == "place":
        return next((move for move in seen.legal if move.square == plan.square), None)  # type: ignore[attr-defined]
    return None if _is_for_another_tile(plan, seen) else _first_legal(plan, seen.decision.kind, seen.legal)


def _is_for_another_tile(plan: Plan, seen: Observation) -> bool:
    """Whether the tile that is placed is another one than planned."""
    return plan.square is not None and seen.board[plan.square] == EMPTY


# -- The tile ----------------------------------------------------------------------------------------------


def _tile(plan: Plan, square: int, seen: Observation, state: State) -> Move | Ask:
    move = opening(plan)
    return _refused(state, move) or _change(plan, square, seen) or _trouble_ahead(plan, move, state) or move


@dataclass(frozen=True, slots=True)
class _Before:
    """What the owner saw of the board; enough to say what a tile would have done."""

    rules: Rules
    board: Sequence[int]

    @property
    def size(self) -> Sequence[int]:
        return [0, *(self.board.count(chain) for chain in CHAINS)]


def _change(plan: Plan, square: int, seen: Observation) -> Ask | None:
    """What has changed next to the tile since it was planned, if that matters."""
    if not plan.board:
        return None
    for neighbour in NEIGHBOURS[square]:
        if plan.board[neighbour] != seen.board[neighbour]:
            return Ask("changed", {"tile": SQUARE_NAMES[square], "square": SQUARE_NAMES[neighbour]})
    before, now = effect(_Before(seen.rules, plan.board), square), effect(seen, square)
    if (before.kind, before.chains, before.survivors) != (now.kind, now.chains, now.survivors):
        # Nothing new lies there, but a chain has outgrown another one elsewhere.
        return Ask("does something else", {"tile": SQUARE_NAMES[square]})
    return None


def _trouble_ahead(plan: Plan, tile: Move, state: State) -> Ask | None:
    """What of the rest of the turn could not follow; after a merger nobody knows the purchase before."""
    ahead = state.copy()
    merges = effect(state, tile.square).kind == "merges"  # type: ignore[attr-defined]
    apply(ahead, tile)
    while ahead.decision.kind in (("survivor",) if merges else ("found", "buy")):
        part = _part(plan, ahead)
        if isinstance(part, Ask):
            return part
        if part is None or merges or isinstance(part, Buy):
            return None
        apply(ahead, part)
    return None


# -- The rest of the turn ------------------------------------------------------------------------------------


def _part(plan: Plan, state: State) -> Move | Ask | None:
    """The answer in store, why it may not be given, or None when none is in store."""
    kind = state.decision.kind
    if move := _first_legal(plan, kind, legal_moves(state)):
        return move
    wanted = plan.answers.get(kind)
    return _refused(state, wanted[0]) if wanted else None


def _first_legal(plan: Plan, kind: str, legal: Sequence[Move]) -> Move | None:
    if plan.ends_alone and kind == "buy":
        return _END if _END in legal else None
    for move in plan.answers.get(kind, ()):
        if plan.end and isinstance(move, Buy) and (ending := _ending(move)) in legal:
            return ending
        if move in legal:
            return move
    return None


def _ending(purchase: Buy) -> Move:
    return purchase if purchase.end else parse_move(f"{purchase.text} and end")


def _refused(state: State, move: Move) -> Ask | None:
    try:
        check(state, move)
    except IllegalMove as error:
        return Ask(error.reason, error.facts)
    return None
