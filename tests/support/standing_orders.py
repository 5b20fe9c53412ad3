"""Standing orders of tests."""

from random import Random

from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.standing_orders.acquire.merger_order import Order, order_from_json
from games.engine.standing_orders.order_errors import InvalidOrder


def random_order(rng: Random) -> Order:
    """Return a random order, usually one that can be followed."""
    while True:
        try:
            return order_from_json(
                {
                    "chain": rng.choice(["", "", *CHAIN_BY_NAME]),
                    "hold": rng.choice([0, 0, 1, 2, 5, "all"]),
                    "trade": rng.choice(["most", "most", 0, 2, 6]),
                    "survivor": rng.choice(["", "", "", *CHAIN_BY_NAME]),
                    "bank": rng.choice([0, 0, 3, 20]),
                    "place": rng.choice(["", "", "majority", "minority"]),
                    "tiles": rng.choice([None, None, 20, 60]),
                    "otherwise": rng.choice(["ask", "any"]),
                }
            )
        except InvalidOrder:
            continue
