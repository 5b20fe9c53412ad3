"""The chat messages and notes that one member may read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import Count, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from games.chat.messages import MENTION
from games.models import Block, ChatMessage, Game, GameVisit, MutedMember, Note
from games.models.prepared_query import Placeholder, PreparedQuery
from games.players.chat_access import (
    PLAYERS,
    READS,
    ChatAccess,
    chat_access,
    is_blocked_author,
    lines_for,
    lines_in,
    readable_messages,
)

LATEST = 50
TALK_PAGE = 200

# Open pages ask again at every tick, and at once when they are looked at again.
REMOVED_LATELY = timedelta(minutes=10)


@dataclass(frozen=True)
class Conversation:
    """Messages for one reader, oldest first; those of members whom the reader blocked are `folded`.

    `read` is the key of the last message that the reader had read; `older` tells whether there are messages
    before the first one. `removed` are the keys of messages that a page may still show.
    """

    access: ChatAccess
    lines: Sequence[ChatMessage]
    read: int
    older: bool
    removed: Sequence[int] = ()


def conversation(
    game: Game, user: Any, *, after: int = 0, before: int = 0, most: int = LATEST
) -> Conversation | None:
    """The latest messages for this user after and before the given keys; None without access."""
    found = chat_access(game, user)
    if not found.reads:
        return None
    lines = lines_for(game, user, found.reads).filter(pk__gt=after).select_related("user")
    lines = lines.annotate(folded=is_blocked_author(user))
    if before:
        lines = lines.filter(pk__lt=before)
    latest = list(lines.order_by("-pk")[: most + 1])
    shown = latest[most - 1 :: -1] if len(latest) > most else latest[::-1]
    return Conversation(
        found, shown, _read(game, user), len(latest) > most, _removed_lately(game, user, found.reads, after)
    )


def _removed_lately(game: Game, user: User, reads: tuple[str, ...], shown: int) -> list[int]:
    """The keys of messages that were removed lately, up to the last one that a page shows."""
    if not shown:
        return []
    since = timezone.now() - REMOVED_LATELY
    lines = lines_in(game.lines.all(), user, reads).filter(removed__gt=since, pk__lte=shown)
    return list(lines.values_list("pk", flat=True))


def unread(game: Game, user: Any) -> int | None:
    """The number of unread messages of others that are not folded; None if the user has no chat partner."""
    found = chat_access(game, user)
    if not found.reads or (found.reads == (PLAYERS,) and _is_alone(game)):
        return None
    if not getattr(game, "has_unread", True):
        return 0
    return _UNREAD[found.reads].first(game=game.pk, reader=user.pk) or 0


def is_mentioned(game: Game, user: User) -> bool:
    """Return whether an unread message mentions the user, who has access to the chat."""
    name = user.get_short_name().lower()
    texts = _new_messages(game, user, chat_access(game, user).reads).values_list("text", flat=True)
    return any(name == found.lower() for text in texts for found in MENTION.findall(text))


def _new_messages(game: Any, reader: Any, reads: tuple[str, ...]) -> QuerySet[ChatMessage]:
    """The unread messages of others that are not folded."""
    known = GameVisit.objects.filter(user=reader, game=game).values("read")
    lines = readable_messages(ChatMessage.objects.filter(game=game), reader, reads).filter(
        ~is_blocked_author(reader)
    )
    return lines.exclude(user=reader).filter(pk__gt=Coalesce(Subquery(known), 0)).order_by()


def _unread(reads: tuple[str, ...]) -> QuerySet[ChatMessage, int]:
    new = _new_messages(Placeholder("game"), Placeholder("reader"), reads)
    return new.values("game").annotate(number=Count("pk")).values_list("number", flat=True)


_UNREAD = {reads: PreparedQuery(partial(_unread, reads)) for reads in READS}


def line_for(game: Game, user: Any, pk: int) -> ChatMessage | None:
    """The message with this key if the user may read it, even from a muted member; else None."""
    reads = chat_access(game, user).reads
    found = lines_in(game.lines.filter(pk=pk, removed=None), user, reads)
    return found.select_related("user", "game").first()


def muted_by(user: User) -> QuerySet[User]:
    """The members whom the user has muted."""
    return User.objects.filter(pk__in=MutedMember.objects.filter(user=user).values("person")).order_by(
        "username"
    )


def blocked_by(user: User) -> QuerySet[User]:
    """The members whom the user has blocked."""
    return User.objects.filter(pk__in=Block.objects.filter(user=user).values("person")).order_by("username")


def note(game: Game, user: Any) -> Note:
    """The user's own note about the game; an empty, unsaved one before the first."""
    found = _NOTE.first(game=game.pk, user=user.pk) if getattr(game, "has_notes", True) else None
    if found is not None:
        found.game, found.user = game, user
    return found or Note(game=game, user=user)


_NOTE = PreparedQuery(lambda: Note.objects.filter(game=Placeholder("game"), user=Placeholder("user")))


def _read(game: Game, user: User) -> int:
    return GameVisit.objects.filter(user=user, game=game).values_list("read", flat=True).first() or 0


def _is_alone(game: Game) -> bool:
    """Return whether only one person sits at the table and nobody has written anything yet."""
    people = [seat for seat in game.seats.all() if seat.user_id is not None]
    return len(people) < 2 and not game.lines.filter(channel=PLAYERS).exists()
