"""Standing orders for mergers, as their owners give them."""

from dataclasses import dataclass
from typing import Any, Final

from games.engine.rules.acquire.board import SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES, SHARES
from games.engine.standing_orders.order_errors import InvalidOrder

# Stands for any chain.
ANY: Final = 0

# Required places of the owner in the survivor, with the lowest place that meets each.
PLACES: Final = {"": 0, "majority": 1, "minority": 2}

# The fallback of an order that cannot be followed: ask the owner, or try the order for any chain.
OTHERWISE: Final = ("ask", "any")


@dataclass(frozen=True, slots=True)
class Order:
    """Hold and trade (two for one) these numbers of shares of a defunct chain, and sell the rest.

    chain      the defunct chain; ANY for chains without an order of their own, or with one that passes on
    hold       the number to hold; None for all
    trade      the number to give for half as many of the survivor; None for as many as possible

    It is followed only if all of its conditions hold:

    survivor   the surviving chain; ANY for any
    bank       the minimum number of shares of the survivor in the bank
    place      the owner then has the majority in the survivor, or at least the minority (`PLACES`)
    tiles      the maximum number of tiles left to draw; None for no limit

    otherwise  what to do if it cannot be followed (`OTHERWISE`)
    """

    chain: int = ANY
    hold: int | None = 0
    trade: int | None = None
    survivor: int = ANY
    bank: int = 0
    place: str = ""
    tiles: int | None = None
    otherwise: str = "ask"


def topic(order: Order) -> str:
    """The name of the defunct chain, "" for any."""
    return CHAIN_NAMES[order.chain]


def passes_on(order: Order) -> bool:
    """Return whether the order for any chain is tried if this one cannot be followed."""
    return order.otherwise == "any"


def order_to_json(order: Order) -> dict[str, Any]:
    """The order as plain values, with names for chains; None becomes "all" or "most"."""
    return {
        "chain": CHAIN_NAMES[order.chain],
        "hold": "all" if order.hold is None else order.hold,
        "trade": "most" if order.trade is None else order.trade,
        "survivor": CHAIN_NAMES[order.survivor],
        "bank": order.bank,
        "place": order.place,
        "tiles": order.tiles,
        "otherwise": order.otherwise,
    }


def order_from_json(record: Any) -> Order:
    """The order of a record, which is not trusted; missing values are those of `Order()`.

    No other order is tried after one for any chain.

    Raises InvalidOrder: "no order", "hold", "trade", "bank" and "tiles" (most: not a number up to it), "odd",
    "more than there are" (hold and trade), "itself" (the chain would survive itself), "hold all".
    """
    if not isinstance(record, dict) or record.get("place", "") not in PLACES:
        raise InvalidOrder("no order")
    if record.get("otherwise", "ask") not in OTHERWISE:
        raise InvalidOrder("no order")
    hold, trade = record.get("hold", 0), record.get("trade", "most")
    chain = _chain(record.get("chain", ""))
    order = Order(
        chain=chain,
        hold=None if hold == "all" else _number("hold", hold, SHARES),
        trade=None if trade == "most" else _number("trade", trade, SHARES),
        survivor=_chain(record.get("survivor", "")),
        bank=_number("bank", record.get("bank", 0), SHARES),
        place=record.get("place", ""),
        tiles=None if record.get("tiles") is None else _number("tiles", record["tiles"], len(SQUARES)),
        otherwise="ask" if chain == ANY else record.get("otherwise", "ask"),
    )
    _check(order)
    return order


def _chain(name: Any) -> int:
    if name == "":
        return ANY
    if not isinstance(name, str) or name not in CHAIN_BY_NAME:
        raise InvalidOrder("no order")
    return CHAIN_BY_NAME[name]


def _number(reason: str, value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise InvalidOrder(reason, most=most)
    return value


def _check(order: Order) -> None:
    if order.trade is not None and order.trade % 2:
        raise InvalidOrder("odd")
    if order.hold is None and order.trade:
        raise InvalidOrder("hold all")
    if (order.hold or 0) + (order.trade or 0) > SHARES:
        raise InvalidOrder("more than there are", most=SHARES)
    if order.chain == order.survivor != ANY:
        raise InvalidOrder("itself")
