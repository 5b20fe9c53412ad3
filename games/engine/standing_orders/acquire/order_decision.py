"""Answers of an order, or the reason why its owner must decide."""

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.chains import CHAIN_NAMES
from games.engine.rules.acquire.moves import Move, parse_move
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.rule_options import Rules
from games.engine.standing_orders.acquire.merger_order import PLACES, Order


def of_use(rules: Rules) -> bool:
    """Return whether holders are asked about defunct shares at all."""
    return rules.disposal == "all"


def concerned(seen: Observation) -> tuple[str, ...]:
    """The defunct chain, then "" for any, if the observer must decide about its shares; else empty."""
    if seen.seat is None or seen.decision.kind != "dispose" or seen.decision.seat != seen.seat:
        return ()
    return (CHAIN_NAMES[seen.defunct], "")


def occasion(seen: Observation) -> str:
    """The tile that caused the merger, which is different for every merger."""
    return SQUARE_NAMES[seen.tile] if seen.tile >= 0 else ""


def answer(order: Order, seen: Observation) -> Move | OwnerMustDecide:
    """The disposal of the observer's shares by this order, or the reason why its owner must decide.

    The reasons for OwnerMustDecide: "other survivor" (survivor, wanted), "bank" (survivor, stock, wanted),
    "tiles" (left, wanted), "too few held" (chain, held, wanted), "too few to trade for" (survivor, stock,
    wanted), "hidden" (holdings of others, so that no place is known), "place" (survivor, wanted).
    """
    counts = _unmet_condition(order, seen) or _numbers(order, seen)
    if isinstance(counts, OwnerMustDecide):
        return counts
    sell, trade = counts
    if order.place and (ask := _place_too_low(order, seen, trade // 2)):
        return ask
    words = [f"{verb} {count}" for verb, count in (("sell", sell), ("trade", trade)) if count]
    return parse_move(f"dispose {' '.join(words) or 'nothing'}")


def _unmet_condition(order: Order, seen: Observation) -> OwnerMustDecide | None:
    """The unmet condition, among those that do not depend on the answer."""
    survivor, stock = CHAIN_NAMES[seen.survivor], seen.bank[seen.survivor]
    if order.survivor not in (0, seen.survivor):
        return OwnerMustDecide(
            "other survivor", {"survivor": survivor, "wanted": CHAIN_NAMES[order.survivor]}
        )
    if stock < order.bank:
        return OwnerMustDecide("bank", {"survivor": survivor, "stock": stock, "wanted": order.bank})
    if order.tiles is not None and seen.bag_size > order.tiles:
        return OwnerMustDecide("tiles", {"left": seen.bag_size, "wanted": order.tiles})
    return None


def _numbers(order: Order, seen: Observation) -> tuple[int, int] | OwnerMustDecide:
    """The numbers of shares to sell and to trade."""
    assert seen.seat is not None
    held, stock = seen.holdings[seen.defunct][seen.seat] or 0, seen.bank[seen.survivor]
    if order.hold is None:
        return 0, 0
    wanted = order.hold + (order.trade or 0)
    if wanted > held:
        return OwnerMustDecide(
            "too few held", {"chain": CHAIN_NAMES[seen.defunct], "held": held, "wanted": wanted}
        )
    trade = 2 * min((held - order.hold) // 2, stock) if order.trade is None else order.trade
    if trade // 2 > stock:
        facts = {"survivor": CHAIN_NAMES[seen.survivor], "stock": stock, "wanted": trade // 2}
        return OwnerMustDecide("too few to trade for", facts)
    return held - order.hold - trade, trade


def _place_too_low(order: Order, seen: Observation, more: int) -> OwnerMustDecide | None:
    """The reason if the place is too low with `more` shares; with two players the bank does not count."""
    held = seen.holdings[seen.survivor]
    if None in held:
        return OwnerMustDecide("hidden")
    after = [(count or 0) + more * (seat == seen.seat) for seat, count in enumerate(held)]
    share = seen.rules.prices[seen.survivor][seen.size[seen.survivor]]
    for bonus in bonuses(seen.rules, after, share):
        if bonus.seat == seen.seat and bonus.place <= PLACES[order.place]:
            return None
    return OwnerMustDecide("place", {"survivor": CHAIN_NAMES[seen.survivor], "wanted": order.place})
