"""Who talks with whom at a table: players with players, watchers with watchers, at the end all with all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.models import Block, ChatMessage, Game, GameVisit, MutedMember

PLAYERS, WATCHERS = ChatMessage.Channel.PLAYERS, ChatMessage.Channel.SPECTATORS

# What somebody may read: one channel, or both.
READS: Final[Sequence[tuple[str, ...]]] = ((PLAYERS,), (WATCHERS,), (PLAYERS, WATCHERS))


@dataclass(frozen=True)
class ChatAccess:
    """The channels that somebody reads, and the one where that person writes ("" for none)."""

    reads: tuple[str, ...] = ()
    writes: str = ""


def chat_access(game: Game, user: Any) -> ChatAccess:
    """What the user may read and where write. Members talk; guests and strangers neither read nor write.

    While a game runs its players must not hear what watchers say, and watchers not what players agree on.
    Before the start only those who sit at the table talk. At a practice table nobody has anybody to write to.
    Where a moderator has locked the talk, it is read, and nobody writes.
    """
    if game.is_practice or not user.is_authenticated or user.is_guest or not user.is_active:
        return ChatAccess()
    found = _default_access(game, user)
    return ChatAccess(found.reads) if game.chat_locked_at is not None else found


def _default_access(game: Game, user: Any) -> ChatAccess:
    seated = any(seat.user_id == user.pk for seat in game.seats.all())
    own = PLAYERS if seated else WATCHERS
    if game.is_finished:
        return ChatAccess((PLAYERS, WATCHERS), own)
    if game.is_running:
        return ChatAccess((own,), own)
    if not seated:
        return ChatAccess()
    return ChatAccess((PLAYERS,), PLAYERS if game.is_open else "")


def lines_for(game: Game, user: User, reads: tuple[str, ...]) -> QuerySet[ChatMessage]:
    """What the user reads of these channels: nothing that was taken away, nor of people the user muted."""
    return readable_messages(game.lines.all(), user, reads)


def readable_messages(
    lines: QuerySet[ChatMessage], user: Any, reads: tuple[str, ...]
) -> QuerySet[ChatMessage]:
    """Those of the lines that the user reads in these channels."""
    muted = MutedMember.objects.filter(user=user).values("person")
    return lines.filter(channel__in=reads, removed=None).exclude(user__in=muted)


def is_blocked_author(user: Any) -> Exists:
    """Of a query of lines: whether the user has blocked who said it, so that it is shown folded."""
    return Exists(Block.objects.filter(user=user, person=OuterRef("user")))


def open_lines_for(game: Game, user: User, reads: tuple[str, ...]) -> QuerySet[ChatMessage]:
    """What the user reads of these channels without unfolding a line."""
    return lines_for(game, user, reads).filter(~is_blocked_author(user))


def is_unread(line: ChatMessage, user: User) -> bool:
    """Whether the user may read the line and has not done so."""
    shown = open_lines_for(line.game, user, chat_access(line.game, user).reads).filter(pk=line.pk)
    return (
        shown.exists() and not GameVisit.objects.filter(user=user, game=line.game, read__gte=line.pk).exists()
    )
