"""The standing orders of the viewer of a game; no page reads those of other players."""

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.standing_orders.order_systems import ORDERS
from games.models import StandingOrder
from games.play.automation import order_store
from games.play.game_view import GameView


def takes_orders(view: GameView) -> bool:
    """Return whether the viewer can give orders now; not while a stand-in holds the viewer's seat."""
    system = ORDERS.get(view.game.system)
    mine = view.seats[view.seat] if view.seat is not None else None
    goes_on = view.game.is_running and view.game.paused is None
    plays = mine is not None and not mine.is_replaced and goes_on and not view.game.is_practice
    return plays and system is not None and bool(system.of_use(view.game.rules))


def orders_of(view: GameView) -> list[StandingOrder]:
    """The viewer's orders that are still available; one for a single occasion is gone after it."""
    if view.seat is None or view.game.system not in ORDERS:
        return []
    occasion = ORDERS[view.game.system].occasion(view.seen)
    mine = order_store.orders_of(view.game, view.seats[view.seat].user_id)
    return [order for order in mine if order.is_available(occasion)]


def order_that_asks(view: GameView, given: list[StandingOrder] | None = None) -> OwnerMustDecide | None:
    """Return why an order of the viewer leaves the current decision to the viewer, or None.

    `given` are the viewer's orders (`orders_of`) if they were read before.
    """
    if not takes_orders(view):
        return None
    found = order_store.order_outcome(view.game, orders_of(view) if given is None else given, view.seen)
    return found if isinstance(found, OwnerMustDecide) else None
