"""On-time rates: counts of each player's decisions, and the rates that hosts may ask for."""

from collections.abc import Iterable

from django.db.models import F, QuerySet
from django.db.models.lookups import GreaterThan

from accounts.models import User
from games.models import Reliability

# Below this number of decisions a rate means little, so none is shown or checked.
MIN_DECISIONS_KNOWN = 20

# In per cent.
MINIMUM_CHOICES = (80, 90, 95)


def count_decision(user_id: int, *, late: bool) -> None:
    """Count a decision with a time limit, made by this user or for this user after a timeout."""
    _add(user_id, decisions=1, late=int(late))


def uncount_decisions(user_id: int, number: int) -> None:
    """Uncount decisions that the user made in time and has taken back."""
    known = Reliability.objects.filter(user=user_id, decisions__gte=number)
    known.update(decisions=F("decisions") - number)


def count_lost_seat(user_id: int) -> None:
    """Count that a stand-in took the seat of this user, who timed out or left a live game."""
    _add(user_id, left=1)


def uncount_lost_seat(user_id: int) -> None:
    """Uncount a lost seat of this user, who was back before anything was decided there."""
    Reliability.objects.filter(user=user_id, left__gte=1).update(left=F("left") - 1)


def _add(user_id: int, **more: int) -> None:
    added = {name: F(name) + number for name, number in more.items()}
    if not Reliability.objects.filter(user=user_id).update(**added):
        Reliability.objects.get_or_create(user_id=user_id)
        Reliability.objects.filter(user=user_id).update(**added)


def share_in_time(known: Reliability | None) -> int | None:
    """The on-time rate in per cent, rounded down; None while too few decisions are known."""
    if known is None or known.decisions < MIN_DECISIONS_KNOWN:
        return None
    return 100 * (known.decisions - known.late) // known.decisions


def shares_in_time(users: Iterable[int]) -> dict[int, int | None]:
    """The on-time rates of several users; those who have decided nothing yet are left out."""
    known = Reliability.objects.filter(user__in=users)
    return {row.user_id: share_in_time(row) for row in known}


def is_reliable(user: User, least: int | None) -> bool:
    """Return whether a user meets the on-time rate that a host asks for; new users do."""
    return least is None or not unreliable(least).filter(user=user).exists()


def unreliable(least: int | F) -> QuerySet[Reliability]:
    """The rows of users whose on-time rate is below `least`."""
    return Reliability.objects.filter(
        GreaterThan(F("late") * 100, F("decisions") * (100 - least)), decisions__gte=MIN_DECISIONS_KNOWN
    )
