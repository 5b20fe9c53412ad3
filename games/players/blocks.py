"""Blocks and moderator duties that bar a member from a table.

A block works both ways, and no message tells who made it.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When

from accounts.models import AuditEntry, User
from games.models import Block, Game, Kick, Seat

# No user has this key.
_NOBODY = 0


def is_blocked_between(user: User, person: User) -> bool:
    """Return whether one of the two has blocked the other."""
    return Block.objects.filter(Q(user=user, person=person) | Q(user=person, person=user)).exists()


def with_any(user: User, people: Iterable[int]) -> bool:
    """Return whether a block stands between the user and one of these people, given by key."""
    return _with_any(user, list(people)).exists()


def table_bars(game: Game, user: User, people: Iterable[int]) -> set[str]:
    """Reasons that bar the user from a table with these people: any of "kick", "block" and "office".

    One query, however many people there are.
    """
    kicks = Kick.objects.filter(game=game, user=user).annotate(why=Value("kick")).values_list("why")
    blocks = _with_any(user, list(people)).annotate(why=Value("block")).values_list("why")
    acts = moderated_by(game, user).order_by().annotate(why=Value("office")).values_list("why")
    return {why for (why,) in kicks.union(blocks, acts)}


def moderated_by(game: Game, user: Any) -> QuerySet[AuditEntry]:
    """The user's staff actions on a game; a moderator who has acted on a game may not play in it.

    Otherwise a moderator could empty a seat and sit down in it.
    """
    return AuditEntry.objects.filter(game=game.public_id, by=user)


def kicked_or_blocked(game: Game, user: User, people: Iterable[int]) -> tuple[bool, set[int]]:
    """Return whether the user was kicked from a game, and which of these people a block bars.

    One query, however many people there are.
    """
    kicks = (
        Kick.objects.filter(game=game, user=user)
        .annotate(who=Value(_NOBODY, BigIntegerField()))
        .values_list("who")
    )
    other = Case(When(user=user, then=F("person_id")), default=F("user_id"))
    blocks = _with_any(user, list(people)).annotate(who=other).values_list("who")
    found = {who for (who,) in kicks.union(blocks)}
    return _NOBODY in found, found - {_NOBODY}


def blocked_member_seated(user: Any) -> Q:
    """The condition that somebody seated in a game is blocked by the user, or has blocked the user.

    For games that are not over.
    """
    seats = Seat.objects.filter(replaced_at=None, ended=None)
    mine = seats.filter(user__in=Block.objects.filter(user=user.pk).values("person"))
    theirs = seats.filter(user__in=Block.objects.filter(person=user.pk).values("user"))
    # Two lists: one with both conditions would be read from all seats.
    return Q(pk__in=mine.values("game")) | Q(pk__in=theirs.values("game"))


def _with_any(user: User, people: list[int]) -> QuerySet[Block]:
    return Block.objects.filter(Q(user=user, person__in=people) | Q(user__in=people, person=user))
