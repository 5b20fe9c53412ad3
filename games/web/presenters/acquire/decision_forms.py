"""Forms of decisions, with every legal answer and its words.

The page's script knows no rules: it looks the values of the fields up among the choices and labels the button
with the result. Without scripts the same form is submitted as it is.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_NAMES
from games.engine.rules.acquire.moves import Buy, Dispose, Found, Next, Place, Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import tile_effect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.chain_names import Chain, chain, in_order, label, price, tier_order
from games.web.presenters.table_people import TablePeople, money

Choice = dict[str, str]

# Templates that are not named after their kind of decision.
_TEMPLATES = {"next": "next_defunct", "stuck": "no_playable_tile"}


@dataclass(frozen=True, slots=True)
class Option:
    """One of a few options: its value in the form, and its words."""

    value: str
    text: str
    note: str
    chain: Chain | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A number field: its name, the largest value, its step, and its initial value."""

    name: str
    chain: Chain
    most: int
    step: int = 1
    value: int = 0


@dataclass(frozen=True, slots=True)
class DecisionForm:
    """The form of a decision.

    kind      the decision's kind, and the name of its template
    fields    the form's fields in the order in which their values make the key of a choice
    choices   the words of each legal answer by those values, joined by commas
    ask       the button's label while no answer is chosen
    go        the button's label without scripts
    note      the text beside the button
    question  the question for members who confirm their moves, with a placeholder for the tile
    options   the options, when there are a few
    numbers   the number fields, by chain or verb
    adjust    whether a number may change the others to keep the answer legal
    chosen    the values filled in, by field
    """

    kind: str
    fields: tuple[str, ...] = ()
    choices: dict[str, Choice] = field(default_factory=dict)
    ask: str = ""
    go: str = ""
    note: str = ""
    question: str = ""
    options: tuple[Option, ...] = ()
    numbers: dict[str, Number] = field(default_factory=dict)
    adjust: bool = False
    chosen: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return f"games/presenters/acquire/decisions/{_TEMPLATES.get(self.kind, self.kind)}.html"


def decision(seen: Observation, people: TablePeople) -> DecisionForm | None:
    """The form of the observer's current decision, or None."""
    if seen.seat is None or not seen.legal or not people.decides(seen.seat):
        return None
    return _FORMS[seen.decision.kind](seen, people)


def _place(seen: Observation, people: TablePeople) -> DecisionForm:
    choices = {}
    for move in seen.legal:
        assert isinstance(move, Place)
        fate = tile_effect(seen, move.square)
        choices[SQUARE_NAMES[move.square]] = {
            "label": tile_effect_text.order(seen, move.square, fate),
            "note": tile_effect_text.consequence(seen, fate),
        }
    return DecisionForm(
        "place",
        ("tile",),
        choices,
        ask=_("Choose a tile"),
        go=_("Place the chosen tile"),
        note=_("Choose one of your tiles, here or on the board."),
        question=_("Really place {tile}?"),
    )


def _stuck(seen: Observation, people: TablePeople) -> DecisionForm:
    texts = {
        "redraw": _("Show these tiles and draw new ones"),
        "pass": _("Go on to buying without a tile"),
    }
    note = _("None of your tiles can be placed.")
    if len(seen.legal) > 1:
        note = _("None of your tiles can be placed. What you show is out of the game.")
    return DecisionForm(
        "stuck", options=tuple(Option(move.text, texts[move.kind], "") for move in seen.legal), note=note
    )


def _found(seen: Observation, people: TablePeople) -> DecisionForm:
    size = tile_effect(seen, seen.tile).size
    options = []
    chains = [move.chain for move in seen.legal if isinstance(move, Found)]
    for number in in_order(seen.rules, chains):
        share = _("One share is free.") if seen.bank[number] else _("The bank has no share left to give.")
        options.append(_option(seen, number, f"{tile_effect_text.outcome(seen, number, size)} {share}"))
    return _choice("found", options, _("Found {chain}"), _("Choose a chain"), _("Found the chosen chain"))


def _survivor(seen: Observation, people: TablePeople) -> DecisionForm:
    size = tile_effect(seen, seen.tile).size
    chains = [move.chain for move in seen.legal if isinstance(move, Survivor)]
    options = [
        _option(seen, number, tile_effect_text.outcome(seen, number, size))
        for number in in_order(seen.rules, chains)
    ]
    ask = _("Choose the survivor")
    return _choice("survivor", options, _("Let {chain} survive"), ask, _("Let the chosen chain survive"))


def _next(seen: Observation, people: TablePeople) -> DecisionForm:
    chains = [move.chain for move in seen.legal if isinstance(move, Next)]
    options = [
        _option(seen, number, _("Its bonuses are paid and its shares decided about first."))
        for number in in_order(seen.rules, chains)
    ]
    return _choice(
        "next", options, _("{chain} goes next"), _("Choose a chain"), _("The chosen chain goes next")
    )


def _option(seen: Observation, number: int, note: str) -> Option:
    shown = chain(seen.rules, number)
    return Option(shown.name, shown.label, note, shown)


def _choice(kind: str, options: list[Option], order: str, ask: str, go: str) -> DecisionForm:
    choices = {
        option.value: {"label": order.format(chain=option.text), "note": option.note} for option in options
    }
    return DecisionForm(kind, ("chain",), choices, ask=ask, go=go, options=tuple(options))


def _dispose(seen: Observation, people: TablePeople) -> DecisionForm:
    assert seen.seat is not None
    defunct, survivor = chain(seen.rules, seen.defunct), chain(seen.rules, seen.survivor)
    moves = [move for move in seen.legal if isinstance(move, Dispose)]
    held = seen.holdings[seen.defunct][seen.seat] or 0
    share = price(seen.rules, seen.defunct, seen.size[seen.defunct])
    most_traded = max(move.trade for move in moves)
    return DecisionForm(
        "dispose",
        ("trade", "sell"),
        {f"{move.trade},{move.sell}": _disposal(seen, move) for move in moves},
        ask=_("Choose how many"),
        go=_("Trade and sell these, hold the rest"),
        numbers={
            "trade": Number("trade", survivor, most_traded, 2),
            "sell": Number("sell", defunct, max(move.sell for move in moves)),
        },
        adjust=True,
        facts={
            "held": held,
            "defunct": defunct,
            "survivor": survivor,
            "price": money(share),
            "stock": seen.bank[seen.survivor],
        },
    )


def disposal_in_words(seen: Observation, move: Dispose) -> str:
    """Word the observer's disposal: "trade 4 for 2 Tower, hold 1"."""
    survivor, kept = label(seen.rules, seen.survivor), _held(seen) - move.sell - move.trade
    parts = []
    if move.trade:
        parts.append(
            _("trade {n} for {got} {survivor}").format(n=move.trade, got=move.trade // 2, survivor=survivor)
        )
    if move.sell:
        parts.append(_("sell {n} for {dollars}").format(n=move.sell, dollars=money(move.sell * _share(seen))))
    if not parts:
        parts.append(_("hold all {n}").format(n=kept) if kept > 1 else _("hold it"))
    return ", ".join(parts)


def _held(seen: Observation) -> int:
    assert seen.seat is not None
    return seen.holdings[seen.defunct][seen.seat] or 0


def _share(seen: Observation) -> int:
    return price(seen.rules, seen.defunct, seen.size[seen.defunct])


def _disposal(seen: Observation, move: Dispose) -> Choice:
    assert seen.seat is not None
    survivor, got = label(seen.rules, seen.survivor), move.trade // 2
    order, dollars = disposal_in_words(seen, move), move.sell * _share(seen)
    cash = (seen.cash[seen.seat] or 0) + dollars
    owned = (seen.holdings[seen.survivor][seen.seat] or 0) + got
    return {
        "label": order[0].upper() + order[1:],
        "note": _("You would have {owned} {survivor} and {cash}.").format(
            owned=owned, survivor=survivor, cash=money(cash)
        ),
        "got": str(got),
        "dollars": money(dollars),
        "hold": str(_held(seen) - move.sell - move.trade),
    }


def _buy(seen: Observation, people: TablePeople) -> DecisionForm:
    assert seen.seat is not None
    moves = [move for move in seen.legal if isinstance(move, Buy)]
    counts = {move: Counter(move.shares) for move in moves}
    most = Counter[int]()
    for bought in counts.values():
        most |= bought
    order = [number for number in tier_order(seen.rules) if most[number]]
    may_end = any(move.end for move in moves)
    cash = seen.cash[seen.seat] or 0
    choices = {}
    for move in moves:
        values = [str(counts[move][number]) for number in order]
        if may_end:
            values.append("1" if move.end else "")
        choices[",".join(values)] = _purchase(seen, move, order, counts[move], cash)
    names = [CHAIN_NAMES[number] for number in order]
    return DecisionForm(
        "buy",
        (*names, "end") if may_end else tuple(names),
        choices,
        ask=_("Choose what to buy"),
        go=_("Buy these shares") if order else _("Buy nothing"),
        note=_("You have {dollars}.").format(dollars=money(cash)),
        numbers={
            CHAIN_NAMES[number]: Number(CHAIN_NAMES[number], chain(seen.rules, number), most[number])
            for number in order
        },
        facts={"may_end": may_end, "cash": money(cash)},
    )


def _purchase(seen: Observation, move: Buy, order: list[int], counts: Counter[int], cash: int) -> Choice:
    cost = sum(price(seen.rules, number, seen.size[number]) for number in move.shares)
    what = ", ".join(f"{counts[number]} {label(seen.rules, number)}" for number in order if counts[number])
    if what and move.end:
        text = _("Buy {what} for {dollars} and end the game")
    elif what:
        text = _("Buy {what} for {dollars}")
    elif move.end:
        text = _("Buy nothing and end the game")
    else:
        text = _("Buy nothing")
    return {
        "label": text.format(what=what, dollars=money(cost)),
        "note": _("{dollars} left after this").format(dollars=money(cash - cost)),
    }


_FORMS: Final[dict[str, Callable[[Observation, TablePeople], DecisionForm]]] = {
    "place": _place,
    "stuck": _stuck,
    "found": _found,
    "survivor": _survivor,
    "next": _next,
    "dispose": _dispose,
    "buy": _buy,
}
