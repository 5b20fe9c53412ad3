"""Standing orders, by rule system: what players want answered without being asked.

The package of a rule system that knows orders offers

of_use(rules)       whether orders can answer anything in a game of these options
order_from_json(record), order_to_json(order)
                    an order out of plain values, and back; InvalidOrder unless it is one
about(order)        what it is about, in a word: a player has one order at most about each
concerned(seen)     what orders about may answer the decision asked of the observer, in the order in which
                    they are tried; nothing when no order can
passes_on(order)    whether the next that is there is tried when this one cannot be followed to the letter
occasion(seen)      what tells this occasion to use an order from all others
answer(order, seen) the move that it has for the decision, or an `Ask` when it cannot be followed to the
                    letter

All are pure. `seen` is the observation of the owner's own seat: an order knows what its owner sees, and no
more.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from . import acquire
from .asking import Ask, InvalidOrder

__all__ = ["ORDERS", "Ask", "InvalidOrder", "follow"]

ORDERS: Final[dict[str, ModuleType]] = {"acquire": acquire}


def follow(system: str, orders: Mapping[str, Any], seen: Any) -> list[tuple[str, Any]]:
    """What the owner's orders have for the decision in the observation.

    `orders` are those that are there, by what they are about. Returns each that is tried, in turn, as what it
    is about and its move or `Ask`: the last one counts, and nothing is tried when there is none.
    """
    kind, tried = ORDERS[system], []
    for about in kind.concerned(seen):
        if about in orders:
            found = kind.answer(orders[about], seen)
            tried.append((about, found))
            if not (isinstance(found, Ask) and kind.passes_on(orders[about])):
                break
    return tried
