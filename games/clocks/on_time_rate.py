"""How far players can be relied on: counted as they decide, and what hosts may ask for."""

from collections.abc import Iterable

from django.db.models import F, QuerySet
from django.db.models.lookups import GreaterThan

from accounts.models import User
from games.models import Reliability

# Of whom so few decisions are known nothing is said, and nothing is held against them.
MIN_DECISIONS_KNOWN = 20

# What a host may ask for, in per cent.
MINIMUM_CHOICES = (80, 90, 95)


def count_decision(user_id: int, *, late: bool) -> None:
    """A decision with a time limit was made by this user, or for this user because time was over."""
    _add(user_id, decisions=1, late=int(late))


def uncount_decisions(user_id: int, number: int) -> None:
    """So many decisions of this user, made in time, were taken back and will be made anew."""
    known = Reliability.objects.filter(user=user_id, decisions__gte=number)
    known.update(decisions=F("decisions") - number)


def count_lost_seat(user_id: int) -> None:
    """A computer took the seat of this user, whose time was over."""
    _add(user_id, left=1)


def _add(user_id: int, **more: int) -> None:
    added = {name: F(name) + number for name, number in more.items()}
    if not Reliability.objects.filter(user=user_id).update(**added):
        Reliability.objects.get_or_create(user_id=user_id)
        Reliability.objects.filter(user=user_id).update(**added)


def share_in_time(known: Reliability | None) -> int | None:
    """How many per cent of a user's decisions came in time, rounded down; None while too few are known."""
    if known is None or known.decisions < MIN_DECISIONS_KNOWN:
        return None
    return 100 * (known.decisions - known.late) // known.decisions


def shares_in_time(users: Iterable[int]) -> dict[int, int | None]:
    """The same for several users at once; who is not in it has decided nothing yet."""
    known = Reliability.objects.filter(user__in=users)
    return {row.user_id: share_in_time(row) for row in known}


def is_reliable(user: User, least: int | None) -> bool:
    """Whether a user meets what a host asks for; whoever is new does."""
    return least is None or not unreliable(least).filter(user=user).exists()


def unreliable(least: int | F) -> QuerySet[Reliability]:
    """Those who do not meet what is asked for."""
    return Reliability.objects.filter(
        GreaterThan(F("late") * 100, F("decisions") * (100 - least)), decisions__gte=MIN_DECISIONS_KNOWN
    )
