"""What somebody has planned, for nobody else."""

from games.engine.planned_turns.plan_errors import PlanView
from games.models import PlannedTurn
from games.models.prepared_query import Placeholder, PreparedQuery
from games.play.game_view import GameView


def planned(look: GameView) -> PlanView | None:
    """The plan of whoever looks; None for whoever has none, or no seat."""
    if look.seat is None or not look.game.is_running or not getattr(look.game, "has_plan", True):
        return None
    plan = _PLAN.first(game=look.game.pk, user=look.seats[look.seat].user_id)
    return None if plan is None else plan.shown()


_PLAN = PreparedQuery(lambda: PlannedTurn.objects.filter(game=Placeholder("game"), user=Placeholder("user")))
