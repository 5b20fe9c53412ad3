"""Queries and updates of standing orders."""

from collections.abc import Iterable
from typing import Any

from games.engine.standing_orders.order_systems import ORDERS, order_answer
from games.models import Game, StandingOrder
from games.models.prepared_query import Placeholder, PreparedQuery


def available_orders(game: Game, given: Iterable[StandingOrder], occasion: str) -> dict[str, Any]:
    """The orders among `given` that are available on this occasion, by topic."""
    read = ORDERS[game.system].order_from_json
    return {order.topic: read(order.order_json) for order in given if order.is_available(occasion)}


def orders_of(game: Game, user_id: int | None) -> list[StandingOrder]:
    """All standing orders of this user in this game."""
    if user_id is None or not getattr(game, "has_orders", True):
        return []
    return _ORDERS.rows(game=game.pk, user=user_id)


_ORDERS = PreparedQuery(
    lambda: StandingOrder.objects.filter(game=Placeholder("game"), user=Placeholder("user"))
)


def mark_order_used(game: Game, user_id: int | None, topic: str, occasion: str) -> None:
    """Mark an order for one occasion as used on it, even if its owner must decide."""
    game.orders.filter(user=user_id, topic=topic, once=True, occasion="").update(occasion=occasion)


def order_outcome(game: Game, given: Iterable[StandingOrder], seen: Any) -> Any:
    """The outcome of the orders for the decision in an observation: a move, an OwnerMustDecide, or None."""
    system = ORDERS[game.system]
    if not system.concerned(seen):
        return None
    tried = order_answer(game.system, available_orders(game, given, system.occasion(seen)), seen)
    return tried[-1][1] if tried else None


def restore_used_orders(game: Game, undone: Iterable[Any], goal: Any) -> None:
    """Make orders for one occasion available again whose occasion a takeback has undone.

    `undone` are the states that the game has left by going back to the state `goal`.
    """
    if game.system not in ORDERS:
        return
    occasions = {_occasion(game, state) for state in undone} - {"", _occasion(game, goal)}
    game.orders.filter(once=True, occasion__in=occasions).update(occasion="")


def _occasion(game: Game, state: Any) -> str:
    return ORDERS[game.system].occasion(game.rule_system.observe(state, None))
