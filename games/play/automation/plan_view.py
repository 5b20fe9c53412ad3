"""The viewer's own planned turn."""

from games.engine.planned_turns.plan_errors import PlanView
from games.models import PlannedTurn
from games.models.prepared_query import Placeholder, PreparedQuery
from games.play.game_view import GameView


def planned(view: GameView) -> PlanView | None:
    """The viewer's planned turn; None without one or without a seat."""
    if view.seat is None or not view.game.is_running or not getattr(view.game, "has_plan", True):
        return None
    plan = _PLAN.first(game=view.game.pk, user=view.seats[view.seat].user_id)
    return None if plan is None else plan.shown()


_PLAN = PreparedQuery(lambda: PlannedTurn.objects.filter(game=Placeholder("game"), user=Placeholder("user")))
