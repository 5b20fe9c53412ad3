"""Answers without asking: what somebody who is asked has in store, or cannot but answer.

Pure: what is in store, and what becomes of it, is a `Store` of the caller's.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from games import orders, plans
from games.orders import ORDERS
from games.plans import PLANS
from games.rules import SYSTEMS

# Where an answer comes from.
ORDER: Final = "order"
PLAN: Final = "plan"
FORCED: Final = "forced"


class Store(Protocol):
    """What the person who is asked has in store."""

    @property
    def skips(self) -> bool:
        """Whether what is forced is not asked in this game."""

    def orders(self, occasion: str) -> Mapping[str, Any]:
        """The standing orders that are there for this occasion, by what they are about."""

    def used(self, about: str, occasion: str) -> None:
        """The order about this was tried on this occasion, whether it had an answer or must ask."""

    def plan(self) -> Any:
        """The plan that still stands, or None."""

    def stop(self, reason: plans.Ask) -> None:
        """The plan cannot be followed to the letter: it is followed no further."""


def _ordered(system: str, state: Any, store: Store) -> Any:
    """The answer of a standing order."""
    if system not in ORDERS:
        return None
    rules = SYSTEMS[system]
    seen = rules.observe(state, rules.decider(state))
    if not ORDERS[system].concerned(seen):
        return None
    occasion = ORDERS[system].occasion(seen)
    tried = orders.follow(system, store.orders(occasion), seen)
    for about, _found in tried:
        store.used(about, occasion)
    return tried[-1][1] if tried else None


def _planned(system: str, state: Any, store: Store) -> Any:
    """The answer of a plan."""
    plan = store.plan()
    if plan is None:
        return None
    rules = SYSTEMS[system]
    found = PLANS[system].answer(plan, rules.observe(state, rules.decider(state), memory=True))
    if isinstance(found, plans.Ask):
        store.stop(found)
    return found


def _forced(system: str, state: Any, store: Store) -> Any:
    """The one answer that public information forces, unless the host wanted every decision asked."""
    return SYSTEMS[system].forced(state) if store.skips else None


# Each finds a move, an `Ask` or None by what the seat sees that is asked, and never by more. The first that
# finds a move counts.
SOURCES: Final[list[tuple[Callable[[str, Any, Store], Any], str]]] = [
    (_ordered, ORDER),
    (_planned, PLAN),
    (_forced, FORCED),
]


def ready_answer(system: str, state: Any, store: Store) -> tuple[Any, str] | None:
    """The move of whoever must decide in this state, if it is there already, and where it comes from."""
    for source, origin in SOURCES:
        move = source(system, state, store)
        if move is not None and not isinstance(move, (orders.Ask, plans.Ask)):
            return move, origin
    return None
