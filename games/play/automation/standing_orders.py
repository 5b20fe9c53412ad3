"""Giving and withdrawing standing orders."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.standing_orders.order_systems import ORDERS
from games.models import Game, StandingOrder
from games.play.game_lock import lock_game
from games.play.ruling_entry import complete_stored_answer
from games.players.admission import lock_admitted_user
from games.refusals import BotIsPlaying, GameNotRunning, NoStandingOrders, NotSeated


@transaction.atomic
def save_order(*, game_id: int, by: User, terms: Any, once: bool) -> StandingOrder:
    """Keep an order of a player, in the place of one about the same; it answers at once what is asked now.

    `terms` are the order as plain values. Raises NotRunning, NotSeated, StandIn while a computer plays for
    the user, NoOrders, and InvalidOrder of the rule system's orders.
    """
    lock_admitted_user(by)
    game = _lock(game_id, by)
    if game.seats.get(user=by).is_replaced:
        raise BotIsPlaying
    system = ORDERS.get(game.system)
    if system is None or not system.of_use(game.rules):
        raise NoStandingOrders
    order = system.order_from_json(terms)
    columns = {
        "order_json": system.order_to_json(order),
        "once": once,
        "occasion": "",
        "given": timezone.now(),
    }
    kept, _new = StandingOrder.objects.update_or_create(
        game=game, user=by, topic=system.about(order), defaults=columns
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
    mine = [order for order in game.orders.filter(user=by) if order.topic == about]
    for order in mine:
        order.delete()
    return bool(mine)


def _lock(game_id: int, by: User) -> Game:
    game = lock_game(game_id)
    if not game.is_running:
        raise GameNotRunning
    if not game.seats.filter(user=by).exists():
        raise NotSeated
    return game
