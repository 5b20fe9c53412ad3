"""Giving and withdrawing standing orders."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, Order
from games.orders import ORDERS

from .admission import lock_admitted_user
from .errors import NoOrders, NotRunning, NotSeated, StandIn
from .game_lock import lock_game
from .ruling_entry import complete_stored_answer


@transaction.atomic
def give_order(*, game_id: int, by: User, terms: Any, once: bool) -> Order:
    """Keep an order of a player, in the place of one about the same; it answers at once what is asked now.

    `terms` are the order as plain values. Raises NotRunning, NotSeated, StandIn while a computer plays for
    the user, NoOrders, and InvalidOrder of the rule system's orders.
    """
    lock_admitted_user(by)
    game = _lock(game_id, by)
    if game.seats.get(user=by).is_replaced:
        raise StandIn
    system = ORDERS.get(game.system)
    if system is None or not system.of_use(game.rules):
        raise NoOrders
    order = system.order_from_json(terms)
    columns = {
        "terms": system.order_to_json(order),
        "once": once,
        "occasion": "",
        "given": timezone.now(),
    }
    kept, _new = Order.objects.update_or_create(
        game=game, user=by, about=system.about(order), defaults=columns
    )
    complete_stored_answer(game)
    return kept


@transaction.atomic
def withdraw_order(*, game_id: int, by: User, about: str) -> bool:
    """Forget the order of a player about this; whether there was one. What it has answered stands.

    Raises NotRunning and NotSeated.
    """
    # The lock, so that whoever is told that the order is gone can rely on it.
    game = _lock(game_id, by)
    mine = [order for order in game.orders.filter(user=by) if order.about == about]
    for order in mine:
        order.delete()
    return bool(mine)


def _lock(game_id: int, by: User) -> Game:
    game = lock_game(game_id)
    if not game.is_running:
        raise NotRunning
    if not game.seats.filter(user=by).exists():
        raise NotSeated
    return game
