"""Access to the chat: players among themselves, spectators too, and all together after the end.

Only its members and moderators read what is written to a team, even after the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.models import Block, ChatMessage, Game, GameVisit, MutedMember, Seat

PLAYERS, WATCHERS = ChatMessage.Channel.PLAYERS, ChatMessage.Channel.SPECTATORS

# The channel of each team, by its number.
TEAMS: Final = (ChatMessage.Channel.TEAM_1, ChatMessage.Channel.TEAM_2, ChatMessage.Channel.TEAM_3)

# The sets of channels that somebody may read.
READS: Final[Sequence[tuple[str, ...]]] = (
    (PLAYERS,),
    (WATCHERS,),
    (PLAYERS, WATCHERS),
    *((PLAYERS, team) for team in TEAMS),
    *((PLAYERS, WATCHERS, team) for team in TEAMS),
)


@dataclass(frozen=True)
class ChatAccess:
    """The channels that a user reads, the one to write to, and that of the user's team ("" for none)."""

    reads: tuple[str, ...] = ()
    writes: str = ""
    team: str = ""


def chat_access(game: Game, user: Any) -> ChatAccess:
    """The channels that the user may read and write to; none for guests and visitors.

    While a game runs, its players must not read what spectators write, nor spectators what players agree on.
    Before the start only seated players chat. A practice table has no chat. A locked chat can be read only.
    """
    if game.is_practice or not user.is_authenticated or user.is_guest or not user.is_active:
        return ChatAccess()
    found = _default_access(game, user)
    return ChatAccess(found.reads) if game.chat_locked_at is not None else found


def _default_access(game: Game, user: Any) -> ChatAccess:
    seat = next((seat for seat in game.seats.all() if seat.user_id == user.pk), None)
    own = PLAYERS if seat else WATCHERS
    if game.is_dealt:
        team = _team_channel(game, seat)
        public = (PLAYERS, WATCHERS) if game.is_finished else (own,)
        return ChatAccess((*public, team) if team else public, own, team)
    if seat is None:
        return ChatAccess()
    return ChatAccess((PLAYERS,), PLAYERS if game.is_open else "")


def _team_channel(game: Game, seat: Seat | None) -> str:
    """The channel of the seat's team; "" without a seat, or if teams have no chat."""
    team = seat.team if seat is not None and game.team_chat else None
    return "" if team is None else TEAMS[team]


def lines_for(game: Game, user: User, reads: tuple[str, ...]) -> QuerySet[ChatMessage]:
    """The messages that the user reads in these channels, without removed ones and muted members."""
    return readable_messages(game.lines.all(), user, reads)


def readable_messages(
    lines: QuerySet[ChatMessage], user: Any, reads: tuple[str, ...]
) -> QuerySet[ChatMessage]:
    """Filter the messages to those that the user reads in these channels."""
    muted = MutedMember.objects.filter(user=user).values("person")
    return lines_in(lines, user, reads).filter(removed=None).exclude(user__in=muted)


def lines_in(lines: QuerySet[ChatMessage], user: Any, reads: tuple[str, ...]) -> QuerySet[ChatMessage]:
    """The messages in these channels; of those to a team, the ones since the user joined it."""
    found = lines.filter(channel__in=reads)
    if not set(TEAMS) & set(reads):
        return found
    seat = Seat.objects.filter(user=user, game=OuterRef("game"))
    return found.filter(~Q(channel__in=TEAMS) | Q(pk__gt=Subquery(seat.values("team_chat_since"))))


def is_blocked_author(user: Any) -> Exists:
    """For a query of messages: a condition that the user has blocked the author; shown folded."""
    return Exists(Block.objects.filter(user=user, person=OuterRef("user")))


def open_lines_for(game: Game, user: User, reads: tuple[str, ...]) -> QuerySet[ChatMessage]:
    """The messages that the user reads in these channels without unfolding any."""
    return lines_for(game, user, reads).filter(~is_blocked_author(user))


def is_unread(line: ChatMessage, user: User) -> bool:
    """Return whether the user may read the message and has not done so."""
    shown = open_lines_for(line.game, user, chat_access(line.game, user).reads).filter(pk=line.pk)
    return (
        shown.exists() and not GameVisit.objects.filter(user=user, game=line.game, read__gte=line.pk).exists()
    )
