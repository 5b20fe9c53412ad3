"""Whole answers about the shares of a defunct chain, each with what it brings."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.moves import Dispose
from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.chain_names import label, price
from games.web.presenters.table_people import money


@dataclass(frozen=True, slots=True)
class Way:
    """A whole answer: its name, its move, its words, and the shares and money that come of it."""

    name: str
    move: Dispose
    title: str
    note: str
    gains: tuple[str, ...]


def ways(seen: Observation, moves: Sequence[Dispose]) -> tuple[Way, ...]:
    """Selling all, trading as many as possible, and holding all, as far as they are legal."""
    found = [_sell(seen, max(moves, key=lambda move: (move.sell, -move.trade)))]
    if (trade := max(moves, key=lambda move: (move.trade, move.sell))).trade:
        found.append(_trade(seen, trade))
    return (*found, *(_hold(seen, move) for move in moves if not move.sell and not move.trade))


def held_shares(seen: Observation) -> int:
    """The observer's shares of the defunct chain."""
    assert seen.seat is not None
    return seen.holdings[seen.defunct][seen.seat] or 0


def share_price(seen: Observation) -> int:
    """The price at which a share of the defunct chain is sold."""
    return price(seen.rules, seen.defunct, seen.size[seen.defunct])


def _sell(seen: Observation, move: Dispose) -> Way:
    title = ngettext("Sell it", "Sell all {n}", move.sell).format(n=move.sell)
    note = _("{price} a share").format(price=money(share_price(seen)))
    return Way("sell", move, title, note, (_proceeds(seen, move),))


def _trade(seen: Observation, move: Dispose) -> Way:
    survivor, stock = label(seen.rules, seen.survivor), seen.bank[seen.survivor]
    note = ngettext(
        "Two for one. The bank has {n} {chain} share.", "Two for one. The bank has {n} {chain} shares.", stock
    ).format(n=stock, chain=survivor)
    got = _("+{n} {chain}").format(n=move.trade // 2, chain=survivor)
    gains = (got, _proceeds(seen, move)) if move.sell else (got,)
    title = _("Trade {traded}, sell {sold}") if move.sell else _("Trade all {traded}")
    return Way("trade", move, title.format(traded=move.trade, sold=move.sell), note, gains)


def _hold(seen: Observation, move: Dispose) -> Way:
    title = ngettext("Hold it", "Hold all {n}", held_shares(seen)).format(n=held_shares(seen))
    note = _("Worth nothing unless {chain} is founded again.").format(chain=label(seen.rules, seen.defunct))
    return Way("hold", move, title, note, (money(0),))


def _proceeds(seen: Observation, move: Dispose) -> str:
    return f"+{money(move.sell * share_price(seen))}"
