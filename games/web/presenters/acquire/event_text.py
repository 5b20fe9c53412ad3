"""Events and refusals in words, for log, mail and screen readers.

Sentences are in the past tense, so that a name and "you" take the same verb.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.chains import SAFE
from games.engine.rules.acquire.events import (
    Absorbed,
    BankTile,
    BonusPaid,
    Bought,
    ChainGrew,
    DeadTilesShown,
    Disposed,
    Dissolved,
    Drew,
    Ended,
    Event,
    Founded,
    HandRedrawn,
    Merged,
    Passed,
    Placed,
    SoldAtEnd,
)
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.web.presenters.acquire.chain_names import named
from games.web.presenters.table_people import TablePeople, join_list, money


def sentence(event: Event, people: TablePeople, rules: Rules) -> str:
    """The event in one sentence, for the reader of `people`."""
    return _SENTENCES[type(event)](event, people, rules)


def sentences(events: Iterable[Event], people: TablePeople, rules: Rules) -> list[str]:
    """The events, one sentence each."""
    return [sentence(event, people, rules) for event in events]


def shares(rules: Rules, counts: Iterable[tuple[str, int]]) -> str:
    """Word shares: "2 Tower, 1 American"."""
    return ", ".join(f"{count} {named(rules, name).label}" for name, count in counts)


def tiles(count: int) -> str:
    """Word a number of tiles: "3 tiles"."""
    return ngettext("{n} tile", "{n} tiles", count).format(n=count)


def _placed(event: Placed, people: TablePeople, rules: Rules) -> str:
    if event.effect == "joins":
        return people.say(
            _("{who} placed {tile}, which founds nothing: all chains are on the board."),
            who=people.sentence_start(event.seat),
            tile=event.square,
        )
    if event.effect == "alone":
        return people.say(
            _("{who} placed {tile}, which stands alone."),
            who=people.sentence_start(event.seat),
            tile=event.square,
        )
    return people.say(_("{who} placed {tile}."), who=people.sentence_start(event.seat), tile=event.square)


def _founded(event: Founded, people: TablePeople, rules: Rules) -> str:
    text = (
        _("{who} founded {chain} with {tiles} and took a free share.")
        if event.free
        else _("{who} founded {chain} with {tiles}; the bank had no share left to give.")
    )
    chain = named(rules, event.chain).label
    return people.say(text, who=people.sentence_start(event.seat), chain=chain, tiles=tiles(event.size))


def _grew(event: ChainGrew, people: TablePeople, rules: Rules) -> str:
    text = _("{chain} grew to {tiles} and is safe.") if event.size >= SAFE else _("{chain} grew to {tiles}.")
    return people.say(text, chain=named(rules, event.chain).label, tiles=tiles(event.size))


def _merged(event: Merged, people: TablePeople, rules: Rules) -> str:
    defunct = join_list([named(rules, name).label for name in event.defunct])
    text = _("It joined chains: {survivor} takes over {defunct}.")
    return people.say(text, survivor=named(rules, event.survivor).label, defunct=defunct)


def _dissolved(event: Dissolved, people: TablePeople, rules: Rules) -> str:
    text = _("{chain} went defunct with {tiles}, at {price} a share.")
    return people.say(
        text, chain=named(rules, event.chain).label, tiles=tiles(event.size), price=money(event.price)
    )


def _bank_tile(event: BankTile, people: TablePeople, rules: Rules) -> str:
    text = ngettext(
        "{tile} was turned up for the bank, which counts as holding {n} share of {chain}.",
        "{tile} was turned up for the bank, which counts as holding {n} shares of {chain}.",
        event.shares,
    )
    return people.say(text, tile=event.square, n=event.shares, chain=named(rules, event.chain).label)


def _bonus_paid(event: BonusPaid, people: TablePeople, rules: Rules) -> str:
    if event.sole:
        text = _("{who} alone held shares of {chain} and got both bonuses, {dollars}.")
    elif event.place == 1:
        text = (
            _("{who} got the majority bonus for {chain}, {dollars}.")
            if event.tied == 1
            else _("{who} tied for the most shares of {chain} and got {dollars}.")
        )
    elif event.place == 2:
        text = (
            _("{who} got the minority bonus for {chain}, {dollars}.")
            if event.tied == 1
            else _("{who} tied for the second most shares of {chain} and got {dollars}.")
        )
    elif event.place == 3:
        text = _("{who} came third in shares of {chain} and got {dollars}.")
    else:
        text = _("{who} came fourth in shares of {chain} and got {dollars}.")
    chain = named(rules, event.chain).label
    return people.say(text, who=people.sentence_start(event.seat), chain=chain, dollars=money(event.dollars))


def disposal(rules: Rules, event: Disposed) -> str:
    """Word a disposal without the name: "traded 2 for 1 Continental, sold 1 for $500"."""
    parts = []
    if event.traded:
        parts.append(
            _("traded {n} for {got} {survivor}").format(
                n=event.traded, got=event.traded // 2, survivor=named(rules, event.survivor).label
            )
        )
    if event.sold:
        parts.append(_("sold {n} for {dollars}").format(n=event.sold, dollars=money(event.dollars)))
    if event.held:
        parts.append(_("held {n}").format(n=event.held))
    return ", ".join(parts)


def _disposed(event: Disposed, people: TablePeople, rules: Rules) -> str:
    text = _("{who} decided about {chain}: {what}.")
    chain = named(rules, event.chain).label
    return people.say(text, who=people.sentence_start(event.seat), chain=chain, what=disposal(rules, event))


def _absorbed(event: Absorbed, people: TablePeople, rules: Rules) -> str:
    text = _("{chain} now has {tiles} and is safe.") if event.size >= SAFE else _("{chain} now has {tiles}.")
    return people.say(text, chain=named(rules, event.survivor).label, tiles=tiles(event.size))


def _bought(event: Bought, people: TablePeople, rules: Rules) -> str:
    who = people.sentence_start(event.seat)
    if not event.shares:
        return people.say(_("{who} bought nothing."), who=who)
    text = _("{who} bought {shares} for {dollars}.")
    return people.say(text, who=who, shares=shares(rules, event.shares), dollars=money(event.dollars))


def _drew(event: Drew, people: TablePeople, rules: Rules) -> str:
    return people.say(
        _("{who} drew {tiles}."), who=people.sentence_start(event.seat), tiles=tiles(event.count)
    )


def _turned_up(event: DeadTilesShown, people: TablePeople, rules: Rules) -> str:
    text = ngettext(
        "{who} turned up the dead tile {tiles}, which is out of the game.",
        "{who} turned up the dead tiles {tiles}, which are out of the game.",
        len(event.squares),
    )
    return people.say(text, who=people.sentence_start(event.seat), tiles=join_list(event.squares))


def _redrew(event: HandRedrawn, people: TablePeople, rules: Rules) -> str:
    text = _("{who} had no tile to place, showed {shown}, set them aside and drew {drawn}.")
    return people.say(
        text, who=people.sentence_start(event.seat), shown=join_list(event.squares), drawn=tiles(event.count)
    )


def _passed(event: Passed, people: TablePeople, rules: Rules) -> str:
    return people.say(_("{who} had no tile to place."), who=people.sentence_start(event.seat))


def _ended(event: Ended, people: TablePeople, rules: Rules) -> str:
    if event.reason == "declared":
        return people.say(_("{who} declared the end of the game."), who=people.sentence_start(event.seat))
    if event.reason == "unchanged":
        return people.say(_("The game ended: for a whole round nobody’s hand had changed."))
    return people.say(_("The game ended: no tiles are left."))


def _sold_at_end(event: SoldAtEnd, people: TablePeople, rules: Rules) -> str:
    what = shares(rules, [(event.chain, event.shares)])
    return people.say(
        _("{who} sold {shares} for {dollars}."),
        who=people.sentence_start(event.seat),
        shares=what,
        dollars=money(event.dollars),
    )


_SENTENCES: Final[dict[type[Event], Callable[[Any, TablePeople, Rules], str]]] = {
    Placed: _placed,
    Founded: _founded,
    ChainGrew: _grew,
    Merged: _merged,
    Dissolved: _dissolved,
    BankTile: _bank_tile,
    BonusPaid: _bonus_paid,
    Disposed: _disposed,
    Absorbed: _absorbed,
    Bought: _bought,
    Drew: _drew,
    DeadTilesShown: _turned_up,
    HandRedrawn: _redrew,
    Passed: _passed,
    Ended: _ended,
    SoldAtEnd: _sold_at_end,
}


def why_forced(move: str, rules: Rules) -> str:
    """A sentence on why a move, given by its notation, was the only one."""
    return _("no share could be bought.")


def refusal(error: IllegalMove | InvalidMove, rules: Rules) -> str:
    """A sentence on why a move was refused and what to do."""
    if isinstance(error, InvalidMove):
        return _no_move(str(error))
    facts = dict(error.facts)
    if "chain" in facts:
        facts["chain"] = named(rules, facts["chain"]).label
    for name in ("dollars", "cash"):
        if name in facts:
            facts[name] = money(facts[name])
    return _refusals(facts)[error.reason].format(**facts)


def _no_move(text: str) -> str:
    if text.startswith("buy "):
        return _("You may buy three shares at most. Choose fewer.")
    if text.startswith("dispose "):
        return _("Trade an even number of shares, and no more in all than you hold.")
    return _("This is no move of Acquire. Choose again and send the form once more.")


def _refusals(facts: dict[str, Any]) -> dict[str, str]:
    stock, held = facts.get("stock", 0), facts.get("held", 0)
    return {
        "over": _("The game is over."),
        "other decision": _(
            "Something else is asked of you now. Look at the bar at the bottom and answer that."
        ),
        "not in hand": _("You do not hold the tile {tile}. Choose one of yours."),
        "dead": _("{tile} is dead: it would join safe chains. Choose another tile."),
        "blocked": _("{tile} would found an eighth chain, so it must wait. Choose another tile."),
        "chain on the board": _("{chain} is on the board already. Found another chain."),
        "not among the largest": _(
            "{chain} is not among the largest chains here. Choose one of those that are offered."
        ),
        "too few held": ngettext(
            "You hold only {held} share of {chain}. Sell and trade no more than that.",
            "You hold only {held} shares of {chain}. Sell and trade no more than that.",
            held,
        ),
        "too few to trade for": ngettext(
            "The bank has only {stock} share of {chain} left to trade for. Trade fewer.",
            "The bank has only {stock} shares of {chain} left to trade for. Trade fewer.",
            stock,
        ),
        "not on the board": _("{chain} is not on the board, so its shares are not for sale."),
        "too few in the bank": ngettext(
            "The bank has only {stock} share of {chain} left. Buy fewer.",
            "The bank has only {stock} shares of {chain} left. Buy fewer.",
            stock,
        ),
        "too dear": _("That costs {dollars} and you have {cash}. Buy less."),
        "end not allowed": _(
            "The end cannot be declared yet: all chains on the board must be safe, or one must have 41 tiles."
        ),
        "redraw not allowed": _("The hand cannot be replaced now. Go on to buying."),
    }
