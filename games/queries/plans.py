"""What somebody has planned, for nobody else."""

from games.models import Plan
from games.plans import Planned

from .looks import Look


def planned(look: Look) -> Planned | None:
    """The plan of whoever looks; None for whoever has none, or no seat."""
    if look.seat is None or not look.game.is_running:
        return None
    plan = Plan.objects.filter(game=look.game, user=look.seats[look.seat].user_id).first()
    return None if plan is None else plan.shown()
