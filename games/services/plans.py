"""Turns planned ahead: what a plan answers when its owner is asked, and when it is over.

Plans are read and written under the lock of their game.
"""

from games.models import Game, Plan
from games.plans import Ask


def standing(game: Game, user_id: int | None) -> Plan | None:
    """The plan of the user that is still followed, or None."""
    return Plan.objects.filter(game=game, user=user_id, stopped__isnull=True).first()


def taken_back(game: Game) -> None:
    """Follow the plan of whoever is asked now no further: a move was taken back to be made differently."""
    for plan in Plan.objects.filter(game=game, user=game.asked_id, stopped__isnull=True):
        plan.stop(Ask("taken back"))


def turn_over(game: Game, user_id: int | None) -> None:
    """Forget what the user planned for the turn that is over."""
    if user_id is not None:
        Plan.objects.filter(game=game, user=user_id).delete()


def game_over(game: Game) -> None:
    """Forget what anybody planned for turns that do not come any more."""
    Plan.objects.filter(game=game).delete()
