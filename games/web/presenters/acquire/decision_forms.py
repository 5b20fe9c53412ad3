"""Forms of decisions, with every legal answer and its words.

The page's script knows no rules: it looks the values of the fields up among the choices and labels the button
with the result. Without scripts the same form is submitted as it is.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_NAMES
from games.engine.rules.acquire.moves import Buy, Dispose, Found, Next, Place, Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import gives_free_share, tile_effect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.chain_names import Chain, chain, in_order, label, price, tier_order
from games.web.presenters.acquire.chain_standing import standing
from games.web.presenters.acquire.disposal_ways import Way, held_shares, share_price, ways
from games.web.presenters.acquire.move_phrases import confirmation, gives_the_end_away, shares_to_buy
from games.web.presenters.acquire.purchase_worth import worth_after
from games.web.presenters.table_people import TablePeople, money

Choice = dict[str, str]

# Templates that are not named after their kind of decision.
_TEMPLATES = {"next": "next_defunct", "stuck": "no_playable_tile"}


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its value in the form, its words, and what a share of its chain will cost."""

    value: str
    text: str
    note: str
    chain: Chain | None = None
    cost: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number field: its name, the largest value, its step, and its initial value, 0 for none.

    For shares to buy, `standings` are the player's standings in the chain with 0, 1, … of them.
    """

    name: str
    chain: Chain
    most: int
    step: int = 1
    value: int = 0
    standings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionForm:
    """The form of a decision.

    kind      the decision's kind, and the name of its template
    fields    the form's fields in the order in which their values make the key of a choice
    choices   the words of each legal answer by those values, joined by commas; one has a `question` if it is
              always confirmed
    ask       the button's label while no answer is chosen
    go        the button's label without scripts, "" if the button that answers "nothing" is the only one
    note      the text beside the button
    question  the question for members who confirm their moves, with a placeholder for the tile
    options   the options, when there are a few
    ways      whole answers, beside which numbers may be chosen
    nothing   the label of the button that answers "nothing", beside the one that sends the numbers
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
    ways: tuple[Way, ...] = ()
    nothing: str = ""
    numbers: dict[str, Number] = field(default_factory=dict)
    adjust: bool = False
    chosen: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def key(self, way: Way) -> str:
        """The key of the choice that is this whole answer."""
        return _key(way.move, self.fields)

    @property
    def template(self) -> str:
        return f"games/presenters/acquire/decisions/{_TEMPLATES.get(self.kind, self.kind)}.html"


def _key(move: Dispose, fields: Iterable[str]) -> str:
    return ",".join(str(getattr(move, name)) for name in fields)


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
        go=_("Place tile"),
        note=_("Choose one of your tiles here or on the board."),
        question=_("Confirm: place {tile}"),
    )


def _stuck(seen: Observation, people: TablePeople) -> DecisionForm:
    texts = {
        "redraw": _("Show these tiles and draw new ones"),
        "pass": _("Buy shares without placing a tile"),
    }
    note = _("You cannot place any of your tiles.")
    if len(seen.legal) > 1:
        note = _("You cannot place any of your tiles. Tiles you show leave the game.")
    return DecisionForm(
        "stuck", options=tuple(Option(move.text, texts[move.kind], "") for move in seen.legal), note=note
    )


def _found(seen: Observation, people: TablePeople) -> DecisionForm:
    size = tile_effect(seen, seen.tile).size
    options = []
    chains = [move.chain for move in seen.legal if isinstance(move, Found)]
    for number in in_order(seen.rules, chains):
        dollars = money(price(seen.rules, number, size))
        if gives_free_share(seen.bank, number):
            share, cost = _("You get 1 free share."), _("{price}, 1 free")
        else:
            share, cost = _("The bank has no free share left."), _("{price}, none free")
        note = f"{tile_effect_text.outcome(seen, number, size)} {share}"
        options.append(_option(seen, number, note, cost.format(price=dollars)))
    return _choice("found", options, _("Found {chain}"), _("Choose a chain"), _("Found chain"))


def _survivor(seen: Observation, people: TablePeople) -> DecisionForm:
    size = tile_effect(seen, seen.tile).size
    chains = [move.chain for move in seen.legal if isinstance(move, Survivor)]
    options = [
        _option(seen, number, tile_effect_text.outcome(seen, number, size))
        for number in in_order(seen.rules, chains)
    ]
    ask = _("Choose the survivor")
    return _choice("survivor", options, _("Keep {chain}"), ask, _("Keep this chain"))


def _next(seen: Observation, people: TablePeople) -> DecisionForm:
    chains = [move.chain for move in seen.legal if isinstance(move, Next)]
    options = [
        _option(seen, number, _("Its bonuses are paid and its shares settled first."))
        for number in in_order(seen.rules, chains)
    ]
    return _choice(
        "next", options, _("Settle {chain} first"), _("Choose a chain"), _("Settle this chain first")
    )


def _option(seen: Observation, number: int, note: str, cost: str = "") -> Option:
    shown = chain(seen.rules, number)
    return Option(shown.name, shown.label, note, shown, cost)


def _choice(kind: str, options: list[Option], order: str, ask: str, go: str) -> DecisionForm:
    choices = {
        option.value: {"label": order.format(chain=option.text), "note": option.note} for option in options
    }
    return DecisionForm(kind, ("chain",), choices, ask=ask, go=go, options=tuple(options))


def _dispose(seen: Observation, people: TablePeople) -> DecisionForm:
    assert seen.seat is not None
    defunct, survivor = chain(seen.rules, seen.defunct), chain(seen.rules, seen.survivor)
    moves = [move for move in seen.legal if isinstance(move, Dispose)]
    whole = ways(seen, moves)
    most_traded = max(move.trade for move in moves)
    numbers = {"trade": Number("trade", survivor, most_traded, 2)} if most_traded else {}
    numbers["sell"] = Number("sell", defunct, max(move.sell for move in moves))
    return DecisionForm(
        "dispose",
        tuple(numbers),
        {_key(move, numbers): _disposal(seen, move) for move in moves},
        ask=_("Sell, trade or hold?") if most_traded else _("Sell or hold?"),
        go=_("Send this choice"),
        ways=whole,
        numbers=numbers,
        adjust=True,
        facts={
            "held": held_shares(seen),
            "defunct": defunct,
            "survivor": survivor,
            "price": money(share_price(seen)),
            "stock": seen.bank[seen.survivor],
            "mixes": len(moves) > len(whole),
        },
    )


def disposal_by_order(seen: Observation, move: Dispose) -> str:
    """A sentence on how a standing order would dispose of the observer's shares."""
    text = {
        (True, True): _(
            "If {survivor} acquired {chain} now, your order would trade {traded} for {got} {survivor} and "
            "sell {sold} for {dollars}."
        ),
        (True, False): _(
            "If {survivor} acquired {chain} now, your order would trade {traded} for {got} {survivor}."
        ),
        (False, True): _("If {survivor} acquired {chain} now, your order would sell {sold} for {dollars}."),
        (False, False): ngettext(
            "If {survivor} acquired {chain} now, your order would hold your {kept} share.",
            "If {survivor} acquired {chain} now, your order would hold all {kept} shares.",
            held_shares(seen),
        ),
    }[bool(move.trade), bool(move.sell)]
    return text.format(**_disposal_facts(seen, move))


def _disposal_facts(seen: Observation, move: Dispose) -> dict[str, Any]:
    return {
        "chain": label(seen.rules, seen.defunct),
        "survivor": label(seen.rules, seen.survivor),
        "traded": move.trade,
        "got": move.trade // 2,
        "sold": move.sell,
        "dollars": money(move.sell * share_price(seen)),
        "kept": held_shares(seen) - move.sell - move.trade,
    }


def _disposal(seen: Observation, move: Dispose) -> Choice:
    text = {
        (True, True): _("Trade {traded} for {got} {survivor}, sell {sold} for {dollars}"),
        (True, False): _("Trade {traded} for {got} {survivor}"),
        (False, True): _("Sell {sold} for {dollars}"),
        (False, False): ngettext("Hold it", "Hold all {kept}", held_shares(seen)),
    }[bool(move.trade), bool(move.sell)]
    return {
        "label": text.format(**_disposal_facts(seen, move)),
        "note": _after_disposal(seen, move),
        "got": str(move.trade // 2),
        "dollars": money(move.sell * share_price(seen)),
        "hold": str(held_shares(seen) - move.sell - move.trade),
    }


def _after_disposal(seen: Observation, move: Dispose) -> str:
    assert seen.seat is not None
    kept = held_shares(seen) - move.sell - move.trade
    owned = (seen.holdings[seen.survivor][seen.seat] or 0) + move.trade // 2
    facts = {
        "kept": kept,
        "chain": label(seen.rules, seen.defunct),
        "owned": owned,
        "survivor": label(seen.rules, seen.survivor),
        "cash": money((seen.cash[seen.seat] or 0) + move.sell * share_price(seen)),
    }
    if not move.sell and not move.trade:
        text = _("You keep {kept} {chain}.")
    elif kept and owned:
        text = _("You will have {owned} {survivor}, {kept} {chain} and {cash}.")
    elif kept:
        text = _("You will have {kept} {chain} and {cash}.")
    elif owned:
        text = _("You will have {owned} {survivor} and {cash}.")
    else:
        text = _("You will have {cash}.")
    return text.format(**facts)


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
    worth = worth_after(seen, most)
    choices = {}
    for move in moves:
        values = [str(counts[move][number]) for number in order]
        if may_end:
            values.append("1" if move.end else "")
        choices[",".join(values)] = _purchase(seen, move, cash, worth(counts[move]))
    names = [CHAIN_NAMES[number] for number in order]
    return DecisionForm(
        "buy",
        (*names, "end") if may_end else tuple(names),
        choices,
        ask=_("Choose shares to buy"),
        go=_("Buy shares") if order else "" if may_end else _("Buy nothing"),
        nothing=_("Buy nothing") if order or may_end else "",
        note=_("You have {dollars}.").format(dollars=money(cash)),
        numbers={
            CHAIN_NAMES[number]: Number(
                CHAIN_NAMES[number],
                chain(seen.rules, number),
                most[number],
                standings=_standings(seen, people, number, most[number]),
            )
            for number in order
        },
        facts={"may_end": may_end, "cash": money(cash), "worth": worth({})},
    )


def _standings(seen: Observation, people: TablePeople, number: int, most: int) -> tuple[str, ...]:
    return tuple(standing(seen, people, number, bought) for bought in range(most + 1))


def _purchase(seen: Observation, move: Buy, cash: int, worth: str) -> Choice:
    cost = sum(price(seen.rules, number, seen.size[number]) for number in move.shares)
    if move.shares and move.end:
        text = _("Buy {shares} for {dollars} and end the game")
    elif move.shares:
        text = _("Buy {shares} for {dollars}")
    elif move.end:
        text = _("Buy nothing and end the game")
    else:
        text = _("Buy nothing")
    words = {
        "label": text.format(shares=shares_to_buy(move, seen.rules), dollars=money(cost)),
        "note": _("You will have {dollars} left.").format(dollars=money(cash - cost)),
    }
    if worth:
        words["worth"] = worth
    if gives_the_end_away(move):
        words["question"] = confirmation(move, seen.rules)
    return words


_FORMS: Final[dict[str, Callable[[Observation, TablePeople], DecisionForm]]] = {
    "place": _place,
    "stuck": _stuck,
    "found": _found,
    "survivor": _survivor,
    "next": _next,
    "dispose": _dispose,
    "buy": _buy,
}
