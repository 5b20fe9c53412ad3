"""Turns planned ahead: what a plan answers when its owner is asked, and when it is over.

Plans are read and written under the lock of their game.
"""

from games.engine.planned_turns.plan_errors import OwnerMustDecide
from games.models import Game, PlannedTurn


def active_plan(game: Game, user_id: int | None) -> PlannedTurn | None:
    """The plan of the user that is still followed, or None."""
    return PlannedTurn.objects.filter(game=game, user=user_id, stop_reason__isnull=True).first()


def stop_plan_after_takeback(game: Game) -> None:
    """Follow the plan of whoever is asked now no further: a move was taken back to be made differently."""
    for plan in PlannedTurn.objects.filter(game=game, user=game.waiting_for_id, stop_reason__isnull=True):
        plan.stop(OwnerMustDecide("taken back"))


def delete_finished_plan(game: Game, user_id: int | None) -> None:
    """Forget what the user planned for the turn that is over."""
    if user_id is not None:
        PlannedTurn.objects.filter(game=game, user=user_id).delete()


def delete_all_plans(game: Game) -> None:
    """Forget what anybody planned for turns that do not come any more."""
    PlannedTurn.objects.filter(game=game).delete()
