"""Standing orders: what they answer in the place of their owner."""

from collections.abc import Iterable
from typing import Any

from games.engine.standing_orders.order_systems import ORDERS, order_answer
from games.models import Game, StandingOrder
from games.models.prepared_query import Placeholder, PreparedQuery


def available_orders(game: Game, given: Iterable[StandingOrder], occasion: str) -> dict[str, Any]:
    """The orders among those of a user that are there for this occasion, by what they are about."""
    read = ORDERS[game.system].order_from_json
    return {order.topic: read(order.order_json) for order in given if order.is_available(occasion)}


def orders_of(game: Game, user_id: int | None) -> list[StandingOrder]:
    """All orders of this user in this game."""
    if user_id is None or not getattr(game, "has_orders", True):
        return []
    return _ORDERS.rows(game=game.pk, user=user_id)


_ORDERS = PreparedQuery(
    lambda: StandingOrder.objects.filter(game=Placeholder("game"), user=Placeholder("user"))
)


def mark_order_used(game: Game, user_id: int | None, about: str, occasion: str) -> None:
    """An order for once is used up by the first occasion that it could answer, even if it must ask."""
    game.orders.filter(user=user_id, topic=about, once=True, occasion="").update(occasion=occasion)


def order_outcome(game: Game, given: Iterable[StandingOrder], seen: Any) -> Any:
    """What the orders of a user have for the decision in the observation: a move, an `Ask`, or None."""
    system = ORDERS[game.system]
    if not system.concerned(seen):
        return None
    tried = order_answer(game.system, available_orders(game, given, system.occasion(seen)), seen)
    return tried[-1][1] if tried else None


def restore_used_orders(game: Game, undone: Iterable[Any], goal: Any) -> None:
    """Let orders for once be there again that were used on occasions that have not come about now.

    `undone` are the states of a game that it has left by going back to the state `goal`.
    """
    if game.system not in ORDERS:
        return
    occasions = {_occasion(game, state) for state in undone} - {"", _occasion(game, goal)}
    game.orders.filter(once=True, occasion__in=occasions).update(occasion="")


def _occasion(game: Game, state: Any) -> str:
    return ORDERS[game.system].occasion(game.rule_system.observe(state, None))
