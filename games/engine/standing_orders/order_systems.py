"""Standing orders, by rule system: decisions that players want answered without being asked.

A rule system with standing orders has a package with

of_use(rules)       whether orders can answer anything in a game with these options
order_from_json(record), order_to_json(order)
                    an order from plain values, and back; InvalidOrder if it is not one
about(order)        its subject, in a word: a player has at most one order for each subject
concerned(seen)     the subjects of orders that may answer the observer's decision, in the order in which
                    they are tried; empty if no order can
passes_on(order)    whether the next available order is tried if this one cannot be followed exactly
occasion(seen)      identifies this occasion to use an order
answer(order, seen) the order's move for the decision, or `OwnerMustDecide` if it cannot be followed
                    exactly

All are pure. `seen` is the observation of the owner's own seat: an order knows only what its owner sees.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from games.engine.standing_orders.acquire import order_system as acquire
from games.engine.standing_orders.order_errors import OwnerMustDecide

ORDERS: Final[dict[str, ModuleType]] = {"acquire": acquire}


def order_answer(system: str, orders: Mapping[str, Any], seen: Any) -> list[tuple[str, Any]]:
    """Try the owner's orders for the decision in the observation.

    `orders` are the available ones, by subject. Returns the subject and the move or `OwnerMustDecide` of each
    order that was tried, in turn: the last one counts. The list is empty if no order applies.
    """
    kind, tried = ORDERS[system], []
    for about in kind.concerned(seen):
        if about in orders:
            found = kind.answer(orders[about], seen)
            tried.append((about, found))
            if not (isinstance(found, OwnerMustDecide) and kind.passes_on(orders[about])):
                break
    return tried
