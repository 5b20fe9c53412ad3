"""Save and withdraw standing orders."""

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
    """Save a player's order in place of one on the same topic, and let it answer an open decision.

    `terms` are the order as plain values. Raises GameNotRunning, NotSeated, BotIsPlaying while a stand-in
    holds the user's seat, NoStandingOrders, and InvalidOrder.
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
        game=game, user=by, topic=system.topic(order), defaults=columns
    )
    complete_stored_answer(game, by)
    return kept


@transaction.atomic
def withdraw_order(*, game_id: int, by: User, topic: str) -> bool:
    """Delete a player's order on this topic; return whether there was one.

    Moves it has made stand. Raises GameNotRunning and NotSeated.
    """
    # Lock first: once the page says that the order is gone, it must not answer any more.
    game = _lock(game_id, by)
    mine = [order for order in game.orders.filter(user=by) if order.topic == topic]
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
