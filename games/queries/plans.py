"""What somebody has planned, for nobody else."""

from games.models import Plan
from games.models.prepared import Blank, Prepared
from games.plans import Planned

from .looks import Look


def planned(look: Look) -> Planned | None:
    """The plan of whoever looks; None for whoever has none, or no seat."""
    if look.seat is None or not look.game.is_running or not getattr(look.game, "has_plan", True):
        return None
    plan = _PLAN.first(game=look.game.pk, user=look.seats[look.seat].user_id)
    return None if plan is None else plan.shown()


_PLAN = Prepared(lambda: Plan.objects.filter(game=Blank("game"), user=Blank("user")))
