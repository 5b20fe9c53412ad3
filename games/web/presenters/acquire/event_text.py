"""Events and refusals in words, for log, mail and screen readers.

Sentences are in the past tense, so that a name and "you" take the same verb.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
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
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople, join_list, money


def sentence(event: Event, people: TablePeople, rules: Rules) -> str:
    """The event in one sentence, for the reader of `people`."""
    return _SENTENCES[type(event)](event, people, rules)


def sentences(events: Iterable[Event], people: TablePeople, rules: Rules) -> list[str]:
    """The events, one sentence each; holders who share a bonus have one together."""
    told: list[str] = []
    for shared, group in groupby(events, _shared_bonus):
        if shared is None:
            told += [sentence(event, people, rules) for event in group]
        else:
            told.append(_all_tied(list(group), people, rules))
    return told


def ended_by(entries: Iterable[LogEntryView], people: TablePeople, rules: Rules) -> str:
    """A sentence on what ended the game by its rules; "" if none of these entries did."""
    ends = (
        sentence(event, entry.people or people, rules)
        for entry in entries
        for event in entry.events
        if isinstance(event, Ended)
    )
    return next(ends, "")


def shares(rules: Rules, counts: Iterable[tuple[str, int]]) -> str:
    """List shares: "2 Tower and 1 American"."""
    return join_list([f"{count} {named(rules, name).label}" for name, count in counts])


def _shared_bonus(event: Event) -> tuple[str, int] | None:
    """The chain and the place for which the event pays one holder among several."""
    return (event.chain, event.place) if isinstance(event, BonusPaid) and event.tied > 1 else None


def _all_tied(events: Sequence[Any], people: TablePeople, rules: Rules) -> str:
    first, *others = events
    if not others:  # with two players, the bank may hold as many
        return sentence(first, people, rules)
    names = [people.sentence_start(first.seat), *(people.name(event.seat) for event in others)]
    text = {
        1: _("{who} tied for the most {chain} shares and received {dollars} each."),
        2: _("{who} tied for the second most {chain} shares and received {dollars} each."),
        3: _("{who} tied for the third most {chain} shares and received {dollars} each."),
        4: _("{who} tied for the fourth most {chain} shares and received {dollars} each."),
    }[first.place]
    chain = named(rules, first.chain).label
    return people.say(text, who=join_list(names), chain=chain, dollars=money(first.dollars))


def _placed(event: Placed, people: TablePeople, rules: Rules) -> str:
    if event.effect == "joins":
        return people.say(
            _("{who} placed {tile}. It founded nothing because all chains were on the board."),
            who=people.sentence_start(event.seat),
            tile=event.square,
        )
    if event.effect == "alone":
        return people.say(
            _("{who} placed {tile}, a lone tile."),
            who=people.sentence_start(event.seat),
            tile=event.square,
        )
    return people.say(_("{who} placed {tile}."), who=people.sentence_start(event.seat), tile=event.square)


def _founded(event: Founded, people: TablePeople, rules: Rules) -> str:
    if event.free:
        text = ngettext(
            "{who} founded {chain} with {n} tile and took a free share.",
            "{who} founded {chain} with {n} tiles and took a free share.",
            event.size,
        )
    else:
        text = ngettext(
            "{who} founded {chain} with {n} tile. The bank had no share left to give.",
            "{who} founded {chain} with {n} tiles. The bank had no share left to give.",
            event.size,
        )
    chain = named(rules, event.chain).label
    return people.say(text, who=people.sentence_start(event.seat), chain=chain, n=event.size)


def _grew(event: ChainGrew, people: TablePeople, rules: Rules) -> str:
    if event.size >= SAFE:
        text = ngettext("{chain} grew to {n} tile (safe).", "{chain} grew to {n} tiles (safe).", event.size)
    else:
        text = ngettext("{chain} grew to {n} tile.", "{chain} grew to {n} tiles.", event.size)
    return people.say(text, chain=named(rules, event.chain).label, n=event.size)


def _merged(event: Merged, people: TablePeople, rules: Rules) -> str:
    defunct = join_list([named(rules, name).label for name in event.defunct])
    text = _("In the merger, {survivor} acquired {defunct}.")
    return people.say(text, survivor=named(rules, event.survivor).label, defunct=defunct)


def _dissolved(event: Dissolved, people: TablePeople, rules: Rules) -> str:
    text = ngettext(
        "{chain} went defunct with {n} tile at {price} a share.",
        "{chain} went defunct with {n} tiles at {price} a share.",
        event.size,
    )
    return people.say(text, chain=named(rules, event.chain).label, n=event.size, price=money(event.price))


def _bank_tile(event: BankTile, people: TablePeople, rules: Rules) -> str:
    text = ngettext(
        "{tile} was turned up for the bank, which counted as holding {n} {chain} share.",
        "{tile} was turned up for the bank, which counted as holding {n} {chain} shares.",
        event.shares,
    )
    return people.say(text, tile=event.square, n=event.shares, chain=named(rules, event.chain).label)


def _bonus_paid(event: BonusPaid, people: TablePeople, rules: Rules) -> str:
    if event.sole:
        text = _("{who} alone held {chain} shares and received {dollars} for both bonuses.")
    elif event.place == 1:
        text = (
            _("{who} received the {chain} majority bonus of {dollars}.")
            if event.tied == 1
            else _("{who} tied for the most {chain} shares and received {dollars}.")
        )
    elif event.place == 2:
        text = (
            _("{who} received the {chain} minority bonus of {dollars}.")
            if event.tied == 1
            else _("{who} tied for the second most {chain} shares and received {dollars}.")
        )
    elif event.place == 3:
        text = _("{who} came third in {chain} shares and received {dollars}.")
    else:
        text = _("{who} came fourth in {chain} shares and received {dollars}.")
    chain = named(rules, event.chain).label
    return people.say(text, who=people.sentence_start(event.seat), chain=chain, dollars=money(event.dollars))


def disposal(rules: Rules, event: Disposed) -> str:
    """Word a disposal without the name: "traded 2 for 1 Continental, sold 1 for $500"."""
    text = {
        (True, False, False): _("traded {traded} for {got} {survivor}"),
        (False, True, False): _("sold {sold} for {dollars}"),
        (False, False, True): _("held {held}"),
        (True, True, False): _("traded {traded} for {got} {survivor}, sold {sold} for {dollars}"),
        (True, False, True): _("traded {traded} for {got} {survivor}, held {held}"),
        (False, True, True): _("sold {sold} for {dollars}, held {held}"),
        (True, True, True): _("traded {traded} for {got} {survivor}, sold {sold} for {dollars}, held {held}"),
    }[_ways(event)]
    return text.format(
        traded=event.traded,
        got=event.traded // 2,
        survivor=named(rules, event.survivor).label,
        sold=event.sold,
        dollars=money(event.dollars),
        held=event.held,
    )


def _ways(event: Disposed) -> tuple[bool, bool, bool]:
    """Return whether shares were traded, sold and held, in this order."""
    return event.traded > 0, event.sold > 0, event.held > 0


def _disposed(event: Disposed, people: TablePeople, rules: Rules) -> str:
    return people.say(
        _disposal_text(event),
        who=people.sentence_start(event.seat),
        chain=named(rules, event.chain).label,
        survivor=named(rules, event.survivor).label,
        traded=event.traded,
        got=event.traded // 2,
        sold=event.sold,
        dollars=money(event.dollars),
        held=event.held,
    )


def _disposal_text(event: Disposed) -> str:
    """The sentence for the parts of this disposal: traded, sold, held."""
    return {
        (True, False, False): _("{who} traded {traded} {chain} for {got} {survivor}."),
        (False, True, False): _("{who} sold {sold} {chain} for {dollars}."),
        (False, False, True): _("{who} held {held} {chain}."),
        (True, True, False): _(
            "{who} traded {traded} {chain} for {got} {survivor} and sold {sold} for {dollars}."
        ),
        (True, False, True): _("{who} traded {traded} {chain} for {got} {survivor} and held {held}."),
        (False, True, True): _("{who} sold {sold} {chain} for {dollars} and held {held}."),
        (True, True, True): _(
            "{who} traded {traded} {chain} for {got} {survivor}, sold {sold} for {dollars} and held {held}."
        ),
    }[_ways(event)]


def _absorbed(event: Absorbed, people: TablePeople, rules: Rules) -> str:
    if event.size >= SAFE:
        text = ngettext(
            "{chain} then had {n} tile and was safe.", "{chain} then had {n} tiles and was safe.", event.size
        )
    else:
        text = ngettext("{chain} then had {n} tile.", "{chain} then had {n} tiles.", event.size)
    return people.say(text, chain=named(rules, event.survivor).label, n=event.size)


def _bought(event: Bought, people: TablePeople, rules: Rules) -> str:
    who = people.sentence_start(event.seat)
    if not event.shares:
        return people.say(_("{who} bought no shares."), who=who)
    text = _("{who} bought {shares} for {dollars}.")
    return people.say(text, who=who, shares=shares(rules, event.shares), dollars=money(event.dollars))


def _drew(event: Drew, people: TablePeople, rules: Rules) -> str:
    text = ngettext("{who} drew {n} tile.", "{who} drew {n} tiles.", event.count)
    return people.say(text, who=people.sentence_start(event.seat), n=event.count)


def _turned_up(event: DeadTilesShown, people: TablePeople, rules: Rules) -> str:
    text = ngettext(
        "{who} showed the dead tile {tiles}, which left the game.",
        "{who} showed the dead tiles {tiles}, which left the game.",
        len(event.squares),
    )
    return people.say(text, who=people.sentence_start(event.seat), tiles=join_list(event.squares))


def _redrew(event: HandRedrawn, people: TablePeople, rules: Rules) -> str:
    text = ngettext(
        "{who} could not place any tile, showed {shown}, set them aside and drew {n} tile.",
        "{who} could not place any tile, showed {shown}, set them aside and drew {n} tiles.",
        event.count,
    )
    return people.say(
        text, who=people.sentence_start(event.seat), shown=join_list(event.squares), n=event.count
    )


def _passed(event: Passed, people: TablePeople, rules: Rules) -> str:
    return people.say(_("{who} could not place any tile."), who=people.sentence_start(event.seat))


def _ended(event: Ended, people: TablePeople, rules: Rules) -> str:
    if event.reason == "declared":
        return people.say(_("{who} declared the end of the game."), who=people.sentence_start(event.seat))
    if event.reason == "unchanged":
        return people.say(_("The game ended because no hand had changed for a whole round."))
    return people.say(_("The game ended because no tiles were left."))


def _sold_at_end(event: SoldAtEnd, people: TablePeople, rules: Rules) -> str:
    what = shares(rules, [(event.chain, event.shares)])
    return people.say(
        _("{who} sold {shares} for {dollars} at the end of the game."),
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


def why_forced(move: str, rules: Rules, who: str) -> str:
    """A sentence about `who` on why a move, given by its notation, was the only one."""
    return _("{who} could not buy any shares, so this move was automatic.").format(who=who)


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
    if text == "buy":
        return _("You have not chosen any shares. Choose some, or press “Buy nothing”.")
    if text == "dispose":
        return _("You have not chosen what to do with your shares. Sell, trade or hold them.")
    if text.startswith("buy "):
        return _("You can buy at most 3 shares per turn. Choose fewer.")
    if text.startswith("dispose "):
        return _("You can trade only an even number of shares. Trade and sell no more than you hold.")
    return _("That is not a valid move. Choose another one and send it.")


def _refusals(facts: dict[str, Any]) -> dict[str, str]:
    stock, held = facts.get("stock", 0), facts.get("held", 0)
    return {
        "over": _("The game is over."),
        "other decision": _(
            "The game is now waiting for a different move. Check the bar at the bottom of the page."
        ),
        "not in hand": _("You do not have tile {tile}. Choose one of yours."),
        "dead": _("{tile} is dead because it would join safe chains. Choose another tile."),
        "blocked": _("{tile} would found an eighth chain. Choose another tile for now."),
        "chain on the board": _("{chain} is already on the board. Choose another chain to found."),
        "not among the largest": _(
            "{chain} is not one of the largest chains here. Choose one of those offered."
        ),
        "too few held": ngettext(
            "You hold only {held} {chain} share. Sell and trade no more than that.",
            "You hold only {held} {chain} shares. Sell and trade no more than that.",
            held,
        ),
        "too few to trade for": ngettext(
            "The bank has only {stock} {chain} share left. Trade for fewer.",
            "The bank has only {stock} {chain} shares left. Trade for fewer.",
            stock,
        ),
        "not on the board": _(
            "{chain} is not on the board, so you cannot buy its shares. Choose another chain."
        ),
        "too few in the bank": ngettext(
            "The bank has only {stock} {chain} share left. Buy fewer.",
            "The bank has only {stock} {chain} shares left. Buy fewer.",
            stock,
        ),
        "too dear": _("That costs {dollars}, but you have only {cash}. Buy fewer shares."),
        "end not allowed": _(
            "You cannot end the game yet. Either all chains on the board must be safe, or one must have 41 "
            "or more tiles."
        ),
        "redraw not allowed": _("You cannot replace your tiles now. Buy shares instead."),
    }
