"""Events of a game write rows into the outbox, in the same transaction."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from time_machine import Traveller

from accounts.models import User
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite, invite_address
from games.lobby.join_game import join, kick, leave
from games.lobby.stale_games import close_stale, warn_host
from games.models import Channel, Endpoint, Game, GameNotificationLevel, Kind, MutedKind, Notification
from games.notifications import notify, preferences
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from games.play.seats import seat_handover
from games.realtime import worker_queue
from tests.notifications.conftest import NOON, minutes, rows
from tests.support.games import NewGame, legal_move, play_on, play_to_the_end, play_until_asked
from tests.support.mailboxes import changed, with_mailbox

pytestmark = pytest.mark.django_db

Asked = tuple[Game, User, User]


def move(game: Game) -> Game:
    return play_on(game, 1)


def until_asked(game: Game, user: User, seed: int = 1) -> Game:
    """Play on until somebody else's move asks the user again."""
    for step in range(200):
        before = game.waiting_for_id
        game = play_on(game, 1, seed + step)
        if game.waiting_for_id == user.pk != before:
            return game
    raise AssertionError("the user is never asked")


# -- Decisions -------------------------------------------------------------------------------------------


def test_player_to_decide_is_notified_after_the_delay(asked: Asked, clock: Traveller) -> None:
    game, decider, waiting = asked
    game = until_asked(game, waiting)
    [row] = rows(waiting, Kind.DECISION, state="waiting")
    assert (row.game, row.version, row.endpoint) == (game, game.version, None)
    assert row.due == NOON + minutes(3)
    assert rows(decider, Kind.DECISION, state="waiting") == []


def test_first_decision_is_notified_with_the_start(asked: Asked, clock: Traveller) -> None:
    _, decider, waiting = asked
    assert {row.kind for row in rows(decider)} == {Kind.STARTED, Kind.DECISION}
    assert {row.kind for row in rows(waiting)} == {Kind.STARTED}


def test_decision_made_withdraws_its_row(asked: Asked) -> None:
    game, decider, _ = asked
    move(game)
    [first, *_] = rows(decider, Kind.DECISION)
    assert (first.state, first.outcome) == (Notification.State.DROPPED, "decided")


def test_player_who_has_just_moved_gets_a_delay(start: NewGame, alice: User, clock: Traveller) -> None:
    changed(alice, mail_mode=User.MailMode.AT_ONCE)
    game = play_until_asked(start(alice, "random"), alice)
    game = play_until_asked(play_on(game, 1), alice)
    last = game.moves.last()
    assert last is not None
    [row] = rows(alice, Kind.DECISION, state="waiting")
    assert row.due == NOON + (minutes(3) if last.user_id == alice.pk else minutes(0))


def test_rolled_back_move_notifies_nobody(asked: Asked) -> None:
    game, decider, _ = asked
    before = rows()
    with pytest.raises(RuntimeError), transaction.atomic():
        play_move(game_id=game.pk, number=1, seat=game.seat_to_move or 0, text=legal_move(game), by=decider)
        assert rows() != before
        raise RuntimeError
    assert [(row.pk, row.state) for row in rows()] == [(row.pk, row.state) for row in before]


@pytest.mark.parametrize("mode, asked_for", [(User.MailMode.AT_ONCE, 1), (User.MailMode.DELAYED, 0)])
def test_worker_is_asked_after_the_commit_when_a_row_is_due_at_once(
    mode: str,
    asked_for: int,
    asked: Asked,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    game, _, waiting = asked
    changed(waiting, mail_mode=mode)
    calls: list[int] = []
    monkeypatch.setattr(worker_queue, "request_delivery", lambda: calls.append(1))
    with django_capture_on_commit_callbacks(execute=True):
        until_asked(game, waiting)
        assert calls == []
    assert len(calls) == asked_for


def test_failed_row_undoes_the_move(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    game, decider, _ = asked

    def fail(rows: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(notify, "_write", fail)
    with pytest.raises(RuntimeError), transaction.atomic():
        until_asked(game, decider)
    game.refresh_from_db()
    assert game.version == 0


def test_decision_has_one_row_for_each_user_and_kind(asked: Asked) -> None:
    game, decider, _ = asked
    game = Game.objects.get(pk=game.pk)
    for _ in range(3):
        notify.notify_started(game)
    assert len(rows(decider, Kind.DECISION)) == 1
    assert len(rows(decider, Kind.STARTED)) == 1


def test_ruling_that_keeps_the_decision_notifies_nobody_again(
    start: NewGame, alice: User, bob: User, clock: Traveller
) -> None:
    """Another seat goes to a bot while the player to decide thinks."""
    carol = with_mailbox(User.objects.create_user("carol"))
    game = start(alice, bob, carol)
    asked = User.objects.get(pk=game.waiting_for_id)
    other = next(user for user in (alice, bob, carol) if user != asked)
    Notification.objects.filter(kind=Kind.DECISION).update(state=Notification.State.SENT)
    seat_handover.hand_over_seat(game_id=game.pk, user=other)
    [row] = rows(asked, Kind.DECISION)
    assert (row.version, row.state) == (1, Notification.State.SENT)


# -- Recipients ------------------------------------------------------------------------------------------


def test_guests_are_not_notified(start: NewGame, alice: User) -> None:
    changed(alice, is_guest=True)
    play_on(start(alice, "random"), 20)
    assert rows() == []


@pytest.mark.parametrize("columns", [{"verified": False}, {"primary": False}])
def test_unconfirmed_address_gets_no_mail(columns: dict[str, bool], start: NewGame, alice: User) -> None:
    EmailAddress.objects.filter(user=alice).update(**columns)
    play_on(start(alice, "random"), 20)
    assert rows() == []


@pytest.mark.parametrize("columns", [{"mail_mode": User.MailMode.OFF}, {"mail_stopped": "550 no such box"}])
def test_user_without_mail_gets_no_row(columns: dict[str, str], start: NewGame, alice: User) -> None:
    changed(alice, **columns)
    play_on(start(alice, "random"), 20)
    assert rows() == []


def test_muted_game_writes_no_rows_and_others_do(start: NewGame, alice: User) -> None:
    quiet, loud = start(alice, "random"), start(alice, "random")
    Notification.objects.all().delete()
    preferences.set_game_level(alice, quiet, GameNotificationLevel.Level.MUTE)
    play_on(quiet, 20)
    play_on(loud, 20)
    assert {row.game for row in rows()} == {loud}


def test_muted_kind_writes_no_rows_and_others_do(start: NewGame, alice: User, bob: User) -> None:
    preferences.mute_kind(alice, Kind.DECISION)
    play_to_the_end(start(alice, bob))
    assert {row.kind for row in rows(alice)} == {Kind.STARTED, Kind.FINISHED}
    assert MutedKind.objects.count() == len(Channel)


def test_kind_muted_by_one_channel_comes_by_the_others(start: NewGame, alice: User, bob: User) -> None:
    hook = Endpoint.objects.create(user=alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/in")
    browser = Endpoint.objects.create(user=alice, kind=Endpoint.Kind.PUSH, url="https://push.example/1")
    preferences.set_wanted(alice, Kind.STARTED, Channel.MAIL, wanted=False)
    preferences.set_wanted(alice, Kind.STARTED, Channel.BROWSER, wanted=False)
    preferences.set_wanted(alice, Kind.FINISHED, Channel.WEBHOOK, wanted=False)
    preferences.mute_kind(alice, Kind.DECISION)
    play_to_the_end(start(alice, bob))
    told = {(row.kind, row.endpoint) for row in rows(alice)}
    assert told == {(Kind.STARTED, hook), (Kind.FINISHED, None), (Kind.FINISHED, browser)}


def test_game_with_level_always_is_notified_at_once(
    start: NewGame, alice: User, bob: User, clock: Traveller
) -> None:
    changed(alice, mail_mode=User.MailMode.OFF)
    game = start(bob, alice)
    preferences.set_game_level(alice, game, GameNotificationLevel.Level.ALWAYS)
    until_asked(game, alice)
    assert [row.due for row in rows(alice, Kind.DECISION, state="waiting")] == [NOON]


def test_endpoint_is_notified_at_once_whatever_the_mail_mode(
    start: NewGame, alice: User, bob: User, clock: Traveller
) -> None:
    changed(alice, mail_mode=User.MailMode.OFF)
    phone, stopped = (
        Endpoint.objects.create(user=alice, kind="json", url=f"https://hooks.example/{name}")
        for name in ("phone", "stopped")
    )
    Endpoint.objects.filter(pk=stopped.pk).update(stopped=NOON)
    until_asked(start(bob, alice), alice)
    told = rows(alice, Kind.DECISION, state="waiting")
    assert [(row.endpoint, row.due) for row in told] == [(phone, NOON)]


# -- Time ------------------------------------------------------------------------------------------------


def test_reminder_is_due_after_four_fifths_of_the_time(alice: User, bob: User, clock: Traveller) -> None:
    game = start_game(
        system="acquire", preset="classic", host=alice, players=[alice, bob], pace=5 * 24 * 3600
    )
    [row] = rows(User.objects.get(pk=game.waiting_for_id), Kind.REMINDER)
    assert row.due == NOON + timedelta(days=4)
    assert not row.digest


def test_game_without_a_pace_has_no_reminders(asked: Asked) -> None:
    assert rows(kind=Kind.REMINDER) == []


# -- The end ---------------------------------------------------------------------------------------------


def test_end_of_the_game_is_notified_to_everybody(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob, "random"))
    assert {row.user for row in rows(kind=Kind.FINISHED)} == {alice, bob}
    assert {row.version for row in rows(kind=Kind.FINISHED)} == {game.version}
    assert rows(kind=Kind.DECISION, state="waiting") == []


# -- Before the start ------------------------------------------------------------------------------------


@pytest.fixture
def open_game(alice: User) -> Game:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    return create_game(host=alice, terms=terms)


def test_host_is_notified_of_joining_and_leaving(open_game: Game, alice: User, bob: User) -> None:
    for _ in range(2):
        join(game_id=open_game.pk, user=bob)
        leave(game_id=open_game.pk, user=bob)
    assert [(row.kind, row.about) for row in rows(alice) if row.kind != Kind.READY] == [
        (Kind.JOINED, "bob"),
        (Kind.LEFT, "bob"),
    ] * 2
    assert rows(bob) == []


@pytest.mark.parametrize("columns", [{"mail_mode": "off"}, {"mail_stopped": "550 no such mailbox"}])
def test_endpoint_of_a_host_without_mail_hears_of_everybody_who_joins(
    columns: dict[str, str], open_game: Game, alice: User, bob: User, carol: User
) -> None:
    changed(alice, **columns)
    Endpoint.objects.create(user=alice, kind="json", url="https://hooks.example/in")
    for user in (bob, carol):
        join(game_id=open_game.pk, user=user)
    told = [(row.about, row.endpoint is not None) for row in rows(alice, Kind.JOINED)]
    assert told == [("bob", True), ("carol", True)]


def test_player_who_joins_repeatedly_is_notified_once(open_game: Game, alice: User, bob: User) -> None:
    Endpoint.objects.create(user=alice, kind="json", url="https://hooks.example/in")
    for _ in range(2):
        join(game_id=open_game.pk, user=bob)
        leave(game_id=open_game.pk, user=bob)
    join(game_id=open_game.pk, user=bob)
    told = [(row.kind, row.endpoint is not None) for row in rows(alice, state="waiting")]
    assert sorted(told) == [(kind, hook) for kind in (Kind.JOINED, Kind.READY) for hook in (False, True)]


def test_later_arrival_does_not_withdraw_earlier_ones(
    open_game: Game, alice: User, bob: User, carol: User
) -> None:
    for user in (bob, carol):
        join(game_id=open_game.pk, user=user)
    leave(game_id=open_game.pk, user=bob)
    told = {(row.kind, row.about) for row in rows(alice, state="waiting") if row.about}
    assert told == {(Kind.LEFT, "bob"), (Kind.JOINED, "carol")}


def test_host_is_notified_when_the_game_can_start(open_game: Game, alice: User, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    assert len(rows(alice, Kind.READY)) == 1


def test_new_host_is_notified(open_game: Game, alice: User, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    Notification.objects.all().delete()
    leave(game_id=open_game.pk, user=alice)
    assert [(row.user, row.kind, row.about) for row in rows()] == [(bob, Kind.HOST, "alice")]


def test_kicked_player_is_notified_of_the_reason(open_game: Game, alice: User, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    kick(game_id=open_game.pk, user=bob, by=alice, reason="This one is for the club.")
    assert [(row.kind, row.about) for row in rows(bob)] == [(Kind.REMOVED, "This one is for the club.")]


def test_start_of_a_game_with_one_person_is_not_notified(start: NewGame, alice: User) -> None:
    start(alice, "random")
    assert rows(kind=Kind.STARTED) == []


def test_unstarted_game_warns_the_host_and_notifies_all_of_its_end(
    alice: User, bob: User, clock: Traveller
) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    game = create_game(host=alice, terms=terms)
    join(game_id=game.pk, user=bob)
    clock.shift(timedelta(days=8))
    warn_host(game_id=game.pk)
    clock.shift(timedelta(days=7))
    close_stale(game_id=game.pk)
    assert [row.user for row in rows(kind=Kind.CLOSING)] == [alice]
    assert {row.user for row in rows(kind=Kind.CLOSED)} == {alice, bob}


def test_invitation_is_sent_to_the_member_or_the_address(open_game: Game, alice: User, bob: User) -> None:
    invite(game_id=open_game.pk, user=bob, by=alice)
    invite_address(game_id=open_game.pk, address="carol@mail.example", by=alice)
    told = [(row.user, row.invitation.address, row.about) for row in rows() if row.invitation]
    assert told == [(bob, "", "alice"), (None, "carol@mail.example", "alice")]


# -- The cost --------------------------------------------------------------------------------------------


def test_row_costs_a_move_a_fixed_number_of_queries(
    asked: Asked, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    game, _, waiting = asked
    game = until_asked(game, waiting)
    entry = game.moves.last()
    assert entry is not None
    entry.user_id = None
    Notification.objects.all().delete()
    with django_assert_max_num_queries(7):
        notify.notify_entry(lock_game(game.pk), entry)
    assert len(rows(waiting)) == 1
