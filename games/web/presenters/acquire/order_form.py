"""Standing orders for mergers: their form and their words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.rules.acquire.board import SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES, SHARES
from games.engine.rules.acquire.rule_options import Rules
from games.engine.standing_orders.acquire.merger_order import ANY, Order, passes_on
from games.engine.standing_orders.order_errors import InvalidOrder
from games.web.presenters.acquire.chain_names import label, named, tier_order

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
        ("", _("anything")),
        ("majority", _("the majority, alone or shared")),
        ("minority", _("the majority or the minority")),
    ]
    return OrderForm(
        chain=field("chain", [("", _("any chain")), *chains]),
        hold=field("hold", [("0", _("none")), ("all", _("all")), *((str(n), str(n)) for n in numbers)], "0"),
        trade=field(
            "trade",
            [("most", _("as many as possible")), ("0", _("none")), *_pairs(numbers)],
            "most",
        ),
        survivor=field("survivor", [("", _("any chain")), *chains]),
        place=field("place", places) if rules.holdings == "open" else (),
        otherwise=field("otherwise", [("ask", _("ask me")), ("any", _("use my order for any chain"))], "ask"),
        once=field("once", [("", _("until I cancel it")), ("1", _("for the next merger only"))]),
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
    """Word the order for its owner, in whole sentences."""
    any_chain, one_chain = _what(order)
    does = any_chain if order.chain == ANY else one_chain
    told = [
        does.format(
            chain=label(rules, order.chain),
            held=order.hold,
            traded=order.trade,
            got=(order.trade or 0) // 2,
        )
    ]
    conditions = _conditions(order, rules)
    if conditions and passes_on(order):
        told += [*conditions, _("Otherwise your order for any chain applies.")]
    elif conditions:
        told += [*conditions, _("Otherwise you decide.")]
    elif passes_on(order):
        told.append(_("If it cannot be carried out exactly, your order for any chain applies."))
    else:
        told.append(_("If it cannot be carried out exactly, you decide."))
    return " ".join(told)


def _what(order: Order) -> tuple[str, str]:
    """The sentence of an order for any chain, and that of an order for one chain."""
    if order.hold is None:
        return _("When any chain goes defunct, hold all."), _("When {chain} goes defunct, hold all.")
    holds = order.hold > 0
    if order.trade == 0:
        return _selling(holds=holds)
    if order.trade is None:
        return _trading_most(holds=holds)
    return _trading(holds=holds)


def _selling(*, holds: bool) -> tuple[str, str]:
    if holds:
        return (
            _("When any chain goes defunct, hold {held} and sell the rest."),
            _("When {chain} goes defunct, hold {held} and sell the rest."),
        )
    return _("When any chain goes defunct, sell all."), _("When {chain} goes defunct, sell all.")


def _trading_most(*, holds: bool) -> tuple[str, str]:
    if holds:
        return (
            _("When any chain goes defunct, hold {held}, trade as many as possible and sell the rest."),
            _("When {chain} goes defunct, hold {held}, trade as many as possible and sell the rest."),
        )
    return (
        _("When any chain goes defunct, trade as many as possible and sell the rest."),
        _("When {chain} goes defunct, trade as many as possible and sell the rest."),
    )


def _trading(*, holds: bool) -> tuple[str, str]:
    if holds:
        return (
            _("When any chain goes defunct, hold {held}, trade {traded} for {got} and sell the rest."),
            _("When {chain} goes defunct, hold {held}, trade {traded} for {got} and sell the rest."),
        )
    return (
        _("When any chain goes defunct, trade {traded} for {got} and sell the rest."),
        _("When {chain} goes defunct, trade {traded} for {got} and sell the rest."),
    )


def _conditions(order: Order, rules: Rules) -> list[str]:
    """A sentence for each condition of the order."""
    found = []
    if order.survivor != ANY:
        found.append(_("This applies only if {chain} survives.").format(chain=label(rules, order.survivor)))
    if order.bank:
        text = ngettext(
            "This applies only if the bank has at least {n} share of the survivor.",
            "This applies only if the bank has at least {n} shares of the survivor.",
            order.bank,
        )
        found.append(text.format(n=order.bank))
    if order.place == "majority":
        found.append(_("This applies only if you then have the majority in the survivor, alone or shared."))
    elif order.place:
        found.append(_("This applies only if you then have the majority or the minority in the survivor."))
    if order.tiles is not None:
        text = ngettext(
            "This applies only if at most {n} tile is left to draw.",
            "This applies only if at most {n} tiles are left to draw.",
            order.tiles,
        )
        found.append(text.format(n=order.tiles))
    return found


# -- Refusals ------------------------------------------------------------------------------------------------


def order_refusal(error: InvalidOrder) -> str:
    """A sentence on why an order was refused and what to do."""
    return {
        "no order": _("This order is not valid. Choose from the lists and save it again."),
        "hold": _("For hold, choose none, all or a number up to {most}."),
        "trade": _("For trade, choose none, as many as possible or a number up to {most}."),
        "odd": _("Two shares trade for one, so choose an even number."),
        "bank": _("For the bank’s shares, enter a number up to {most} or leave the field empty."),
        "tiles": _("For tiles left to draw, enter a number up to {most} or leave the field empty."),
        "more than there are": _("A chain has only {most} shares. Hold or trade fewer."),
        "hold all": _("You cannot hold all and also trade. Choose one of the two."),
        "itself": _("A chain cannot acquire itself. Choose another survivor."),
    }[error.reason].format(**error.facts)


def why_asked(ask: OwnerMustDecide, rules: Rules) -> str:
    """A sentence on why an order leaves a decision to its owner."""
    facts = {
        name: named(rules, value).label if value in CHAIN_BY_NAME else value
        for name, value in ask.facts.items()
    }
    reason = f"no {facts['wanted']}" if ask.reason == "place" else ask.reason
    return {
        "other survivor": _("{survivor} survives, not {wanted}."),
        "bank": _("The bank has only {stock} {survivor}, fewer than {wanted}."),
        "tiles": ngettext(
            "{left} tile is left to draw, more than {wanted}.",
            "{left} tiles are left to draw, more than {wanted}.",
            int(ask.facts.get("left", 0)),
        ),
        "too few held": _("You have only {held} {chain}, but the order needs {wanted}."),
        "too few to trade for": _("The bank has only {stock} {survivor}, but the order needs {wanted}."),
        "hidden": _("Other players’ shares are hidden, so your rank is unknown."),
        "no majority": _("You would not get the majority in {survivor}."),
        "no minority": _("You would not get the majority or the minority in {survivor}."),
    }[reason].format(**facts)
