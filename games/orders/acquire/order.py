"""What a standing order for mergers says."""

from dataclasses import dataclass
from typing import Any, Final

from games.rules.acquire import CHAIN_BY_NAME, CHAIN_NAMES, SHARES, SQUARES

from ..asking import InvalidOrder

# The chain of an order about any chain.
ANY: Final = 0

# What the owner's shares of the survivor may have to be good for, by the lowest place that will do.
PLACES: Final = {"": 0, "majority": 1, "minority": 2}

# What happens when an order cannot be followed: its owner is asked, or the order for any chain is tried.
OTHERWISE: Final = ("ask", "any")


@dataclass(frozen=True, slots=True)
class Order:
    """Hold so many shares of a defunct chain, trade so many two for one, and sell the rest.

    chain      the defunct chain; ANY for whichever has no order of its own, or one that passes on
    hold       how many to hold; None for all
    trade      how many to give for half as many of the survivor; None for as many as possible

    It is followed only if all of its conditions hold:

    survivor   the chain that survives; ANY for whichever
    bank       so many shares of the survivor the bank has at least
    place      the owner then has the majority in the survivor, or the minority at least (`PLACES`)
    tiles      so many tiles are left to draw at most; None for any number

    otherwise  what happens when it cannot be followed (`OTHERWISE`)
    """

    chain: int = ANY
    hold: int | None = 0
    trade: int | None = None
    survivor: int = ANY
    bank: int = 0
    place: str = ""
    tiles: int | None = None
    otherwise: str = "ask"


def about(order: Order) -> str:
    """The name of the defunct chain, "" for any."""
    return CHAIN_NAMES[order.chain]


def passes_on(order: Order) -> bool:
    """Whether the order for any chain is tried when this one cannot be followed."""
    return order.otherwise == "any"


def order_to_json(order: Order) -> dict[str, Any]:
    """The order as plain values, with names for chains; "all" and "most" stand for themselves."""
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
    """The order of such a record, whoever wrote it; what is missing is as in an `Order()`.

    After an order for any chain there is none to be tried.

    Raises InvalidOrder: "no order", "hold", "trade", "bank" and "tiles" (most: no number up to it), "odd",
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
