"""The part of a table about standing orders: the list and the form, for their owner alone."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from games import queries
from games.models import Order
from games.orders import ORDERS, InvalidOrder
from games.queries import Look
from games.tables import TABLES


@dataclass(frozen=True, slots=True)
class Given:
    """An order in the list: its sentence, whether it ends with the next merger, and where it is changed."""

    about: str
    sentence: str
    once: bool
    change_url: str


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of an order being written: a problem, or what it will do and what it would do now."""

    problem: str = ""
    sentence: str = ""
    previews: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Orders:
    """The part of a table about the viewer's orders.

    `asks` tells why an order leaves the decision of this moment to its owner. `stamp` changes when orders do.
    """

    url: str
    given: tuple[Given, ...]
    asks: str
    stamp: str
    form: Any
    template: str
    said: Said


def orders_part(look: Look, data: Any = None, said: Said | None = None) -> Orders | None:
    """What the viewer's table shows, the form filled in with `data`; None where no orders can be given.

    Unless something else is `said` of the order in the form, it is tried.
    """
    if not queries.takes_orders(look):
        return None
    table, rules = TABLES[look.game.system], look.game.rules
    mine = queries.orders_of(look)
    ask = queries.order_that_asks(look, mine)
    url = reverse("orders", args=[look.game.public_id])
    return Orders(
        url=url,
        given=tuple(_given(order, look, url) for order in mine),
        asks=table.why_asked(ask, rules) if ask else "",
        stamp="-".join(str(int(order.given.timestamp() * 1_000_000)) for order in mine),
        form=table.order_form(rules, data or {}),
        template=table.ORDER_FORM,
        said=said or preview(look, data or {}),
    )


def _given(order: Order, look: Look, url: str) -> Given:
    table = TABLES[look.game.system]
    read = ORDERS[look.game.system].order_from_json(order.terms)
    fields = {**table.order_fields(read), "once": "1" if order.once else ""}
    return Given(
        about=order.about,
        sentence=table.order_sentence(read, look.game.rules),
        once=order.once,
        change_url=f"{url}?{urlencode(fields)}",
    )


def preview(look: Look, data: Any) -> Said:
    """What is said of the order that the fields of a form ask for."""
    table = TABLES[look.game.system]
    try:
        order = ORDERS[look.game.system].order_from_json(table.read_order(data))
    except InvalidOrder as error:
        return Said(table.order_refusal(error))
    sentence = table.order_sentence(order, look.game.rules)
    return Said(sentence=sentence, previews=tuple(table.order_previews(order, look.seen)))
