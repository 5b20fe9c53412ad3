"""Standing orders for mergers of Acquire, on shares of a defunct chain."""

from games.engine.standing_orders.acquire.merger_order import order_from_json, order_to_json, passes_on, topic
from games.engine.standing_orders.acquire.order_decision import answer, concerned, occasion, of_use

__all__ = [
    "answer",
    "concerned",
    "occasion",
    "of_use",
    "order_from_json",
    "order_to_json",
    "passes_on",
    "topic",
]
