"""Standing orders: what they answer in the place of their owner."""

from collections.abc import Iterable
from typing import Any

from games.models import Game, Order
from games.models.prepared import Blank, Prepared
from games.orders import ORDERS, follow


def there(game: Game, given: Iterable[Order], occasion: str) -> dict[str, Any]:
    """The orders among those of a user that are there for this occasion, by what they are about."""
    read = ORDERS[game.system].order_from_json
    return {order.about: read(order.terms) for order in given if order.serves(occasion)}


def of(game: Game, user_id: int | None) -> list[Order]:
    """All orders of this user in this game."""
    if user_id is None or not getattr(game, "has_orders", True):
        return []
    return _ORDERS.rows(game=game.pk, user=user_id)


_ORDERS = Prepared(lambda: Order.objects.filter(game=Blank("game"), user=Blank("user")))


def used(game: Game, user_id: int | None, about: str, occasion: str) -> None:
    """An order for once is used up by the first occasion that it could answer, even if it must ask."""
    game.orders.filter(user=user_id, about=about, once=True, occasion="").update(occasion=occasion)


def outcome(game: Game, given: Iterable[Order], seen: Any) -> Any:
    """What the orders of a user have for the decision in the observation: a move, an `Ask`, or None."""
    system = ORDERS[game.system]
    if not system.concerned(seen):
        return None
    tried = follow(game.system, there(game, given, system.occasion(seen)), seen)
    return tried[-1][1] if tried else None


def taken_back(game: Game, undone: Iterable[Any], goal: Any) -> None:
    """Let orders for once be there again that were used on occasions that have not come about now.

    `undone` are the states of a game that it has left by going back to the state `goal`.
    """
    if game.system not in ORDERS:
        return
    occasions = {_occasion(game, state) for state in undone} - {"", _occasion(game, goal)}
    game.orders.filter(once=True, occasion__in=occasions).update(occasion="")


def _occasion(game: Game, state: Any) -> str:
    return ORDERS[game.system].occasion(game.rule_system.observe(state, None))
