"""Moves that need no question: from a standing order or plan, or forced.

Nothing here reads the database: orders and plans come from the caller's `MoveSources`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.rule_systems import SYSTEMS
from games.engine.standing_orders import order_systems
from games.engine.standing_orders.order_systems import ORDERS

# Origins of a ready move.
ORDER: Final = "order"
PLAN: Final = "plan"
FORCED: Final = "forced"


class MoveSources(Protocol):
    """The orders and plans of the player who must decide."""

    @property
    def skips(self) -> bool:
        """Return whether forced moves are made without asking in this game."""

    def orders(self, occasion: str) -> Mapping[str, Any]:
        """The standing orders that are available for this occasion, by topic."""

    def mark_used(self, topic: str, occasion: str) -> None:
        """Mark the order as used on this occasion, whether it had an answer or its owner must decide."""

    def plan(self) -> Any:
        """The plan that still stands, or None."""

    def stop(self, reason: OwnerMustDecide) -> None:
        """Stop following the plan, as it cannot be carried out exactly."""


def _order_answer(system: str, state: Any, store: MoveSources) -> Any:
    """The answer of a standing order."""
    if system not in ORDERS:
        return None
    rules = SYSTEMS[system]
    seen = rules.observe(state, rules.decider(state))
    if not ORDERS[system].concerned(seen):
        return None
    occasion = ORDERS[system].occasion(seen)
    tried = order_systems.order_answer(system, store.orders(occasion), seen)
    for topic, _found in tried:
        store.mark_used(topic, occasion)
    return tried[-1][1] if tried else None


def _plan_answer(system: str, state: Any, store: MoveSources) -> Any:
    """The answer of a plan."""
    plan = store.plan()
    if plan is None:
        return None
    rules = SYSTEMS[system]
    found = PLANS[system].answer(plan, rules.observe(state, rules.decider(state), memory=True))
    if isinstance(found, OwnerMustDecide):
        store.stop(found)
    return found


def _forced_answer(system: str, state: Any, store: MoveSources) -> Any:
    """The forced move, unless the host wanted every decision to be asked."""
    return SYSTEMS[system].forced_move(state) if store.skips else None


# Each source returns a move, `OwnerMustDecide` or None. It uses only what the deciding seat may know. The
# first source with a move wins.
SOURCES: Final[list[tuple[Callable[[str, Any, MoveSources], Any], str]]] = [
    (_order_answer, ORDER),
    (_plan_answer, PLAN),
    (_forced_answer, FORCED),
]


def ready_answer(system: str, state: Any, store: MoveSources) -> tuple[Any, str] | None:
    """Return the move that is ready for the current decision and its origin, or None."""
    for source, origin in SOURCES:
        move = source(system, state, store)
        if move is not None and not isinstance(move, OwnerMustDecide):
            # The site makes a forced move for everybody, so one made by its player would reveal the plan.
            return move, origin if _forced_answer(system, state, store) is None else FORCED
    return None
