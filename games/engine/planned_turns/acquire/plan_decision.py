"""Answers of a plan, or the reason why its owner must decide.

Legality is decided by the rules, so the plan is tried on a state that fits what its owner sees. The tile is
placed only if the rest of the turn can follow, as far as that is known in advance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.acquire.turn_plan import Plan, opening
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.board import EMPTY, NEIGHBOURS, SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.legal_moves import check_move, legal_moves
from games.engine.rules.acquire.moves import Buy, Move, parse_move
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.tile_placement import tile_effect
from games.engine.rules.rule_errors import IllegalMove

# The move of a plan that only declares the end.
_END: Final = parse_move("buy nothing and end")


def answer(plan: Plan, seen: Observation) -> Move | OwnerMustDecide | None:
    """The plan's answer to the observer's decision.

    None outside the observer's own turn, or if the plan leaves the decision to its owner. The reasons for
    OwnerMustDecide: "stuck" (no tile can be placed), "changed" (tile, square), "does something else" (tile),
    and those of IllegalMove. Raises ValueError if holdings are hidden and the observation has no memory.
    """
    if seen.seat is None or seen.turn != seen.seat or not seen.legal:
        return None
    kind = seen.decision.kind
    if kind == "stuck":
        return None if plan.square is None else OwnerMustDecide("stuck")
    state = sample_state(seen, Random(0))
    if kind == "place":
        return None if plan.square is None else _planned_tile(plan, plan.square, seen, state)
    return None if _is_for_another_tile(plan, seen) else _planned_move(plan, state)


def proposal(plan: Plan, seen: Observation) -> Move | None:
    """The planned answer to the observer's decision if it is legal, even if the board has changed."""
    if seen.turn != seen.seat or not seen.legal:
        return None
    if seen.decision.kind == "place":
        return next((move for move in seen.legal if move.square == plan.square), None)  # type: ignore[attr-defined]
    return None if _is_for_another_tile(plan, seen) else _first_legal(plan, seen.decision.kind, seen.legal)


def _is_for_another_tile(plan: Plan, seen: Observation) -> bool:
    """Return whether another tile than planned has been placed."""
    return plan.square is not None and seen.board[plan.square] == EMPTY


# -- The tile ----------------------------------------------------------------------------------------------


def _planned_tile(plan: Plan, square: int, seen: Observation, state: State) -> Move | OwnerMustDecide:
    move = opening(plan)
    return (
        _reason_if_illegal(state, move)
        or _change_near_tile(plan, square, seen)
        or _trouble_ahead(plan, move, state)
        or move
    )


@dataclass(frozen=True, slots=True)
class _Before:
    """The board that the owner saw, for `tile_effect`."""

    rules: Rules
    board: Sequence[int]

    @property
    def size(self) -> Sequence[int]:
        return [0, *(self.board.count(chain) for chain in CHAINS)]


def _change_near_tile(plan: Plan, square: int, seen: Observation) -> OwnerMustDecide | None:
    """The reason to stop if a relevant change happened next to the tile since it was planned."""
    if not plan.board:
        return None
    for neighbour in NEIGHBOURS[square]:
        if plan.board[neighbour] != seen.board[neighbour]:
            return OwnerMustDecide(
                "changed", {"tile": SQUARE_NAMES[square], "square": SQUARE_NAMES[neighbour]}
            )
    before, now = tile_effect(_Before(seen.rules, plan.board), square), tile_effect(seen, square)
    if (before.kind, before.chains, before.survivors) != (now.kind, now.chains, now.survivors):
        # The neighbours are unchanged, but a chain has outgrown another elsewhere.
        return OwnerMustDecide("does something else", {"tile": SQUARE_NAMES[square]})
    return None


def _trouble_ahead(plan: Plan, tile: Move, state: State) -> OwnerMustDecide | None:
    """The reason why the rest of the turn could not follow; a purchase after a merger is not predictable."""
    ahead = state.copy()
    merges = tile_effect(state, tile.square).kind == "merges"  # type: ignore[attr-defined]
    apply(ahead, tile)
    while ahead.decision.kind in (("survivor",) if merges else ("found", "buy")):
        part = _planned_move(plan, ahead)
        if isinstance(part, OwnerMustDecide):
            return part
        if part is None or merges or isinstance(part, Buy):
            return None
        apply(ahead, part)
    return None


# -- The rest of the turn ------------------------------------------------------------------------------------


def _planned_move(plan: Plan, state: State) -> Move | OwnerMustDecide | None:
    """The plan's move, the reason why it is not allowed, or None if none is planned."""
    kind = state.decision.kind
    if move := _first_legal(plan, kind, legal_moves(state)):
        return move
    wanted = plan.answers.get(kind)
    return _reason_if_illegal(state, wanted[0]) if wanted else None


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


def _reason_if_illegal(state: State, move: Move) -> OwnerMustDecide | None:
    try:
        check_move(state, move)
    except IllegalMove as error:
        return OwnerMustDecide(error.reason, error.facts)
    return None
