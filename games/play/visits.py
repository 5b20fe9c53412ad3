"""Visits of users to games: which entries are new, and which messages are unread."""

from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts.models import User
from games.models import Game, GameVisit
from games.models.prepared_query import Placeholder, PreparedQuery

# After a pause of this length a new visit begins, and entries since the last one are marked as new.
NEW_VISIT_AFTER = timedelta(minutes=30)

# How often a visit that goes on is saved.
VISIT_SAVE_INTERVAL = timedelta(minutes=5)


def record_visit(game_id: int, user: Any, version: int, *, away: bool = False) -> int:
    """Record that the user sees the game at `version`; return the last entry known before this visit.

    Later entries are new to the user. Nothing is new to visitors without an account, nor on the first visit.
    With `away` the page is rendered while nobody watches it, which does not count as a visit.
    """
    if not user.is_authenticated:
        return version
    now = timezone.now()
    visit = _VISIT.first(game=game_id, user=user.pk)
    if visit is None:
        if not away:
            _begin(game_id, user, version)
        return version
    since = visit.seen if visit.at < now - NEW_VISIT_AFTER else visit.seen_before
    if not away and (
        visit.seen != version or visit.seen_before != since or visit.at < now - VISIT_SAVE_INTERVAL
    ):
        _of(game_id, user).update(seen_before=since, seen=version, at=now)
    return since


_VISIT = PreparedQuery(lambda: GameVisit.objects.filter(game=Placeholder("game"), user=Placeholder("user")))


def mark_own_move_seen(game: Game, user: User, version: int) -> None:
    """Mark the entries up to `version`, which the user has made, as known to the user.

    A repeated move does not make entries new again.
    """
    earlier = _of(game.pk, user).filter(seen_before__lt=version)
    earlier.update(seen_before=version, seen=Greatest(F("seen"), version), at=timezone.now())


def mark_chat_read(game: Game, user: User, line: int) -> None:
    """Mark the chat as read up to the message with the key `line`."""
    if _of(game.pk, user).filter(read__gte=line).exists():
        return
    if not _of(game.pk, user).update(read=line):
        _begin(game.pk, user, game.version, read=line)


def _of(game_id: int, user: User) -> QuerySet[GameVisit]:
    return GameVisit.objects.filter(user=user, game=game_id)


def _begin(game_id: int, user: User, version: int, read: int = 0) -> None:
    # Two pages may open at the same moment.
    visit = GameVisit(user=user, game_id=game_id, seen_before=version, seen=version, read=read)
    GameVisit.objects.bulk_create([visit], ignore_conflicts=True)
