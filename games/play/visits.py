"""Visits of users to games: which entries are new, and which messages are unread."""

from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts.models import User
from accounts.models.write_if_free import write_if_free
from games.models import Game, GameVisit
from games.models.prepared_query import Placeholder, PreparedQuery

# After a pause of this length a new visit begins, and entries since the last one are marked as new.
NEW_VISIT_AFTER = timedelta(minutes=30)

# A visit that goes on is saved at the first interval. At a live table, where it tells who is there, it is
# saved at the second.
VISIT_SAVE_INTERVAL = timedelta(minutes=5)
LIVE_SAVE_INTERVAL = timedelta(seconds=15)


def record_visit(game_id: int, user: Any, version: int, *, away: bool = False) -> int:
    """Record that the user sees the game at `version`; return the last entry known before this visit.

    Later entries are new to the user. Nothing is new to visitors without an account, nor on the first visit.
    With `away` the page is rendered while nobody watches it, which does not count as a visit.
    """
    if not user.is_authenticated:
        return version
    visit = _VISIT.first(game=game_id, user=user.pk)
    if visit is None:
        return _record(Game(pk=game_id, version=version), user, None, away)
    game = Game(pk=game_id, version=version, started=visit.started, seconds_per_move=visit.pace)
    return _record(game, user, visit, away)


def record_visit_of_reader(game: Game, user: Any, *, away: bool = False) -> int:
    """Do the same as `record_visit` for a game that `games.play.game_view` has read for this user."""
    if not user.is_authenticated:
        return game.version
    seen, seen_before, at = (getattr(game, f"visit_{name}") for name in ("seen", "seen_before", "at"))
    visit = None if at is None else GameVisit(seen=seen, seen_before=seen_before, at=at)
    return _record(game, user, visit, away)


def _record(game: Game, user: User, visit: GameVisit | None, away: bool) -> int:
    now = timezone.now()
    if visit is None:
        if not away:
            write_if_free(partial(_begin, game.pk, user, game.version))
        return game.version
    since = visit.seen if visit.at < now - NEW_VISIT_AFTER else visit.seen_before
    # A visit before the start was to the chat, not to the table.
    interval = LIVE_SAVE_INTERVAL if game.is_live else VISIT_SAVE_INTERVAL
    is_old = visit.at < now - interval or (game.started is not None and visit.at < game.started)
    if not away and (visit.seen != game.version or visit.seen_before != since or is_old):
        # The next look records it if this one cannot.
        update = partial(_of(game.pk, user).update, seen_before=since, seen=game.version, at=now)
        write_if_free(update)
    return since


_VISIT = PreparedQuery(
    lambda: GameVisit.objects.filter(game=Placeholder("game"), user=Placeholder("user")).annotate(
        started=F("game__started"), pace=F("game__seconds_per_move")
    )
)


def mark_own_move_seen(game: Game, user: User, version: int) -> None:
    """Mark the entries up to `version`, which the user has made, as known to the user.

    A repeated move does not make entries new again.
    """
    earlier = _of(game.pk, user).filter(seen_before__lt=version)
    earlier.update(seen_before=version, seen=Greatest(F("seen"), version), at=timezone.now())


def mark_chat_read(game: Game, user: User, line: int) -> None:
    """Mark the chat as read up to the message with the key `line`; the game is as the user sees it."""
    if _of(game.pk, user).filter(read__gte=line).exists():
        return
    write_if_free(partial(_mark_read, game, user, line))


def _mark_read(game: Game, user: User, line: int) -> None:
    if not _of(game.pk, user).update(read=line):
        _begin(game.pk, user, game.version, read=line)


def _of(game_id: int, user: User) -> QuerySet[GameVisit]:
    return GameVisit.objects.filter(user=user, game=game_id)


def _begin(game_id: int, user: User, version: int, read: int = 0) -> None:
    # Two pages may open at the same moment.
    visit = GameVisit(user=user, game_id=game_id, seen_before=version, seen=version, read=read)
    GameVisit.objects.bulk_create([visit], ignore_conflicts=True)
