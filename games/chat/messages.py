"""Chat messages, mentions, and muted members."""

import re
import unicodedata
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Block, ChatMessage, Game, MutedMember, Seat
from games.models.chat_message import MAX_MESSAGE_LENGTH
from games.notifications import notify
from games.play.spectator_position import version_shown
from games.players.admission import lock_chatting_user
from games.players.chat_access import PLAYERS, TEAMS, chat_access
from games.realtime import ticks
from games.refusals import (
    ChatLocked,
    ChatNotAllowed,
    Deleted,
    EmptyMessage,
    MessageTooOld,
    NoTeamChat,
    NotYourMessage,
    TeamWaits,
    TextTooLong,
)

# The same text within this time is a double click or a retry after a lost answer.
REPEAT_WINDOW = timedelta(seconds=20)

# For this time members can remove what they have written.
REMOVAL_WINDOW = timedelta(minutes=5)

MENTION = re.compile(r"(?<![\w@])@([A-Za-z0-9_-]{3,20})(?![\w-])")

# Invisible characters; some of them reverse the text around them. The joiners are kept: some scripts
# and composed emoji need them.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs"})
_JOINERS = frozenset("\u200c\u200d")


@transaction.atomic
def say(*, game_id: int, user: User, text: str, to_team: bool = False) -> ChatMessage:
    """Write a message in the user's channel of a table, or to the user's team, and return it.

    Notifies the players it mentions by `@name` who can read it. The same text again within `REPEAT_WINDOW`
    returns the same message, unless it has been removed. Raises what `lock_chatting_user` raises, Deleted,
    ChatNotAllowed, ChatLocked, NoTeamChat, TeamWaits, EmptyMessage and TextTooLong.
    """
    lock_chatting_user(user)
    # With the game locked, messages appear in the order of their keys.
    game = Game.moderated.select_for_update(no_key=True).get(pk=game_id)
    if game.deleted is not None:
        raise Deleted
    channel = _channel(game, user, to_team)
    words = plain(text)
    if not words:
        raise EmptyMessage
    if len(words) > MAX_MESSAGE_LENGTH:
        raise TextTooLong(MAX_MESSAGE_LENGTH)
    before = game.lines.filter(user=user, channel=channel, removed=None).last()
    if before and before.text == words and timezone.now() - before.made < REPEAT_WINDOW:
        return before
    line = ChatMessage.objects.create(game=game, channel=channel, user=user, text=words)
    notify.notify_mentioned(game, line, _mentioned(game, line))
    schedule_ticks(game, channel)
    return line


def _channel(game: Game, user: User, to_team: bool) -> str:
    """The channel that the user may write to now: that of the user's team, or the public one."""
    access = chat_access(game, user)
    if not access.writes:
        raise ChatLocked if access.reads and game.chat_locked_at is not None else ChatNotAllowed
    if not to_team:
        return access.writes
    if not access.team:
        raise NoTeamChat
    if game.team_chat == Game.TeamChat.BETWEEN and game.is_running and _is_busy(game, user):
        raise TeamWaits
    return access.team


def _is_busy(game: Game, user: User) -> bool:
    """Return whether it is the user's turn, or the user has to decide in somebody else's turn."""
    on_turn = game.rule_system.state_from_json(game.state).turn
    return any(
        seat.user_id == user.pk and seat.number in (on_turn, game.seat_to_move) for seat in game.seats.all()
    )


@transaction.atomic
def remove_own(*, game_id: int, user: User, key: int) -> None:
    """Remove the user's own message of a game; only moderators read it then. Again changes nothing.

    Raises NotYourMessage, and MessageTooOld after `REMOVAL_WINDOW`.
    """
    game = Game.objects.select_for_update(no_key=True).get(pk=game_id)
    line = game.lines.filter(pk=key, user=user).first()
    if line is None:
        raise NotYourMessage
    if line.removed is not None:
        return
    if not can_be_removed(line):
        raise MessageTooOld
    line.removed, line.removed_by_author = timezone.now(), True
    line.save(update_fields=["removed", "removed_by_author"])
    schedule_ticks(game, line.channel)


def can_be_removed(line: ChatMessage) -> bool:
    """Return whether the author may still remove the message."""
    return timezone.now() - line.made < REMOVAL_WINDOW


def schedule_ticks(game: Game, channel: str) -> None:
    """Make open pages reload the chat after the commit; for a message to a team only those of its members."""
    tick = partial(ticks.send_tick, game.public_id, version_shown(game), ())
    if channel in TEAMS:
        partners = [seat.user_id for seat in game.seats.all() if seat.user_id and _hears(seat, channel)]
        tick = partial(ticks.send_tick_to, partners, game.public_id, game.version)
    elif channel == PLAYERS and game.spectator_delay and game.is_running:
        # Spectators would learn when the players talk, which they do about moves.
        players = [seat.owner_id for seat in game.seats.all() if seat.owner_id is not None]
        tick = partial(ticks.send_tick_to, players, game.public_id, game.version)
    transaction.on_commit(tick, robust=True)


def _hears(seat: Seat, channel: str) -> bool:
    """Return whether the channel is that of the seat's team."""
    return seat.team is not None and TEAMS[seat.team] == channel


def plain(text: str) -> str:
    """The text on one line without invisible characters; "" if nothing visible is left."""
    whole = "".join(
        letter
        for letter in " ".join(text.split())
        if letter in _JOINERS or unicodedata.category(letter) not in _INVISIBLE
    )
    seen = any(unicodedata.category(letter)[0] in "LNPS" for letter in whole)
    return whole.strip() if seen else ""


def names_in(text: str) -> set[str]:
    """The names after an `@` in the text, in lower case."""
    found = {name.lower() for name in MENTION.findall(text)}
    return found | {name.rstrip("-") for name in found}  # a dash may belong to the sentence


def _mentioned(game: Game, line: ChatMessage) -> list[int]:
    """The keys of the players whom the message mentions and who may and want to read it."""
    names = names_in(line.text)
    if not names:
        return []
    muting = MutedMember.objects.filter(person=line.user_id).values("user")
    blocking = Block.objects.filter(person=line.user_id).values("user")
    seats = game.seats.exclude(user=None).exclude(user__in=muting).exclude(user__in=blocking)
    seats = seats.exclude(user=line.user_id)
    return [
        seat.user.pk
        for seat in seats.select_related("user")
        if seat.user
        and seat.user.get_short_name().lower() in names
        and line.channel in chat_access(game, seat.user).reads
    ]


def mute(user: User, person: User) -> None:
    """Hide this member's messages from the user at all tables."""
    if user != person:
        MutedMember.objects.get_or_create(user=user, person=person)


def unmute(user: User, person: User) -> None:
    """Show this member's messages to the user again."""
    MutedMember.objects.filter(user=user, person=person).delete()
