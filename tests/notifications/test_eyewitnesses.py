"""No news to members who have seen the event, but every question, and news in doubt."""

from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.chat.messages import say
from games.lobby.game_start import create_game, start_as_host
from games.lobby.game_terms import GameTerms
from games.lobby.join_game import join, leave
from games.lobby.stale_games import close_game
from games.models import Game, GameNotificationLevel, Kind, Notification
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.notifications import notify, preferences
from games.notifications.outbox import eyewitnesses, settle
from games.notifications.outbox.claim import claim_letter
from games.play import page_presence, visits
from games.play.play_move import play_move
from tests.notifications.conftest import NOON, minutes, rows
from tests.support.clients import client_of
from tests.support.games import NewGame, legal_move, play_on, play_to_the_end
from tests.support.mailboxes import changed, with_mailbox
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(clock: Traveller, start: NewGame, alice: User, bob: User) -> Game:
    """A game of alice and bob that ended just now, with the news of that alone."""
    game = play_to_the_end(start(alice, bob))
    Notification.objects.exclude(kind=Kind.FINISHED).delete()
    clock.shift(minutes(1))
    return game


def told(clock: Traveller) -> set[str]:
    """The names of those who get a mail within the next hour."""
    found = set()
    for _ in range(120):
        clock.shift(timedelta(seconds=30))
        while claimed := claim_letter():
            found.add(str(claimed.user))
    return found


def act(name: str, game: Game, **values: int) -> None:
    perform_action(GAME_ACTIONS[name], Game.objects.get(pk=game.pk), None, "A mistake.", **values)


def outcome(user: User, kind: Kind) -> tuple[str, str]:
    [row] = rows(user, kind)
    return row.state, row.outcome


def test_end_is_not_told_to_whoever_has_seen_it(
    finished: Game, alice: User, bob: User, clock: Traveller
) -> None:
    visits.record_visit(finished.pk, alice, finished.version)
    assert told(clock) == {"bob"}
    assert outcome(alice, Kind.FINISHED) == (Notification.State.DROPPED, "seen")


def test_end_is_told_to_whoever_has_seen_less(finished: Game, alice: User, clock: Traveller) -> None:
    """The page was shown just before the last move, or is rendered while nobody sees it."""
    visits.record_visit(finished.pk, alice, finished.version - 1)
    visits.record_visit(finished.pk, alice, finished.version, away=True)
    assert told(clock) == {"alice", "bob"}


def test_end_that_a_moderator_explains_is_told_to_everybody(
    finished: Game, alice: User, clock: Traveller
) -> None:
    Game.objects.filter(pk=finished.pk).update(ended_by_moderator=True)
    visits.record_visit(finished.pk, alice, finished.version)
    assert told(clock) == {"alice", "bob"}


def test_whoever_wants_all_mail_is_told_of_the_end(finished: Game, alice: User, clock: Traveller) -> None:
    preferences.set_game_level(alice, finished, GameNotificationLevel.Level.ALWAYS)
    visits.record_visit(finished.pk, alice, finished.version)
    assert told(clock) == {"alice", "bob"}


def test_end_waits_for_the_player_who_caused_it(
    start: NewGame, alice: User, bob: User, clock: Traveller
) -> None:
    """At once would be before that player's page is shown; who never gets it is told after all."""
    game = start(alice, bob)
    for user in (alice, bob):
        changed(user, mail_mode=User.MailMode.AT_ONCE)
    Notification.objects.all().delete()
    entry = play_move(
        game_id=game.pk,
        number=game.version + 1,
        seat=game.seat_to_move,
        text=legal_move(game),
        by=game.waiting_for,
    )
    game.refresh_from_db()
    Notification.objects.all().delete()
    game.status, game.waiting_for = Game.Status.FINISHED, None
    notify.notify_entry(game, entry)
    [mine, theirs] = sorted(rows(kind=Kind.FINISHED), key=lambda row: row.user_id != entry.user_id)
    assert mine.due - theirs.due == minutes(3)


def test_start_is_not_told_to_the_host_who_sees_it(alice: User, bob: User, clock: Traveller) -> None:
    changed(alice, mail_mode=User.MailMode.AT_ONCE)
    game = create_game(host=alice, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    join(game_id=game.pk, user=bob)
    start_as_host(game_id=game.pk, by=alice)
    Notification.objects.exclude(kind=Kind.STARTED).delete()
    assert claim_letter() is None
    clock.shift(timedelta(seconds=1))
    visits.record_visit(game.pk, alice, 0)
    assert told(clock) == {"bob"}


def test_start_is_not_told_to_whoever_talked_before_and_sees_it(
    alice: User, bob: User, clock: Traveller
) -> None:
    """Reading the chat in the waiting room is a visit, too, at the version at which the game starts."""
    game = create_game(host=alice, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    join(game_id=game.pk, user=bob)
    line = say(game_id=game.pk, user=alice, text="Ready?")
    visits.mark_chat_read(game, bob, line.pk)
    clock.shift(minutes(1))
    start_as_host(game_id=game.pk, by=alice)
    Notification.objects.exclude(kind=Kind.STARTED).delete()
    clock.shift(timedelta(seconds=1))
    client_of(bob).get(game.get_absolute_url())
    assert told(clock) == {"alice"}
    assert outcome(bob, Kind.STARTED) == (Notification.State.DROPPED, "seen")


def test_start_is_not_told_after_the_first_question(alice: User, bob: User, clock: Traveller) -> None:
    game = create_game(host=alice, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    join(game_id=game.pk, user=bob)
    decider = start_as_host(game_id=game.pk, by=alice).waiting_for
    assert decider is not None
    Notification.objects.filter(user=decider, kind=Kind.STARTED).update(due=NOON + minutes(50))
    clock.shift(minutes(30))
    while claimed := claim_letter():
        settle.mark_sent(claimed, "Your turn")
    clock.shift(minutes(30))
    assert claim_letter() is None
    assert outcome(decider, Kind.STARTED) == (Notification.State.DROPPED, "over")


# -- A rollback --------------------------------------------------------------------------------------------


@pytest.fixture
def rolled_back(start: NewGame, alice: User, bob: User, clock: Traveller) -> Game:
    """A game of alice and bob that a moderator has just taken back, with the news of that alone."""
    game = play_on(start(alice, bob), 12)
    for user in (alice, bob):
        visits.record_visit(game.pk, user, game.version)
    clock.shift(minutes(10))
    act("roll-back", game, entry=6)
    return Game.objects.get(pk=game.pk)


def test_rollback_is_not_told_to_whoever_has_seen_it(
    rolled_back: Game, alice: User, bob: User, clock: Traveller
) -> None:
    Notification.objects.exclude(kind=Kind.MODERATED).delete()
    clock.shift(minutes(1))
    visits.record_visit(rolled_back.pk, alice, rolled_back.version)
    assert told(clock) == {"bob"}
    assert outcome(alice, Kind.MODERATED) == (Notification.State.DROPPED, "seen")


def test_second_rollback_is_news_again(rolled_back: Game, alice: User, clock: Traveller) -> None:
    visits.record_visit(rolled_back.pk, alice, rolled_back.version)
    clock.shift(minutes(1))
    act("pause", rolled_back)
    act("resume", rolled_back)
    act("roll-back", rolled_back, entry=3)
    told_of = [row.moderator_action for row in rows(alice, Kind.MODERATED)]
    assert told_of == ["roll-back", "pause", "resume", "roll-back"]
    Notification.objects.exclude(kind=Kind.MODERATED, moderator_action="roll-back").delete()
    assert "alice" in told(clock)


@pytest.mark.parametrize("mode", [User.MailMode.DIGEST, User.MailMode.DELAYED])
def test_rollback_is_told_with_the_question_that_it_asks_again(
    start: NewGame, alice: User, bob: User, clock: Traveller, mode: str
) -> None:
    for user in (alice, bob):
        changed(user, mail_mode=mode)
    game = play_on(start(alice, bob, terms={"pace": 3600 * 4}), 12)
    Notification.objects.all().delete()
    act("roll-back", game, entry=6)
    game = Game.objects.get(pk=game.pk)
    first = game.waiting_for
    assert first is not None
    assert asked_with_news(first, game, clock)
    second = bob if first == alice else alice
    while game.waiting_for_id != second.pk:
        game = play_on(game, 1)
    assert asked_with_news(second, game, clock)


def asked_with_news(user: User, game: Game, clock: Traveller) -> bool:
    """Return whether the next mail to the user holds a question and the news of the rollback."""
    clock.move_to(Notification.objects.get(user=user, kind=Kind.DECISION, version=game.version).due)
    while claimed := claim_letter():
        kinds = {row.kind for row in claimed.rows}
        settle.mark_sent(claimed, "Your turn")
        if claimed.rows[0].user == user:
            return kinds == {Kind.DECISION, Kind.MODERATED}
    return False


@pytest.fixture
def joined(alice: User, bob: User, clock: Traveller) -> Game:
    """An open game of alice that bob has just joined, with the news of that alone."""
    game = create_game(host=alice, terms=GameTerms(system="acquire", preset="classic", least=3, most=4))
    join(game_id=game.pk, user=bob)
    Notification.objects.exclude(kind=Kind.JOINED).delete()
    return game


def watch_waiting_room(clock: Traveller, user: User, game: Game) -> None:
    for _ in range(4):
        page_presence.mark_visible(user.pk, game.pk, "tab")
        clock.shift(timedelta(seconds=20))


def test_arrival_is_not_told_to_a_host_in_the_waiting_room(
    joined: Game, alice: User, clock: Traveller
) -> None:
    watch_waiting_room(clock, alice, joined)
    assert told(clock) == set()
    assert outcome(alice, Kind.JOINED) == (Notification.State.DROPPED, "seen")


def test_arrival_is_told_to_a_host_who_may_just_have_left(
    joined: Game, alice: User, clock: Traveller
) -> None:
    page_presence.mark_visible(alice.pk, joined.pk, "tab")
    clock.shift(timedelta(seconds=20))
    page_presence.mark_hidden("tab")
    assert told(clock) == {"alice"}


@pytest.fixture
def inherited(joined: Game, alice: User, carol: User) -> Game:
    """An open game that alice has just left to bob, with the news of that alone."""
    join(game_id=joined.pk, user=with_mailbox(carol))
    leave(game_id=joined.pk, user=alice)
    Notification.objects.exclude(kind=Kind.HOST).delete()
    return joined


def test_new_host_in_the_waiting_room_is_not_told(inherited: Game, bob: User, clock: Traveller) -> None:
    watch_waiting_room(clock, bob, inherited)
    assert told(clock) == set()
    assert outcome(bob, Kind.HOST) == (Notification.State.DROPPED, "seen")


def test_new_host_who_is_away_is_told(inherited: Game, clock: Traveller) -> None:
    assert told(clock) == {"bob"}


def close(game: Game, *, by_moderator: bool) -> None:
    """Close an open game, with the news of that alone."""
    game = Game.objects.get(pk=game.pk)
    close_game(game, by_moderator=by_moderator)
    notify.notify_closed(game, "Spam." if by_moderator else "")
    Notification.objects.exclude(kind=Kind.CLOSED).delete()


def test_closing_is_not_told_to_members_in_the_waiting_room(
    joined: Game, bob: User, clock: Traveller
) -> None:
    close(joined, by_moderator=False)
    watch_waiting_room(clock, bob, joined)
    assert told(clock) == {"alice"}
    assert outcome(bob, Kind.CLOSED) == (Notification.State.DROPPED, "seen")


def test_closing_by_a_moderator_is_told_to_everybody(joined: Game, bob: User, clock: Traveller) -> None:
    close(joined, by_moderator=True)
    watch_waiting_room(clock, bob, joined)
    assert told(clock) == {"alice", "bob"}


OF_EYEWITNESSES = ("started", "finished", "check", "joined", "left", "host", "closed")


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in OF_EYEWITNESSES])
def test_no_other_kind_is_kept_from_eyewitnesses(kind: Kind, finished: Game, alice: User) -> None:
    visits.record_visit(finished.pk, alice, finished.version)
    [row] = rows(alice)
    row.kind = kind
    assert not eyewitnesses.Eyewitness(alice, [finished.pk]).has_seen(row)


def test_question_is_sent_to_whoever_has_seen_it(asked: tuple[Game, User, User], clock: Traveller) -> None:
    game, decider, _ = asked
    Notification.objects.exclude(kind=Kind.DECISION).delete()
    visits.record_visit(game.pk, decider, game.version)
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    assert told(clock) == {str(decider)}


def test_rule_that_keeps_questions_back_is_detected(
    asked: tuple[Game, User, User], clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: decisions count as news."""
    monkeypatch.setattr(eyewitnesses, "_OF_THE_TABLE", tuple(Kind))
    with pytest.raises(AssertionError):
        test_question_is_sent_to_whoever_has_seen_it(asked, clock)
