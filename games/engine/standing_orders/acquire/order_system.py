"""Standing orders for mergers of Acquire, on shares of a defunct chain."""

from games.engine.standing_orders.acquire.merger_order import about, order_from_json, order_to_json, passes_on
from games.engine.standing_orders.acquire.order_decision import answer, concerned, occasion, of_use

__all__ = [
    "about",
    "answer",
    "concerned",
    "occasion",
    "of_use",
    "order_from_json",
    "order_to_json",
    "passes_on",
]
