"""The viewer's standing orders: the list on a table, and the form that is fetched when it is opened."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from games.engine.standing_orders.order_errors import InvalidOrder
from games.engine.standing_orders.order_systems import ORDERS
from games.models import StandingOrder
from games.play.automation import order_view
from games.play.game_view import GameView
from games.web.addresses import address
from games.web.presenters.presenter_registry import PRESENTERS


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order in the list: `once` if it ends with the next merger, `change_url` to edit it."""

    topic: str
    sentence: str
    once: bool
    change_url: str


@dataclass(frozen=True, slots=True)
class OrderFeedback:
    """Feedback on an order: a problem, or what it says and what it would do now."""

    problem: str = ""
    sentence: str = ""
    previews: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderPanel:
    """The panel of a table with the viewer's orders.

    `asks` says why an order leaves the current decision to its owner. `stamp` changes whenever an order does.
    """

    url: str
    given: tuple[OrderRow, ...]
    asks: str
    stamp: str


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The form for an order: its fields, the template that draws them, and feedback on what is filled in."""

    fields: Any
    template: str
    said: OrderFeedback


def orders_part(look: GameView) -> OrderPanel | None:
    """Return the viewer's orders, or None if they can have none."""
    if not order_view.takes_orders(look):
        return None
    table, rules = PRESENTERS[look.game.system], look.game.rules
    mine = order_view.orders_of(look)
    ask = order_view.order_that_asks(look, mine)
    url = address("orders", look.game.public_id)
    return OrderPanel(
        url=url,
        given=tuple(_given(order, look, url) for order in mine),
        asks=table.why_asked(ask, rules) if ask else "",
        stamp="-".join(str(int(order.given.timestamp() * 1_000_000)) for order in mine),
    )


def order_form(look: GameView, data: Any, said: OrderFeedback | None = None) -> OrderForm:
    """Return the form filled in from `data`, with a preview of its order unless other feedback is given."""
    table = PRESENTERS[look.game.system]
    return OrderForm(table.order_form(look.game.rules, data), table.ORDER_FORM, said or preview(look, data))


def _given(order: StandingOrder, look: GameView, url: str) -> OrderRow:
    table = PRESENTERS[look.game.system]
    read = ORDERS[look.game.system].order_from_json(order.order_json)
    fields = {**table.order_fields(read), "once": "1" if order.once else ""}
    return OrderRow(
        topic=order.topic,
        sentence=table.order_sentence(read, look.game.rules),
        once=order.once,
        change_url=f"{url}?{urlencode(fields)}",
    )


def preview(look: GameView, data: Any) -> OrderFeedback:
    """Return feedback on the order in the posted fields."""
    table = PRESENTERS[look.game.system]
    try:
        order = ORDERS[look.game.system].order_from_json(table.read_order(data))
    except InvalidOrder as error:
        return OrderFeedback(table.order_refusal(error))
    sentence = table.order_sentence(order, look.game.rules)
    return OrderFeedback(sentence=sentence, previews=tuple(table.order_previews(order, look.seen)))
