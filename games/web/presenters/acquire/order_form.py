"""Standing orders for mergers: their form and their words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.board import SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES, SHARES
from games.engine.rules.acquire.rule_options import Rules
from games.engine.standing_orders.acquire.merger_order import ANY, Order, passes_on
from games.engine.standing_orders.order_errors import InvalidOrder, OwnerMustDecide
from games.web.presenters.acquire.chain_names import label, named, tier_order
from games.web.presenters.table_people import join_list

ORDER_FORM: Final = "games/presenters/acquire/_order_form.html"


@dataclass(frozen=True, slots=True)
class Option:
    """A value of a field, in words; `chosen` if it is selected."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The form: the options of each field, and the two typed numbers as they were sent.

    With `more` a condition is set, so the conditions are shown unfolded. `places` is empty where holdings are
    hidden, because places are unknown.
    """

    chain: tuple[Option, ...]
    hold: tuple[Option, ...]
    trade: tuple[Option, ...]
    survivor: tuple[Option, ...]
    place: tuple[Option, ...]
    otherwise: tuple[Option, ...]
    once: tuple[Option, ...]
    bank: str
    tiles: str
    more: bool
    most_shares: int = SHARES
    most_tiles: int = len(SQUARES)


# -- The form ----------------------------------------------------------------------------------------------


def order_form(rules: Rules, data: Mapping[str, Any]) -> OrderForm:
    """The form filled in with `data`, fields by name; missing fields are as in `Order()`."""

    def field(name: str, options: Iterable[tuple[str, str]], usual: str = "") -> tuple[Option, ...]:
        chosen = str(data.get(name, usual))
        return tuple(Option(value, text, value == chosen) for value, text in options)

    chains = [(CHAIN_NAMES[number], label(rules, number)) for number in tier_order(rules)]
    numbers = range(1, SHARES + 1)
    places = [
        ("", _("does not matter")),
        ("majority", _("the majority, alone or shared")),
        ("minority", _("the majority or the minority")),
    ]
    return OrderForm(
        chain=field("chain", [("", _("any chain")), *chains]),
        hold=field("hold", [("0", _("none")), ("all", _("all")), *((str(n), str(n)) for n in numbers)], "0"),
        trade=field(
            "trade",
            [("most", _("all possible")), ("0", _("none")), *_pairs(numbers)],
            "most",
        ),
        survivor=field("survivor", [("", _("any chain")), *chains]),
        place=field("place", places) if rules.holdings == "open" else (),
        otherwise=field(
            "otherwise", [("ask", _("ask me")), ("any", _("follow my order for any chain"))], "ask"
        ),
        once=field("once", [("", _("until I withdraw it")), ("1", _("for the next merger only"))]),
        bank=str(data.get("bank", "")),
        tiles=str(data.get("tiles", "")),
        more=any(data.get(name) for name in ("survivor", "place", "bank", "tiles")),
    )


def _pairs(numbers: Iterable[int]) -> list[tuple[str, str]]:
    return [(str(n), _("{n} for {half}").format(n=n, half=n // 2)) for n in numbers if n % 2 == 0]


def read_order(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the order in a posted form as plain values; the engine checks them."""
    return {
        "chain": str(data.get("chain", "")),
        "hold": _value(data, "hold", 0),
        "trade": _value(data, "trade", "most"),
        "survivor": str(data.get("survivor", "")),
        "bank": _value(data, "bank", 0),
        "place": str(data.get("place", "")),
        "tiles": _value(data, "tiles", None),
        "otherwise": str(data.get("otherwise", "ask")),
    }


def _value(data: Mapping[str, Any], name: str, usual: Any) -> Any:
    text = str(data.get(name, "")).strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    return text or usual


def order_fields(order: Order) -> dict[str, str]:
    """The form's values for this order."""
    return {
        "chain": CHAIN_NAMES[order.chain],
        "hold": "all" if order.hold is None else str(order.hold),
        "trade": "most" if order.trade is None else str(order.trade),
        "survivor": CHAIN_NAMES[order.survivor],
        "bank": str(order.bank or ""),
        "place": order.place,
        "tiles": "" if order.tiles is None else str(order.tiles),
        "otherwise": order.otherwise,
    }


# -- Orders in words ---------------------------------------------------------------------------------------


def order_sentence(order: Order, rules: Rules) -> str:
    """Word the order for its owner."""
    if order.chain == ANY:
        when = _("When any chain goes defunct: {what}.")
    else:
        when = _("When {chain} goes defunct: {what}.")
    does = when.format(chain=label(rules, order.chain), what=_what(order))
    if conditions := _conditions(order, rules):
        sentence = _("{does} Only if {conditions}; otherwise you are asked.")
        if passes_on(order):
            sentence = _("{does} Only if {conditions}; otherwise your order for any chain counts.")
        return sentence.format(does=does, conditions=join_list(conditions))
    sentence = _("{does} If that cannot be done to the letter, you are asked.")
    if passes_on(order):
        sentence = _("{does} If that cannot be done to the letter, your order for any chain counts.")
    return sentence.format(does=does)


def _what(order: Order) -> str:
    if order.hold is None:
        return _("hold all")
    if not order.hold and order.trade == 0:
        return _("sell all")
    parts = [_("hold {n}").format(n=order.hold)] if order.hold else []
    if order.trade is None:
        parts.append(_("trade as many as possible"))
    elif order.trade:
        parts.append(_("trade {n} for {half}").format(n=order.trade, half=order.trade // 2))
    return ", ".join([*parts, _("sell the rest")])


def _conditions(order: Order, rules: Rules) -> list[str]:
    found = []
    if order.survivor != ANY:
        found.append(_("{chain} survives").format(chain=label(rules, order.survivor)))
    if order.bank:
        text = ngettext(
            "the bank has {n} share of the survivor at least",
            "the bank has {n} shares of the survivor at least",
            order.bank,
        )
        found.append(text.format(n=order.bank))
    if order.place == "majority":
        found.append(_("you then have the majority in the survivor, alone or shared"))
    elif order.place:
        found.append(_("you then have the majority or the minority in the survivor"))
    if order.tiles is not None:
        text = ngettext("{n} tile is left to draw at most", "{n} tiles are left to draw at most", order.tiles)
        found.append(text.format(n=order.tiles))
    return found


# -- Refusals ------------------------------------------------------------------------------------------------


def order_refusal(error: InvalidOrder) -> str:
    """A sentence on why an order was refused and what to do."""
    return {
        "no order": _("This is no order. Choose from the lists and send it again."),
        "hold": _("Hold none, all, or a number up to {most}."),
        "trade": _("Trade none, all possible, or a number up to {most}."),
        "odd": _("Two shares are traded for one: choose an even number."),
        "bank": _("Of the bank’s shares choose a number up to {most}, or leave the field empty."),
        "tiles": _("Of the tiles to draw choose a number up to {most}, or leave the field empty."),
        "more than there are": _("A chain has {most} shares in all. Hold or trade fewer of them."),
        "hold all": _("Who holds all trades none: choose one of the two."),
        "itself": _("No chain is taken over by itself. Choose another survivor."),
    }[error.reason].format(**error.facts)


def why_asked(ask: OwnerMustDecide, rules: Rules) -> str:
    """Part of a sentence on why an order leaves a decision to its owner."""
    facts = {
        name: named(rules, value).label if value in CHAIN_BY_NAME else value
        for name, value in ask.facts.items()
    }
    place = {"majority": _("the majority"), "minority": _("the majority or the minority")}
    if ask.reason == "place":
        facts["wanted"] = place[ask.facts["wanted"]]
    return {
        "other survivor": _("{survivor} survives, not {wanted}"),
        "bank": _("the bank has {stock} {survivor}, not {wanted} at least"),
        "tiles": _("{left} tiles are left to draw, not {wanted} at most"),
        "too few held": _("you have {held} {chain}, and it takes {wanted}"),
        "too few to trade for": _("the bank has {stock} {survivor}, and it takes {wanted}"),
        "hidden": _("others’ holdings are hidden, so nobody can tell your place"),
        "place": _("it would not give you {wanted} in {survivor}"),
    }[ask.reason].format(**facts)
