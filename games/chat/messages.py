"""What people say at a table, beside the log of the game."""

import re
import unicodedata
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Block, ChatMessage, Game, MutedMember
from games.models.chat_message import LINE_LENGTH
from games.notifications import notify
from games.players.admission import lock_chatting_user
from games.players.chat_access import chat_access
from games.realtime import ticks
from games.refusals import ChatLocked, ChatNotAllowed, Deleted, EmptyMessage, TextTooLong

# The same words once more so soon are a double click, or a retry of a request whose answer was lost.
AGAIN = timedelta(seconds=20)

MENTION = re.compile(r"(?<![\w@])@([A-Za-z0-9_-]{3,20})(?![\w-])")

# Letters that cannot be seen: some turn what stands around them the other way round. Two of them join
# others, in some languages and in pictures made of several.
_UNSEEN = frozenset({"Cc", "Cf", "Cs"})
_JOINERS = frozenset("\u200c\u200d")


@transaction.atomic
def say(*, game_id: int, user: User, text: str) -> ChatMessage:
    """Say something at a table, in the user's own channel, and return the line.

    Players whom it mentions by `@name`, and who can read it, are told. The same words at once again are the
    same line. Raises what `lock_chatting_user` raises, Deleted, MayNotTalk, TalkLocked, NothingSaid and
    TooLong.
    """
    lock_chatting_user(user)
    # The lock of the game makes the order of the keys the order in which lines appear.
    game = Game.moderated.select_for_update(no_key=True).get(pk=game_id)
    if game.deleted is not None:
        raise Deleted
    access = chat_access(game, user)
    if not access.writes:
        raise ChatLocked if access.reads and game.chat_locked_at is not None else ChatNotAllowed
    channel = access.writes
    words = plain(text)
    if not words:
        raise EmptyMessage
    if len(words) > LINE_LENGTH:
        raise TextTooLong(LINE_LENGTH)
    before = game.lines.filter(user=user, channel=channel).last()
    if before and before.text == words and timezone.now() - before.made < AGAIN:
        return before
    line = ChatMessage.objects.create(game=game, channel=channel, user=user, text=words)
    notify.mentioned(game, line, _mentioned(game, line))
    transaction.on_commit(partial(ticks.send_tick, game.public_id, game.version, ()), robust=True)
    return line


def plain(text: str) -> str:
    """The text on one line, without letters that cannot be seen; "" when nothing can."""
    whole = "".join(
        letter
        for letter in " ".join(text.split())
        if letter in _JOINERS or unicodedata.category(letter) not in _UNSEEN
    )
    seen = any(unicodedata.category(letter)[0] in "LNPS" for letter in whole)
    return whole.strip() if seen else ""


def names_in(text: str) -> set[str]:
    """The names, in small letters, that stand behind an `@` in the text."""
    found = {name.lower() for name in MENTION.findall(text)}
    return found | {name.rstrip("-") for name in found}  # a dash may go on with the sentence


def _mentioned(game: Game, line: ChatMessage) -> list[int]:
    """Whom of the players the line calls by name: those who may read it and want to."""
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
    """Spare the user the lines of this person, at all tables."""
    if user != person:
        MutedMember.objects.get_or_create(user=user, person=person)


def unmute(user: User, person: User) -> None:
    """Show the user the lines of this person again."""
    MutedMember.objects.filter(user=user, person=person).delete()
