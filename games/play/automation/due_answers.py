"""Play the answers of orders and plans whose time has come."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.refusals import Refusal
from games.models import Game
from games.play.automation.automatic_moves import play_automatic_moves
from games.play.game_lock import lock_game
from games.play.ruling_entry import complete_automatic_moves


def games_with_due_answers(now: datetime) -> QuerySet[Game]:
    """The games in which an order or a plan should have answered."""
    return Game.objects.filter(answer_due_at__lte=now, paused=None).order_by("answer_due_at")


@transaction.atomic
def play_due_answer(game_id: int, now: datetime) -> bool:
    """Play the answer of the order or plan of the player to move; return whether there was one.

    The request may be early, late or repeated: if nothing is due, nothing happens. If the order or plan is
    gone by now, its player decides and is notified soon.
    """
    try:
        game = lock_game(game_id)
    except Refusal:
        return False  # the answer is still due after the pause
    if game.answer_due_at is None or game.answer_due_at > now:
        return False
    game.answer_due_at = None
    version = game.version
    play_automatic_moves(game, by_id=game.waiting_for_id)
    if game.version > version:
        complete_automatic_moves(game)
        return True
    # A failed attempt has read the game again.
    game.answer_due_at = None
    game.save(update_fields=["answer_due_at"])
    return False
