"""Check that a plan is possible now."""

from games.engine.planned_turns.acquire.turn_plan import Plan
from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import tile_effect


def check(plan: Plan, seen: Observation) -> None:
    """Raise InvalidPlan unless the observer may plan this now: a whole turn, or the rest of the current one.

    The reasons: "over", "choose a tile", "not in hand" and "dead" (tile), "under way" (the tile of this turn
    is already placed), "nothing planned".
    """
    if seen.ended or seen.hand is None:
        raise InvalidPlan("over")
    if is_under_way(seen):
        if plan.square is not None:
            raise InvalidPlan("under way")
        if not plan.answers and not plan.end:
            raise InvalidPlan("nothing planned")
        return
    if plan.square is None:
        raise InvalidPlan("choose a tile")
    if plan.square not in seen.hand:
        raise InvalidPlan("not in hand", tile=SQUARE_NAMES[plan.square])
    if tile_effect(seen, plan.square).kind == "dead":
        raise InvalidPlan("dead", tile=SQUARE_NAMES[plan.square])


def is_under_way(seen: Observation) -> bool:
    """Return whether it is the observer's turn and its tile is already placed, or passed over."""
    return seen.turn == seen.seat and not seen.ended and seen.decision.kind not in ("place", "stuck")
