"""Reasons for a move: its immediate effects in numbers, from what the observer sees."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.moves import Buy, Dispose, Found, Move, Place, Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import gives_free_share, tile_effect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.bonus_stakes import (
    bonus_stakes,
    by_side,
    change,
    dollars,
    gain,
    in_teams,
    is_hidden,
    lead,
    me,
)
from games.web.presenters.acquire.chain_names import chain_labels, in_order, label, price
from games.web.presenters.table_people import join_list, money


def reasons(seen: Observation, move: Move) -> list[str]:
    """The reasons for a move as sentences, the most important first; may be empty."""
    found = _REASONS.get(type(move))
    return [sentence for sentence in found(seen, move) if sentence] if found else []


# -- Tiles -----------------------------------------------------------------------------------------------


def _place(seen: Observation, move: Place) -> list[str]:
    fate = tile_effect(seen, move.square)
    said = tile_effect_text.consequence(seen, fate)
    if fate.kind == "founds":
        free = any(gives_free_share(seen.bank, number) for number in CHAINS if not seen.size[number])
        return [_("It founds a chain and gives you 1 free share.") if free else said]
    if fate.kind == "grows":
        return [_share_value_gain(seen, fate.chains[0], fate.size) or said]
    if fate.kind == "merges" and len(fate.survivors) == 1:
        return _takeover(seen, fate.chains[0], fate.chains[1:], fate.size)
    return [said, _kept(seen, move) if fate.kind in ("alone", "joins") else ""]


def _share_value_gain(seen: Observation, number: int, size: int) -> str:
    """A sentence on what the observer's shares gain when the chain reaches this size; "" for no gain."""
    own = _own(seen, number)
    before, after = price(seen.rules, number, seen.size[number]), price(seen.rules, number, size)
    if not own or before == after:
        return ""
    return ngettext(
        "It raises {chain} to {price} a share, so your {n} share gains {dollars}.",
        "It raises {chain} to {price} a share, so your {n} shares gain {dollars}.",
        own,
    ).format(
        chain=label(seen.rules, number), price=money(after), n=own, dollars=money(own * (after - before))
    )


def _takeover(seen: Observation, survivor: int, defunct: Iterable[int], size: int) -> list[str]:
    """The bonuses paid when these chains are bought up, and what the survivor's shares gain."""
    rise = _share_value_gain(seen, survivor, size)
    if is_hidden(seen):
        return [rise or tile_effect_text.outcome(seen, survivor, size)]
    order = in_order(seen.rules, defunct)
    paid = [0] * seen.seats
    for number in order:
        for seat, bonus in bonus_stakes(seen, number).items():
            paid[seat] += bonus.dollars
    mine, others = by_side(seen, paid)
    if not any(paid):
        return [rise or tile_effect_text.outcome(seen, survivor, size)]
    said = _payments(mine, sum(others), in_teams(seen)).format(
        chains=join_list(chain_labels(seen.rules, order)), mine=money(mine), others=money(sum(others))
    )
    return [said, _bank(seen), rise]


def _payments(mine: int, others: int, by_team: bool) -> str:
    """The sentence on bonuses of the observer's side and of the others, with its amounts left open."""
    if by_team and mine and others:
        return _("It pays your team {mine} and your opponents {others} in bonuses for {chains}.")
    if by_team and mine:
        return _("It pays your team {mine} in bonuses for {chains}, and your opponents nothing.")
    if by_team:
        return _("It pays your opponents {others} in bonuses for {chains}, and your team nothing.")
    if mine and others:
        return _("It pays you {mine} and other players {others} in bonuses for {chains}.")
    if mine:
        return _("It pays you {mine} in bonuses for {chains}, and other players nothing.")
    return _("It pays other players {others} in bonuses for {chains}, and you nothing.")


def _kept(seen: Observation, move: Place) -> str:
    """A sentence on a better tile that stays in the hand; "" for none."""
    fates = {square: tile_effect(seen, square) for square in seen.hand or () if square != move.square}
    for kind in ("merges", "founds"):
        for square, fate in fates.items():
            if fate.kind == kind:
                tile, does = SQUARE_NAMES[square], tile_effect_text.short(seen, fate)
                return _("You keep {tile}, which {does}.").format(tile=tile, does=does)
    return ""


# -- Chains ----------------------------------------------------------------------------------------------


def _found(seen: Observation, move: Found) -> list[str]:
    size = tile_effect(seen, seen.tile).size
    free = 1 if gives_free_share(seen.bank, move.chain) else 0
    if place := _place_won(seen, move.chain, free, size):
        return place
    share = money(price(seen.rules, move.chain, size))
    return [_("Your free share is worth {dollars}.").format(dollars=share) if free else ""]


def _survivor(seen: Observation, move: Survivor) -> list[str]:
    size = tile_effect(seen, seen.tile).size
    return _takeover(seen, move.chain, [number for number in seen.queue if number != move.chain], size)


def _dispose(seen: Observation, move: Dispose) -> list[str]:
    got = move.trade // 2
    size = tile_effect(seen, seen.tile).size
    kept = _own(seen, seen.defunct) - move.sell - move.trade
    told = []
    if got:
        dear = price(seen.rules, seen.survivor, size)
        told.append(
            ngettext(
                "Your new {chain} share is worth {dollars} after the merger.",
                "Your {n} new {chain} shares are worth {dollars} after the merger.",
                got,
            ).format(n=got, chain=label(seen.rules, seen.survivor), dollars=money(got * dear))
        )
        told += _place_won(seen, seen.survivor, got, size)
    if move.sell:
        share = price(seen.rules, seen.defunct, seen.size[seen.defunct])
        cash = (seen.cash[me(seen)] or 0) + move.sell * share
        told.append(_("It leaves you with {cash} in cash.").format(cash=money(cash)))
    if kept:
        told.append(
            ngettext(
                "You keep {n} share in case {chain} is founded again.",
                "You keep {n} shares in case {chain} is founded again.",
                kept,
            ).format(n=kept, chain=label(seen.rules, seen.defunct))
        )
    return told


def _place_won(seen: Observation, number: int, more: int, size: int) -> list[str]:
    """Sentences on the observer's place in the chain at this size after `more` shares; empty if unchanged."""
    said = "" if is_hidden(seen) else change(seen, number, more, size)
    return [said, _bank(seen)] if said else []


# -- Shares ----------------------------------------------------------------------------------------------


def _buy(seen: Observation, move: Buy) -> list[str]:
    counts = Counter(move.shares)
    if move.end:
        return [_end(seen, counts)]
    if not counts:
        cash = seen.cash[me(seen)] or 0
        return [_("It saves your {dollars} for later.").format(dollars=money(cash)) if cash else ""]
    if is_hidden(seen):
        return []
    chains = sorted(counts, key=lambda number: -gain(seen, number, counts[number]))
    changes = [said for number in chains if (said := change(seen, number, counts[number]))]
    if not changes:
        most = max(chains, key=counts.__getitem__)
        return [lead(seen, most, counts[most])]
    return [*changes[:1], _bank(seen), *changes[1:]]


def _end(seen: Observation, bought: Counter[int]) -> str:
    """The final lead or deficit of the observer's side; shares bought now are sold at their price."""
    if is_hidden(seen):
        return ""
    worth = [known or 0 for known in seen.worth]
    for number, count in bought.items():
        before, after = bonus_stakes(seen, number), bonus_stakes(seen, number, count)
        for seat in range(seen.seats):
            worth[seat] += dollars(after, seat) - dollars(before, seat)
    own, others = by_side(seen, worth)
    ahead = own - max(others)
    said = _lead_at_end(ahead, in_teams(seen)).format(dollars=money(abs(ahead)))
    return " ".join(filter(None, [said, _bank(seen)]))


def _lead_at_end(ahead: int, by_team: bool) -> str:
    """The sentence on the final lead of the observer's side, with its amount left open."""
    if ahead > 0:
        if by_team:
            return _("It ends the game with your team {dollars} ahead.")
        return _("It ends the game with you {dollars} ahead.")
    if ahead < 0:
        if by_team:
            return _("It ends the game with your team {dollars} behind.")
        return _("It ends the game with you {dollars} behind.")
    if by_team:
        return _("It ends the game with your team tied for the lead.")
    return _("It ends the game with you tied for the lead.")


def _bank(seen: Observation) -> str:
    """With two players, a note that the bank's share is not included."""
    return _("The bank’s bonus is not included.") if seen.seats == 2 else ""


def _own(seen: Observation, number: int) -> int:
    return seen.holdings[number][me(seen)] or 0


_REASONS: Final[dict[type[Move], Callable[[Observation, Any], list[str]]]] = {
    Place: _place,
    Found: _found,
    Survivor: _survivor,
    Dispose: _dispose,
    Buy: _buy,
}
