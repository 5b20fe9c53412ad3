"""Standing orders for mergers of Acquire, on shares of a defunct chain."""

from .answering import answer, concerned, occasion, of_use
from .order import ANY, OTHERWISE, PLACES, Order, about, order_from_json, order_to_json, passes_on

__all__ = [
    "ANY", "OTHERWISE", "PLACES", "Order", "about", "answer", "concerned", "occasion", "of_use",
    "order_from_json", "order_to_json", "passes_on",
]  # fmt: skip
