"""Pages of the chat, and what they hide from others."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from accounts.privacy.account_data import personal_data_zip
from games.chat import messages
from games.chat.messages import mute
from games.chat.notes import write_note
from games.models import AbuseReport, ChatMessage, Game, GameVisit, Kind, MutedMember, Note, Notification
from games.moderation.abuse_reports import report
from games.players.chat_access import PLAYERS, WATCHERS, ChatAccess
from games.web.notifications import delivery
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end, play_until_asked
from tests.support.hidden_state import Viewer
from tests.support.htmx import HTMX
from tests.support.mailboxes import with_mailbox

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


def talk_url(game: Game) -> str:
    return reverse("chat", args=[game.public_id])


def say(game: Game, user: User, text: str) -> ChatMessage:
    return messages.say(game_id=game.pk, user=user, text=text)


# -- Messages ------------------------------------------------------------------------------------------


def test_message_is_sent_without_scripts(game: Game, alice: User, bob: User) -> None:
    client = client_of(alice)
    answer = client.post(talk_url(game), {"text": "good luck, @bob <b>"})
    assert answer["Location"] == f"{talk_url(game)}#line-{ChatMessage.objects.get().pk}"
    page = client.get(talk_url(game)).content.decode()
    assert "good luck, <b>@bob</b> &lt;b&gt;" in page
    assert "Report or mute" not in page, "nobody reports themselves"
    assert "Report or mute" in client_of(bob).get(talk_url(game)).content.decode()


def test_htmx_gets_only_new_messages_and_nothing_if_there_are_none(
    game: Game, alice: User, bob: User
) -> None:
    first = say(game, bob, "one")
    client = client_of(alice)
    answer = client.post(f"{talk_url(game)}?after={first.pk}", {"text": "two"}, **HTMX)
    page = answer.content.decode()
    assert "two" in page and "one" not in page and "<html" not in page
    last = ChatMessage.objects.last()
    assert last is not None
    assert client.get(talk_url(game), {"after": last.pk}, **HTMX).status_code == 204


def test_fetched_messages_count_as_read_and_the_game_page_fetches_none(
    game: Game, alice: User, bob: User
) -> None:
    say(game, bob, "one")
    client = client_of(alice)
    page = client.get(game.get_absolute_url()).content.decode()
    assert 'data-unread="1"' in page and ">one<" not in page
    unread = reverse("talk-unread", args=[game.public_id])
    assert client.get(unread, {"known": "1"}).status_code == 204
    assert 'data-unread="1"' in client.get(unread, {"known": "0"}).content.decode()
    assert 'class="unseen"' in client.get(talk_url(game)).content.decode()
    assert client.get(unread, {"known": "0"}).status_code == 204
    assert 'class="unseen"' not in client.get(talk_url(game)).content.decode()


def test_unread_mention_is_marked(game: Game, alice: User, bob: User) -> None:
    say(game, bob, f"for @{bob.username} and @{alice.username}x")
    unread, client = reverse("talk-unread", args=[game.public_id]), client_of(alice)
    assert "data-mentions" not in client.get(unread, {"known": "0"}).content.decode()
    say(game, bob, f"Hello @{alice.username.upper()}!")
    assert "data-mentions" in client.get(unread, {"known": "0"}).content.decode()
    assert "data-mentions" in client.get(game.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "text, sentence", [(" ", "Write something first"), ("x" * 501, "Shorten it to 500 characters")]
)
def test_refused_message_stays_in_the_field(game: Game, alice: User, text: str, sentence: str) -> None:
    client = client_of(alice)
    answer = client.post(talk_url(game), {"text": text})
    page = answer.content.decode()
    assert answer.status_code == 422 and sentence in page and f'value="{text}"' in page
    answer = client.post(talk_url(game), {"text": text}, **HTMX)
    assert (answer.status_code, answer["Content-Type"]) == (422, "text/plain; charset=utf-8")
    assert sentence in answer.content.decode()


def test_form_says_that_moderators_read_along(game: Game, alice: User, carol: User) -> None:
    for user in (alice, carol):
        assert "and moderators can read this chat." in client_of(user).get(talk_url(game)).content.decode()


def test_too_many_messages_are_refused_with_a_time(game: Game, alice: User) -> None:
    client = client_of(alice)
    answers = [client.post(talk_url(game), {"text": f"{n}"}) for n in range(13)]
    assert [answer.status_code for answer in answers[-2:]] == [302, 429]
    assert "Wait a minute" in answers[-1].content.decode()
    assert ChatMessage.objects.count() == 12


def test_long_chat_is_read_in_pages(game: Game, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.web.chat.chat_views.TALK_PAGE", 3)
    lines = [say(game, alice, f"line {n}") for n in range(5)]
    page = client_of(alice).get(talk_url(game)).content.decode()
    assert "line 2" in page and "line 1" not in page
    older = f"{talk_url(game)}?before={lines[2].pk}"
    assert f'href="{older}"' in page
    assert "line 1" in client_of(alice).get(older).content.decode()


def test_strangers_and_guests_have_no_chat(game: Game, client: Client, guest: User) -> None:
    assert client.get(talk_url(game)).status_code == 302
    assert client_of(guest).get(talk_url(game)).status_code == 404
    for reader in (client, client_of(guest)):
        assert 'id="talk"' not in reader.get(game.get_absolute_url()).content.decode()


# -- Secrecy -------------------------------------------------------------------------------------------


def pages(game: Game, line: ChatMessage) -> list[str]:
    names = ("game", "table", "log", "deal-check", "chat", "talk-unread", "notes")
    return [
        *(reverse(name, args=[game.public_id]) for name in names),
        reverse("talk-line", args=[game.public_id, line.pk]),
        reverse("home"),
        reverse("settings"),
    ]


def sent_to(viewers: list[Viewer], game: Game, line: ChatMessage) -> list[object]:
    return [viewer.is_sent(address) for viewer in viewers for address in pages(game, line)]


def viewers_of(*users: User) -> list[Viewer]:
    return [Viewer(user.username, client_of(user), None) for user in users]


@pytest.mark.parametrize("speaker, deaf", [("carol", ("alice", "bob")), ("alice", ("carol", "dave"))])
def test_pages_of_the_other_channel_do_not_depend_on_messages(
    game: Game, alice: User, bob: User, carol: User, speaker: str, deaf: tuple[str, ...]
) -> None:
    User.objects.create_user("dave")
    viewers = viewers_of(*User.objects.filter(username__in=deaf))
    speaks = User.objects.get(username=speaker)
    line = say(game, speaks, "before")
    sent_to(viewers, game, line)
    before = sent_to(viewers, game, line)
    say(game, speaks, "hush @alice @bob @carol @dave")
    assert sent_to(viewers, game, line) == before


def test_message_shown_to_the_other_channel_is_detected(
    game: Game, alice: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: everybody reads both channels while the game runs."""
    both = ChatAccess((PLAYERS, WATCHERS), PLAYERS)
    monkeypatch.setattr("games.chat.conversation.chat_access", lambda game, user: both)
    viewers = viewers_of(alice)
    line = say(game, carol, "before")
    sent_to(viewers, game, line)
    before = sent_to(viewers, game, line)
    say(game, carol, "hush")
    assert sent_to(viewers, game, line) != before


def test_pages_of_others_do_not_depend_on_notes(game: Game, alice: User, bob: User, carol: User) -> None:
    staff = User.objects.create_superuser("staff")
    line = say(game, bob, "before")
    viewers = [*viewers_of(bob, carol, staff), Viewer("a stranger", Client(), None)]
    admin = [reverse("admin:index"), reverse("admin:games_game_change", args=[game.pk])]

    def sent() -> list[object]:
        more = [viewer.is_sent(address) for viewer in viewers for address in admin]
        return sent_to(viewers, game, line) + more

    own = client_of(alice)
    own.get(game.get_absolute_url())  # her visit is public
    sent()
    before = sent()
    own.post(reverse("notes", args=[game.public_id]), {"text": "bob holds 5A", "version": "0"})
    assert sent() == before
    assert "bob holds 5A" in own.get(game.get_absolute_url()).content.decode()


def test_messages_of_the_other_channel_can_be_neither_read_nor_reported(
    game: Game, alice: User, carol: User
) -> None:
    line = say(game, carol, "psst")
    address = reverse("talk-line", args=[game.public_id, line.pk])
    client = client_of(alice)
    assert client.get(address).status_code == client.post(address).status_code == 404
    play_to_the_end(game)
    assert client.get(address).status_code == 200


# -- Mentions by mail ----------------------------------------------------------------------------------


def test_mention_is_mailed_with_the_message_and_a_link(game: Game, alice: User, bob: User) -> None:
    with_mailbox(alice, mail_mode=User.MailMode.AT_ONCE)
    Notification.objects.all().delete()
    say(game, bob, "are you there, @alice?")
    delivery.deliver(5)
    [letter] = mail.outbox
    assert letter.subject.startswith("bob mentioned you")
    assert "bob wrote in the chat: “are you there, @alice?”" in letter.body
    assert talk_url(game) in letter.body


@pytest.mark.parametrize("what", ["read", "muted", "removed", "gone"])
def test_mention_that_was_read_or_is_hidden_is_not_mailed(
    game: Game, alice: User, bob: User, what: str
) -> None:
    with_mailbox(alice, mail_mode=User.MailMode.AT_ONCE)
    Notification.objects.all().delete()
    line = say(game, bob, "@alice")
    if what == "read":
        client_of(alice).get(talk_url(game))
    elif what == "muted":
        mute(alice, bob)
    elif what == "removed":
        ChatMessage.objects.filter(pk=line.pk).update(removed=line.made)
    else:
        line.delete()
    delivery.deliver(5)
    assert mail.outbox == []
    assert not Notification.objects.filter(kind=Kind.MENTION, state="sent").exists()


# -- Reporting and muting ------------------------------------------------------------------------------


def test_message_is_reported_on_its_own_page(game: Game, alice: User, bob: User) -> None:
    line = say(game, bob, "you cheat")
    address = reverse("talk-line", args=[game.public_id, line.pk])
    client = client_of(alice)
    assert "you cheat" in client.get(address).content.decode()
    assert client.post(address, {"reason": "rude"})["Location"] == talk_url(game)
    assert AbuseReport.objects.get().reason == "rude"
    assert client.post(address, {"reason": "x" * 501}).status_code == 422
    assert client_of(bob).get(address).status_code == 404, "nobody reports themselves"


def test_muted_person_is_unmuted_in_the_settings(game: Game, alice: User, bob: User) -> None:
    client = client_of(alice)
    answer = client.post(reverse("mute", args=["bob"]), {"mute": "1", "game": game.public_id})
    assert answer["Location"] == talk_url(game)
    assert "Unmute bob" in client.get(talk_url(game)).content.decode()
    assert "Unmute bob" in client.get(reverse("settings")).content.decode()
    answer = client.post(reverse("mute", args=["bob"]), {"mute": ""})
    assert answer["Location"] == f"{reverse('settings')}#muted"
    assert not MutedMember.objects.exists()


def test_list_of_reports_reads_no_hidden_columns(game: Game, alice: User, bob: User) -> None:
    report(line=say(game, bob, "you cheat"), user=alice)
    moderator = User.objects.create_superuser("moderator")
    listed = reverse("admin:games_abusereport_changelist")
    assert client_of(moderator).get(f"{listed}?line__game__seed__regex=(").status_code == 400
    assert client_of(moderator).get(f"{listed}?game__seed__regex=(").status_code == 400


# -- Personal data -------------------------------------------------------------------------------------


def test_personal_data_contain_own_messages_and_notes_only(game: Game, alice: User, bob: User) -> None:
    say(game, alice, "my words")
    say(game, bob, "his words")
    write_note(game=game, user=alice, text="my notes", version=0)
    write_note(game=game, user=bob, text="his notes", version=0)
    mute(alice, bob)
    with zipfile.ZipFile(io.BytesIO(personal_data_zip(alice))) as data:
        files = {name: data.read(name).decode() for name in data.namelist()}
    assert [line["text"] for line in json.loads(files["talk.json"])["lines"]] == ["my words"]
    assert json.loads(files["talk.json"])["muted"] == ["bob"]
    assert json.loads(files["notes.json"])[0]["text"] == "my notes"
    assert not any("his words" in text or "his notes" in text for text in files.values())


def test_messages_notes_and_read_marks_are_deleted_with_the_account(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, "random", preset="course")
    line = say(game, alice, "@bob farewell")
    his = say(game, bob, "stay")
    report(line=line, user=bob)
    report(line=his, user=alice)
    mute(alice, carol)
    mute(bob, alice)
    write_note(game=game, user=alice, text="secret", version=0)
    client_of(alice).get(talk_url(game))
    delete_account(alice)
    assert [kept.text for kept in ChatMessage.objects.all()] == ["stay"]
    for model in (AbuseReport, MutedMember, Note, GameVisit):
        assert not model.objects.exists(), model


# -- Teams ---------------------------------------------------------------------------------------------


@pytest.fixture
def team_game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """Alice, who is asked for a move, and carol against bob and a computer player."""
    terms = {"team_chat": "between"}
    game = start(alice, bob, carol, "random", teams="two", seating="joining", terms=terms)
    return play_until_asked(game, alice)


def test_team_is_written_to_by_a_button_of_its_own(team_game: Game, carol: User) -> None:
    client = client_of(carol)
    page = client.get(talk_url(team_game)).content.decode()
    assert page.index("Send to team") < page.index("Send to everyone")
    assert "Only your team and moderators can read messages to your team." in page
    client.post(talk_url(team_game), {"text": "plan A", "to": "team"})
    client.post(talk_url(team_game), {"text": "good luck"})
    assert list(ChatMessage.objects.values_list("channel", flat=True)) == ["team 1", "players"]
    assert client.get(talk_url(team_game)).content.decode().count("To the team") == 1


def test_table_has_the_button_too_and_others_have_one(team_game: Game, alice: User, bob: User) -> None:
    assert "Send to team" in client_of(alice).get(team_game.get_absolute_url()).content.decode()
    eve = User.objects.create_user("eve")
    page = client_of(eve).get(team_game.get_absolute_url()).content.decode()
    assert "Send to team" not in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_message_refused_on_turn_stays_in_the_field(
    team_game: Game, alice: User, headers: dict[str, Any]
) -> None:
    answer = client_of(alice).post(talk_url(team_game), {"text": "plan A", "to": "team"}, **headers)
    assert answer.status_code == 409
    said = answer.content.decode()
    assert "You can write to your team only between your turns. Make your moves first." in said
    assert bool(headers) or 'value="plan A"' in said
    assert not ChatMessage.objects.exists()


def test_unknown_receiver_is_never_everyone(team_game: Game, carol: User) -> None:
    client_of(carol).post(talk_url(team_game), {"text": "plan A", "to": "tea"})
    assert ChatMessage.objects.get().channel == "team 1"


# -- Removing and links --------------------------------------------------------------------------------


def remove_url(line: ChatMessage) -> str:
    return reverse("remove-line", args=[line.game.public_id, line.pk])


def test_own_message_is_removed_within_five_minutes_and_moderators_still_have_it(
    clock: Any, game: Game, alice: User, bob: User
) -> None:
    line = say(game, alice, "Oops, wrong table.")
    assert f'action="{remove_url(line)}"' in client_of(alice).get(talk_url(game)).content.decode()
    assert remove_url(line) not in client_of(bob).get(talk_url(game)).content.decode()
    assert client_of(bob).post(remove_url(line)).status_code == 404
    clock.shift(messages.REMOVAL_WINDOW - timedelta(seconds=1))
    assert client_of(alice).post(remove_url(line)).status_code == 302
    for reader in (alice, bob):
        assert "Oops" not in client_of(reader).get(talk_url(game)).content.decode()
    line.refresh_from_db()
    assert (line.text, line.removed_by_author) == ("Oops, wrong table.", True)


def test_own_message_stays_after_five_minutes(clock: Any, game: Game, alice: User) -> None:
    line = say(game, alice, "Well met.")
    clock.shift(messages.REMOVAL_WINDOW)
    client = client_of(alice)
    assert remove_url(line) not in client.get(talk_url(game)).content.decode()
    answer = client.post(remove_url(line))
    assert answer.status_code == 409
    assert "You can remove a message only in the first 5 minutes." in answer.content.decode()
    line.refresh_from_db()
    assert line.removed is None


def test_open_pages_drop_a_removed_message(game: Game, alice: User, bob: User) -> None:
    line = say(game, alice, "Oops.")
    messages.remove_own(game_id=game.pk, user=alice, key=line.pk)
    answer = client_of(bob).get(talk_url(game), {"after": line.pk}, **HTMX).content.decode()
    assert f'<li id="line-{line.pk}" hx-swap-oob="delete"></li>' in answer
    assert "Oops" not in answer


def test_links_open_aside_and_name_nobody(game: Game, alice: User) -> None:
    say(game, alice, 'See https://example.org/@alice?a=1&b=2, "javascript://x" and <b>http://x.org</b> @bob')
    html = client_of(alice).get(talk_url(game)).content.decode()
    rel = 'target="_blank" rel="nofollow noopener noreferrer ugc"'
    assert f'<a href="https://example.org/@alice?a=1&amp;b=2" {rel}>' in html
    assert 'href="javascript' not in html
    assert "<b>http" not in html
    assert "<b>@bob</b>" in html


def test_second_report_of_a_message_is_said_to_be_known(game: Game, alice: User, bob: User) -> None:
    line = say(game, bob, "Rude.")
    url = reverse("talk-line", args=[game.public_id, line.pk])
    client = client_of(alice)
    assert wording.ALREADY_REPORTED not in client.post(url, follow=True).content.decode()
    assert wording.ALREADY_REPORTED in client.post(url, follow=True).content.decode()
