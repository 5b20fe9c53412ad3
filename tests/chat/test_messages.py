"""Chat messages: channels, texts, mentions, mutes and reports."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.chat import messages
from games.chat.conversation import conversation, muted_by, unread
from games.chat.messages import mute, unmute
from games.lobby.departures import leave_all_games
from games.lobby.join_game import join, leave
from games.models import ChatMessage, Game, Kind, MutedMember, Notification
from games.models.chat_message import MAX_MESSAGE_LENGTH
from games.moderation import abuse_reports, report_claims
from games.moderation.abuse_reports import report
from games.play.visits import mark_chat_read
from games.players.chat_access import is_unread
from games.realtime import ticks
from games.refusals import AccountClosed, ChatNotAllowed, EmptyMessage, TextTooLong
from tests.support.games import NewGame, play_to_the_end

pytestmark = pytest.mark.django_db


def say(game: Game, user: User, text: str) -> ChatMessage:
    return messages.say(game_id=game.pk, user=user, text=text)


def read_by(game: Game, user: User) -> list[str] | None:
    """The lines the user can read; None without access to the chat."""
    found = conversation(Game.objects.get(pk=game.pk), user)
    return None if found is None else [line.text for line in found.lines]


def mentioned(user: User) -> list[str]:
    rows = Notification.objects.filter(user=user, kind=Kind.MENTION, endpoint=None).order_by("pk")
    return [row.line.text for row in rows if row.line]


# -- Channels ------------------------------------------------------------------------------------------


def test_channels_are_separate_until_end(game: Game, alice: User, bob: User, carol: User) -> None:
    dave = User.objects.create_user("dave")
    say(game, alice, "good luck")
    say(game, carol, "alice sleeps")
    for player in (alice, bob):
        assert read_by(game, player) == ["good luck"]
    for watcher in (carol, dave):
        assert read_by(game, watcher) == ["alice sleeps"]
    play_to_the_end(game)
    for reader in (alice, bob, carol, dave):
        assert read_by(game, reader) == ["good luck", "alice sleeps"]


def test_chat_before_start_is_for_seated_players(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    room = create(alice)
    join(game_id=room.pk, user=bob, code="")
    say(room, alice, "tonight?")
    assert read_by(room, bob) == ["tonight?"]
    assert read_by(room, carol) is None
    with pytest.raises(ChatNotAllowed):
        say(room, carol, "may I?")
    leave(game_id=room.pk, user=bob)
    assert read_by(room, bob) is None


def test_guest_has_no_chat(game: Game, alice: User, guest: User) -> None:
    say(game, alice, "hello")
    assert read_by(game, guest) is None
    with pytest.raises(ChatNotAllowed):
        say(game, guest, "hello")


def test_player_without_seat_reads_spectators(game: Game, alice: User, bob: User) -> None:
    say(game, bob, "a word among us")
    leave_all_games(alice)
    assert read_by(game, alice) == []


def test_closed_game_keeps_lines_and_takes_none(create: NewGame, alice: User) -> None:
    room = create(alice)
    say(room, alice, "anybody?")
    Game.objects.filter(pk=room.pk).update(status=Game.Status.CLOSED, finished=room.opened)
    assert read_by(room, alice) == ["anybody?"]
    with pytest.raises(ChatNotAllowed):
        say(room, alice, "nobody.")


def test_closed_account_cannot_write(game: Game, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    with pytest.raises(AccountClosed):
        say(game, alice, "farewell")


# -- Texts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed, said",
    [
        ("  good\n\n luck ", "good luck"),
        ("<b>bold</b> & co", "<b>bold</b> & co"),
        ("evil \u202etxet", "evil txet"),
        ("👩\u200d🚀 ¡olé!", "👩\u200d🚀 ¡olé!"),
        ("tab\tand\x07bell", "tab andbell"),
    ],
)
def test_message_is_one_line_of_plain_text(game: Game, alice: User, typed: str, said: str) -> None:
    assert say(game, alice, typed).text == said


@pytest.mark.parametrize("typed", ["", "  \n ", "\u200b\u2066", "\u200d\u200d"])
def test_invisible_message_is_refused(game: Game, alice: User, typed: str) -> None:
    with pytest.raises(EmptyMessage):
        say(game, alice, typed)


def test_message_length_is_limited(game: Game, alice: User) -> None:
    assert say(game, alice, "x" * MAX_MESSAGE_LENGTH)
    with pytest.raises(TextTooLong) as refusal:
        say(game, alice, "x" * (MAX_MESSAGE_LENGTH + 1))
    assert refusal.value.most == MAX_MESSAGE_LENGTH


def test_double_click_writes_once(game: Game, alice: User, bob: User) -> None:
    assert say(game, alice, "yes") == say(game, alice, "yes")
    say(game, bob, "yes")
    ChatMessage.objects.update(made=ChatMessage.objects.first().made - timedelta(minutes=1))
    say(game, alice, "yes")
    assert read_by(game, bob) == ["yes", "yes", "yes"]


def test_tick_names_no_text(
    game: Game,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    sent_ticks: list[tuple[list[str], dict[str, Any]]] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: sent_ticks.append((groups, message)))
    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)
    with django_capture_on_commit_callbacks(execute=True):
        say(game, alice, "psst")
    [(groups, message)] = sent_ticks
    assert groups == [ticks.game_group(game.public_id)]
    message.pop("mark")
    assert message == {"type": "tick", "game": game.public_id, "version": game.version}


# -- Unread --------------------------------------------------------------------------------------------


def test_lines_of_others_are_unread_until_read(game: Game, alice: User, bob: User) -> None:
    say(game, bob, "one")
    last = say(game, bob, "two")
    say(game, alice, "mine")
    assert unread(game, alice) == 2
    mark_chat_read(game, alice, last.pk)
    assert unread(game, alice) == 0
    mark_chat_read(game, alice, 1)
    assert unread(game, alice) == 0, "reading older lines once more makes nothing unread"
    say(game, bob, "three")
    assert unread(game, alice) == 1


def test_game_against_bots_has_no_chat(start: NewGame, alice: User, carol: User) -> None:
    game = start(alice, "random", "random")
    say(game, carol, "psst")
    assert unread(game, alice) is None
    play_to_the_end(game)
    assert unread(Game.objects.get(pk=game.pk), alice) == 1


# -- Mentions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["@alice", "@ALICE: your turn", "come on, @alice!", "(@alice)", "@alice- wake up"]
)
def test_mention_notifies_player(game: Game, alice: User, bob: User, text: str) -> None:
    with_mailbox(alice)
    said = say(game, bob, text)
    assert mentioned(alice) == [said.text]


@pytest.mark.parametrize("text", ["alice", "@alicia", "me@alice", "@@alice", "@alice-b", "@al ice"])
def test_other_text_is_no_mention(game: Game, alice: User, bob: User, text: str) -> None:
    with_mailbox(alice)
    say(game, bob, text)
    assert mentioned(alice) == []


def test_every_mention_is_notified(game: Game, alice: User, bob: User) -> None:
    with_mailbox(alice)
    say(game, bob, "@alice one")
    say(game, bob, "@alice two")
    assert mentioned(alice) == ["@alice one", "@alice two"]


def test_unreadable_and_own_mentions_are_not_notified(
    game: Game, alice: User, bob: User, carol: User
) -> None:
    for user in (alice, bob, carol):
        with_mailbox(user)
    say(game, carol, "@alice holds them all")
    say(game, alice, "I, @alice, say to @carol: go")
    assert not Notification.objects.filter(kind=Kind.MENTION).exists()


def test_mention_is_current_while_unread_and_readable(game: Game, alice: User, bob: User) -> None:
    line = say(game, bob, "@alice")
    assert is_unread(line, alice)
    mute(alice, bob)
    assert not is_unread(line, alice)
    unmute(alice, bob)
    ChatMessage.objects.filter(pk=line.pk).update(removed=line.made)
    assert not is_unread(line, alice)
    ChatMessage.objects.filter(pk=line.pk).update(removed=None)
    mark_chat_read(game, alice, line.pk)
    assert not is_unread(line, alice)


def with_mailbox(user: User) -> None:
    from allauth.account.models import EmailAddress

    EmailAddress.objects.create(user=user, email=f"{user}@mail.example", primary=True, verified=True)


# -- Mutes and reports ---------------------------------------------------------------------------------


def test_muted_member_is_read_by_others_only(game: Game, alice: User, bob: User, carol: User) -> None:
    with_mailbox(alice)
    mute(alice, bob)
    mute(alice, bob)
    say(game, bob, "@alice you never listen")
    assert (read_by(game, alice), unread(game, alice), mentioned(alice)) == ([], 0, [])
    assert read_by(game, bob) == ["@alice you never listen"]
    assert list(muted_by(alice)) == [bob]
    unmute(alice, bob)
    assert read_by(game, alice) == ["@alice you never listen"]


def test_member_cannot_mute_themselves(alice: User) -> None:
    mute(alice, alice)
    assert not MutedMember.objects.exists()


def test_line_is_reported_once_by_each_reader(game: Game, alice: User, bob: User, carol: User) -> None:
    line = say(game, bob, "you cheat")
    assert report(line=line, user=alice, reason="rude") == report(line=line, user=alice)
    assert line.reports.get().reason == "rude"
    with pytest.raises(ChatNotAllowed):
        report(line=line, user=carol)


def test_removed_line_is_read_by_nobody(game: Game, alice: User, bob: User) -> None:
    line = say(game, bob, "you cheat")
    say(game, bob, "sorry")
    report = abuse_reports.report(line=line, user=alice)
    report_claims.settle(report, by=None, outcome="removed")
    report.refresh_from_db()
    assert report.settled and report.outcome == "removed"
    for player in (alice, bob):
        assert read_by(game, player) == ["sorry"]


def test_removed_line_can_be_written_again(game: Game, bob: User) -> None:
    line = say(game, bob, "sorry")
    messages.remove_own(game_id=game.pk, user=bob, key=line.pk)
    assert say(game, bob, "sorry") != line
    assert read_by(game, bob) == ["sorry"]


def test_kept_line_stays(game: Game, alice: User, bob: User) -> None:
    line = say(game, bob, "you lucky one")
    report_claims.settle(report(line=line, user=alice), by=None, outcome="kept")
    assert read_by(game, alice) == ["you lucky one"]


def test_names_are_found_in_sentences() -> None:
    assert messages.names_in("so @Bob, or @carol_2?") == {"bob", "carol_2"}
