"""Members of a similar rating."""

from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import OVERALL, Rating
from games.ratings.skill_model import MU, POINTS_A_UNIT

# Ratings that differ by this many points at most are similar: the better player is ahead in 64 games of 100.
SIMILAR_POINTS: Final = 100


def of_shown_members(ratings: QuerySet[Rating]) -> QuerySet[Rating]:
    """Leave out the ratings of closed and of suspended accounts.

    They are few and listed at once: joined, all members would be read.
    """
    left_out = User.objects.filter(Q(is_active=False) | Q(suspended_until__gt=timezone.now()))
    return ratings.exclude(user__in=left_out.values("pk"))


def mu_of(user: Any, system: str) -> float:
    """The member's rating in all games of a system; that of a new member without one."""
    own = Rating.objects.filter(user=user.pk, system=system, month="", players=OVERALL)
    mu = own.values_list("mu", flat=True).first()
    return MU if mu is None else mu


def similar_ratings(user: Any, system: str) -> QuerySet[Rating]:
    """The ratings, in all games of a system, of other members who are about as strong as this one."""
    mu, reach = mu_of(user, system), SIMILAR_POINTS / POINTS_A_UNIT
    similar = of_shown_members(Rating.objects.filter(system=system, month="", players=OVERALL))
    return similar.filter(mu__gte=mu - reach, mu__lte=mu + reach).exclude(user=user.pk)
