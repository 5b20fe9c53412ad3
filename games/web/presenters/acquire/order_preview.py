"""Previews of what a standing order would do now."""

from dataclasses import replace

from django.utils.translation import gettext as _

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.rules.acquire.chains import CHAINS, SAFE
from games.engine.rules.acquire.moves import Dispose
from games.engine.rules.acquire.observation import Observation
from games.engine.standing_orders.acquire.merger_order import ANY, Order, passes_on
from games.engine.standing_orders.acquire.order_decision import answer
from games.web.presenters.acquire.chain_names import in_order, label, tier_order
from games.web.presenters.acquire.decision_forms import disposal_by_order
from games.web.presenters.acquire.order_form import why_asked


def order_previews(order: Order, seen: Observation) -> list[str]:
    """A sentence for each chain of the order on what it would do if the chain were bought up now.

    The survivor is the one named in the order, else the largest chain that could take over.
    """
    if order.chain != ANY:
        return [_preview(order, seen, order.chain)]
    others = [number for number in tier_order(seen.rules) if number != order.survivor]
    mine = [number for number in others if _held(seen, number) and _takers(seen, number)]
    if not mine:
        return [_("Right now no chain you hold shares in can be acquired.")]
    return [_preview(order, seen, number) for number in mine]


def _held(seen: Observation, number: int) -> int:
    assert seen.seat is not None
    return seen.holdings[number][seen.seat] or 0


def _takers(seen: Observation, number: int) -> list[int]:
    """The chains that could take this one over, the largest first; in a merger, its survivor."""
    if seen.defunct == number:
        return [seen.survivor]
    size = seen.size[number]
    if not 0 < size < SAFE:
        return []
    others = [other for other in CHAINS if other != number and seen.size[other] >= size]
    return sorted(in_order(seen.rules, others), key=lambda other: -seen.size[other])


def _preview(order: Order, seen: Observation, number: int) -> str:
    takers = _takers(seen, number)
    names = {"chain": label(seen.rules, number)}
    if not seen.size[number]:
        return _("{chain} is not on the board right now.").format(**names)
    if not _held(seen, number):
        return _("You hold no {chain} shares right now.").format(**names)
    if not takers:
        return _("Right now nothing can acquire {chain}.").format(**names)
    if order.survivor not in (ANY, *takers):
        wanted = label(seen.rules, order.survivor)
        return _("Right now {survivor} cannot acquire {chain}.").format(**names, survivor=wanted)
    survivor = takers[0] if order.survivor == ANY else order.survivor
    names["survivor"] = label(seen.rules, survivor)
    merger = replace(seen, defunct=number, survivor=survivor)
    found = answer(order, merger)
    if isinstance(found, OwnerMustDecide):
        text = _("If {survivor} acquired {chain} now, you would decide yourself.")
        if passes_on(order):
            text = _("If {survivor} acquired {chain} now, your order for any chain would apply.")
        return " ".join([text.format(**names), why_asked(found, seen.rules)])
    assert isinstance(found, Dispose)
    # Leaves out the remaining cash: bonuses are paid before, and are not known yet.
    return disposal_by_order(merger, found)
