"""Chat within a team: its readers, the times to write, and what nobody else learns of it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games.chat import messages
from games.chat.conversation import conversation, line_for, unread
from games.lobby.game_terms import GameTerms
from games.models import ChatMessage, Game, Kind, Notification, Seat
from games.moderation.abuse_reports import report
from games.moderation.moderator_view import moderator_context
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.players import chat_access
from games.players.chat_access import is_unread
from games.privacy.personal_data import my_data
from games.realtime import ticks
from games.refusals import ChatLocked, ChatNotAllowed, NoTeamChat, TeamWaits
from games.web.notifications.notification_text import sentence
from tests.support.games import NewGame, leave_to_bot, play_to_the_end, play_until_asked
from tests.support.mailboxes import with_mailbox

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(alice: User, bob: User, carol: User) -> list[User]:
    return [alice, bob, carol, User.objects.create_user("dora")]


@pytest.fixture
def game(start: NewGame, people: list[User]) -> Game:
    """Two teams of two, alice with carol and bob with dora, which may always write to each other."""
    return start(*people, teams="two", seating="joining", terms={"team_chat": "always"})


def say(game: Game, user: User, text: str, *, to_team: bool = True) -> ChatMessage:
    return messages.say(game_id=game.pk, user=user, text=text, to_team=to_team)


def read_by(game: Game, user: User) -> list[str]:
    found = conversation(Game.objects.get(pk=game.pk), user)
    return [] if found is None else [line.text for line in found.lines]


def lose_seat(game: Game, user: User) -> None:
    """Let a stand-in play for the user until anybody may take over the seat."""
    leave_to_bot(game, user)
    Seat.objects.filter(game=game, user=user).update(reserved_until=timezone.now() - timedelta(minutes=1))


# -- Readers -------------------------------------------------------------------------------------------


def opponents_read(game: Game, people: list[User]) -> list[str]:
    """Texts of two messages to a team that its opponents and a spectator get, and counts that betray one."""
    first = say(game, people[0], "I hold the Tower")
    say(game, people[2], "Then I found it")
    eve = User.objects.create_user("eve")
    others = [people[1], people[3], eve]
    found = [line for user in others for line in read_by(game, user)]
    found += [line.text for user in others if (line := line_for(game, user, first.pk))]
    return found + ["unread" for user in others if unread(game, user)]


def test_message_to_team_is_read_by_partners_alone(game: Game, people: list[User]) -> None:
    assert opponents_read(game, people) == []
    for partner in (people[0], people[2]):
        assert read_by(game, partner) == ["I hold the Tower", "Then I found it"]


def test_chat_that_takes_each_team_for_one_would_be_noticed(
    game: Game, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = ChatMessage.Channel.TEAM_1
    monkeypatch.setattr(chat_access, "TEAMS", (one, one, one))
    monkeypatch.setattr(messages, "TEAMS", (one, one, one))
    assert opponents_read(game, people)


def test_message_to_team_stays_in_the_team_after_end(game: Game, people: list[User]) -> None:
    say(game, people[0], "plan A")
    say(game, people[1], "good luck", to_team=False)
    play_to_the_end(game)
    eve = User.objects.create_user("eve")
    for other in (people[1], people[3], eve):
        assert read_by(game, other) == ["good luck"]
    assert read_by(game, people[2]) == ["plan A", "good luck"]
    say(game, people[2], "well played")
    assert read_by(game, people[0])[-1] == "well played"


def test_each_of_three_teams_has_its_own_chat(start: NewGame, people: list[User]) -> None:
    six = [*people, User.objects.create_user("emil"), User.objects.create_user("fay")]
    game = start(*six, teams="three", seating="joining", terms={"team_chat": "always"})
    for number, user in enumerate(six[:3]):
        say(game, user, f"team {number}")
    assert [read_by(game, user) for user in six] == [[f"team {number % 3}"] for number in range(6)]


def test_moderators_read_messages_to_teams(game: Game, alice: User) -> None:
    said = say(game, alice, "plan A")
    [line] = moderator_context(game).lines
    assert (line, line.get_channel_display()) == (said, "team 1")


# -- Seats that change hands ---------------------------------------------------------------------------


def after_takeover(game: Game, people: list[User]) -> tuple[list[str], list[str]]:
    """Messages that the former and the new player of a seat read after it changed hands."""
    alice, _bob, carol, _dora = people
    before = say(game, carol, "before")
    lose_seat(game, alice)
    eve = User.objects.create_user("eve")
    take_over_seat(game_id=game.pk, number=0, user=eve)
    assert line_for(game, eve, before.pk) is None
    say(game, carol, "after")
    return read_by(game, alice), read_by(game, eve)


def test_new_player_reads_what_was_written_after_joining_the_team(game: Game, people: list[User]) -> None:
    assert after_takeover(game, people) == ([], ["after"])


def test_seat_that_forgets_when_it_changed_hands_would_be_noticed(
    game: Game, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(self: Seat, **how: Any) -> None:
        self.team_chat_since = 0
        super(Seat, self).save(**how)

    monkeypatch.setattr(Seat, "save", save)
    with pytest.raises(AssertionError):
        after_takeover(game, people)


def test_player_who_returns_from_a_stand_in_has_missed_nothing(game: Game, people: list[User]) -> None:
    alice, _bob, carol, _dora = people
    say(game, alice, "before")
    leave_to_bot(game, alice)
    say(game, carol, "meanwhile")
    reclaim_seat(game_id=game.pk, user=alice)
    assert read_by(game, alice) == ["before", "meanwhile"]


def test_former_player_cannot_report_and_is_not_told_of_messages(game: Game, people: list[User]) -> None:
    alice, _bob, carol, _dora = people
    said = say(game, carol, "@alice look")
    assert is_unread(said, alice)
    lose_seat(game, alice)
    take_over_seat(game_id=game.pk, number=0, user=User.objects.create_user("eve"))
    assert not is_unread(said, alice)
    with pytest.raises(ChatNotAllowed):
        report(line=said, user=alice)


# -- When partners write -------------------------------------------------------------------------------


def test_message_to_team_is_never_sent_to_everyone(start: NewGame, people: list[User]) -> None:
    game = start(*people, teams="two", seating="joining")
    with pytest.raises(NoTeamChat):
        say(game, people[0], "plan A")
    with pytest.raises(NoTeamChat):
        say(start(*people[:2]), people[0], "plan A")
    assert not ChatMessage.objects.exists()


def test_spectator_writes_to_no_team(game: Game) -> None:
    with pytest.raises(NoTeamChat):
        say(game, User.objects.create_user("eve"), "plan A")


@pytest.fixture
def between(start: NewGame, people: list[User]) -> Game:
    """The same game with a chat between turns."""
    return start(*people, teams="two", seating="joining", terms={"team_chat": "between"})


def test_partners_write_between_their_turns(between: Game, people: list[User]) -> None:
    game = play_until_asked(between, people[0])
    with pytest.raises(TeamWaits):
        say(game, people[0], "which one?")
    say(game, people[0], "which one?", to_team=False)
    say(game, people[2], "the left one")
    assert read_by(game, people[0]) == ["which one?", "the left one"]
    game = play_until_asked(game, people[1])
    say(game, people[0], "thanks")


def test_merger_does_not_end_the_turn_for_the_chat(
    between: Game, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another player sells shares, it is still the turn of the player who caused the merger."""
    game = play_until_asked(between, people[0])
    Game.objects.filter(pk=game.pk).update(seat_to_move=1, waiting_for=people[1])
    with pytest.raises(TeamWaits):
        say(game, people[0], "what now?")
    with pytest.raises(TeamWaits):
        say(game, people[1], "sell?")
    monkeypatch.setattr(messages, "_is_busy", lambda game, user: game.waiting_for_id == user.pk)
    say(game, people[0], "a rule that asks only who decides would be noticed")


def test_nobody_waits_for_a_turn_after_end(between: Game, people: list[User]) -> None:
    game = play_to_the_end(between)
    for user in people:
        say(game, user, "thanks")


def test_locked_chat_takes_no_message_to_a_team(game: Game, alice: User) -> None:
    say(game, alice, "plan A")
    Game.objects.filter(pk=game.pk).update(chat_locked_at=timezone.now())
    with pytest.raises(ChatLocked):
        say(game, alice, "plan B")
    assert read_by(game, alice) == ["plan A"]


def test_team_has_no_chat_before_the_start(create: NewGame, alice: User) -> None:
    room = create(
        alice, options={"teams": "two"}, least=4, most=4, team_chat="always", computers={1: "random"}
    )
    with pytest.raises(NoTeamChat):
        say(room, alice, "plan A")


# -- What others learn ---------------------------------------------------------------------------------


def pages_told(game: Game, writer: User, monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The groups of pages that hear of a message to a team and of its removal."""
    told: list[Sequence[str]] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: told.append(groups))
    said = say(game, writer, "plan A")
    messages.remove_own(game_id=game.pk, user=writer, key=said.pk)
    return told


def test_only_pages_of_partners_hear_of_a_message(
    game: Game,
    people: list[User],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        told = pages_told(game, people[0], monkeypatch)
    partners = [ticks.user_group(people[0].pk), ticks.user_group(people[2].pk)]
    assert told == [partners, partners]


def test_tick_for_all_pages_would_be_noticed(
    game: Game,
    people: list[User],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(messages, "TEAMS", ())
    monkeypatch.setattr(messages, "_hears", lambda seat, channel: True)
    with django_capture_on_commit_callbacks(execute=True):
        told = pages_told(game, people[0], monkeypatch)
    assert told[0] == [ticks.game_group(game.public_id)]


def test_mention_reaches_partners_and_quotes_nothing(game: Game, people: list[User]) -> None:
    for user in people:
        with_mailbox(user)
    say(game, people[0], "@bob @carol @dora: we found Tower")
    rows = Notification.objects.filter(kind=Kind.MENTION)
    assert {row.user for row in rows} == {people[2]}
    assert [sentence(row) for row in rows] == ["alice mentioned you in your team’s chat."] * len(rows)


def test_export_has_only_own_messages_to_team(game: Game, people: list[User]) -> None:
    say(game, people[0], "mine alone")
    say(game, people[2], "from the partner")
    files = {user: b"".join(data for _name, data in my_data(user)) for user in people}
    assert [b"mine alone" in files[user] for user in people] == [True, False, False, False]
    assert [b"from the partner" in files[user] for user in people] == [False, False, True, False]


# -- The terms -----------------------------------------------------------------------------------------


def test_rated_teams_have_no_chat(game: Game, alice: User) -> None:
    usual: dict[str, Any] = {"system": "acquire", "preset": "avalon-hill", "least": 4, "most": 4}
    teams: dict[str, Any] = {"options": {"teams": "two"}, "team_chat": "always"}
    with pytest.raises(ValueError, match="rated"):
        GameTerms(**usual, **teams, rated=True).new_game(alice)
    with pytest.raises(ValueError, match="Only teams"):
        GameTerms(**usual, team_chat="always").new_game(alice)
    with transaction.atomic(), pytest.raises(IntegrityError):
        Game.objects.filter(pk=game.pk).update(rated=True)


def test_rematch_keeps_the_chat(game: Game) -> None:
    assert GameTerms.of(game, list(game.seats.all())).team_chat == "always"
