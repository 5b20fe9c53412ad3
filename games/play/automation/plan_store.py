"""Queries and updates of planned turns, made under the lock of their game."""

from games.engine.owner_must_decide import OwnerMustDecide
from games.models import Game, PlannedTurn, Seat


def active_plan(game: Game, user_id: int | None) -> PlannedTurn | None:
    """The plan of the user that is still followed, or None."""
    return PlannedTurn.objects.filter(game=game, user=user_id, stop_reason__isnull=True).first()


def stop_plan_after_takeback(game: Game) -> None:
    """Stop the plan of the player to move, who took a move back to decide differently."""
    for plan in PlannedTurn.objects.filter(game=game, user=game.waiting_for_id, stop_reason__isnull=True):
        plan.stop(OwnerMustDecide("taken back"))


def delete_finished_plan(game: Game, seat: Seat) -> None:
    """Delete the plan of the seat's player for a turn that is over."""
    if seat.user_id is not None and getattr(seat, "has_plan", True):
        PlannedTurn.objects.filter(game=game, user=seat.user_id).delete()


def delete_all_plans(game: Game) -> None:
    """Delete all plans of a game that is over."""
    PlannedTurn.objects.filter(game=game).delete()
