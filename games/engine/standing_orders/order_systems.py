"""Standing orders, by rule system: decisions that players want answered without being asked.

A rule system with standing orders has a package with

of_use(rules)       whether orders can answer anything in a game with these options
order_from_json(record), order_to_json(order)
                    an order from plain values, and back; InvalidOrder if it is not one
topic(order)        its topic, in a word: a player has at most one order on each topic
concerned(seen)     the topics of orders that may answer the observer's decision, in the order in which
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

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.standing_orders.acquire import order_system as acquire

ORDERS: Final[dict[str, ModuleType]] = {"acquire": acquire}


def order_answer(system: str, orders: Mapping[str, Any], seen: Any) -> list[tuple[str, Any]]:
    """Try the owner's orders for the decision in the observation.

    `orders` are the available ones, by topic. Returns the topic and the move or `OwnerMustDecide` of each
    order that was tried, in turn: the last one counts. The list is empty if no order applies.
    """
    kind, tried = ORDERS[system], []
    for topic in kind.concerned(seen):
        if topic in orders:
            found = kind.answer(orders[topic], seen)
            tried.append((topic, found))
            if not (isinstance(found, OwnerMustDecide) and kind.passes_on(orders[topic])):
                break
    return tried
