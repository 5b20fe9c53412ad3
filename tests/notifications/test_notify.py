"""What happens to a game leaves a row in the outbox, in the same transaction."""

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
from games.models import Endpoint, Game, GameNotificationLevel, Kind, MutedKind, Notification
from games.notifications import notify, preferences
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from games.play.seats import seat_handover
from games.realtime import worker_queue
from tests.notifications.conftest import NOON, changed, minutes, rows, with_mailbox
from tests.support.games import legal_move, play_on, play_to_the_end

pytestmark = pytest.mark.django_db

Asked = tuple[Game, User, User]


def move(game: Game) -> Game:
    return play_on(game, 1)


def until_asked(game: Game, user: User, seed: int = 1) -> Game:
    """The game played on until the user is asked anew, by somebody else's move."""
    for step in range(200):
        before = game.waiting_for_id
        game = play_on(game, 1, seed + step)
        if game.waiting_for_id == user.pk != before:
            return game
    raise AssertionError("the user is never asked")


# -- Decisions -------------------------------------------------------------------------------------------


def test_who_is_asked_is_told_after_the_delay(asked: Asked, clock: Traveller) -> None:
    game, decider, waiting = asked
    game = until_asked(game, waiting)
    [row] = rows(waiting, Kind.DECISION, state="waiting")
    assert (row.game, row.version, row.endpoint) == (game, game.version, None)
    assert row.due == NOON + minutes(3)
    assert rows(decider, Kind.DECISION, state="waiting") == []


def test_the_first_decision_is_told_with_the_start(asked: Asked, clock: Traveller) -> None:
    _, decider, waiting = asked
    assert {row.kind for row in rows(decider)} == {Kind.STARTED, Kind.DECISION}
    assert {row.kind for row in rows(waiting)} == {Kind.STARTED}


def test_a_row_is_withdrawn_when_the_decision_is_made(asked: Asked) -> None:
    game, decider, _ = asked
    move(game)
    [first, *_] = rows(decider, Kind.DECISION)
    assert (first.state, first.outcome) == (Notification.State.DROPPED, "decided")


def test_who_has_just_moved_is_given_time_for_what_comes_next(
    start: Callable[..., Game], alice: User, clock: Traveller
) -> None:
    changed(alice, mail_mode=User.MailMode.AT_ONCE)
    game = start(alice, "random")
    while game.waiting_for_id != alice.pk:
        game = play_on(game, 1)
    game = play_on(game, 1)
    while game.waiting_for_id != alice.pk:
        game = play_on(game, 1, seed=game.version)
    last = game.moves.last()
    assert last is not None
    [row] = rows(alice, Kind.DECISION, state="waiting")
    assert row.due == NOON + (minutes(3) if last.user_id == alice.pk else minutes(0))


def test_a_move_that_is_rolled_back_tells_nobody(asked: Asked) -> None:
    game, decider, _ = asked
    before = rows()
    with pytest.raises(RuntimeError), transaction.atomic():
        play_move(game_id=game.pk, number=1, seat=game.seat_to_move or 0, text=legal_move(game), by=decider)
        assert rows() != before
        raise RuntimeError
    assert [(row.pk, row.state) for row in rows()] == [(row.pk, row.state) for row in before]


@pytest.mark.parametrize("mode, asked_for", [(User.MailMode.AT_ONCE, 1), (User.MailMode.DELAYED, 0)])
def test_a_worker_is_asked_after_the_commit_when_something_is_due_at_once(
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


def test_a_row_that_cannot_be_written_undoes_the_move(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    game, decider, _ = asked

    def fail(rows: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(notify, "_write", fail)
    with pytest.raises(RuntimeError), transaction.atomic():
        until_asked(game, decider)
    game.refresh_from_db()
    assert game.version == 0


def test_a_decision_has_one_row_for_each_user_and_kind(asked: Asked) -> None:
    game, decider, _ = asked
    game = Game.objects.get(pk=game.pk)
    for _ in range(3):
        notify.game_started(game)
    assert len(rows(decider, Kind.DECISION)) == 1
    assert len(rows(decider, Kind.STARTED)) == 1


def test_the_house_s_ruling_that_changes_nothing_tells_nothing_new(
    start: Callable[..., Game], alice: User, bob: User, clock: Traveller
) -> None:
    """Somebody else's seat goes to a computer while alice thinks: her decision is the same one."""
    carol = with_mailbox(User.objects.create_user("carol"))
    game = start(alice, bob, carol)
    asked = User.objects.get(pk=game.waiting_for_id)
    other = next(user for user in (alice, bob, carol) if user != asked)
    Notification.objects.filter(kind=Kind.DECISION).update(state=Notification.State.SENT)
    seat_handover.hand_over_seat(game_id=game.pk, user=other)
    [row] = rows(asked, Kind.DECISION)
    assert (row.version, row.state) == (1, Notification.State.SENT)


# -- Who is told -----------------------------------------------------------------------------------------


def test_guests_are_told_nothing(start: Callable[..., Game], alice: User) -> None:
    changed(alice, is_guest=True)
    play_on(start(alice, "random"), 20)
    assert rows() == []


@pytest.mark.parametrize("columns", [{"verified": False}, {"primary": False}])
def test_an_address_that_is_not_confirmed_gets_no_mail(
    columns: dict[str, bool], start: Callable[..., Game], alice: User
) -> None:
    EmailAddress.objects.filter(user=alice).update(**columns)
    play_on(start(alice, "random"), 20)
    assert rows() == []


@pytest.mark.parametrize("columns", [{"mail_mode": User.MailMode.OFF}, {"mail_stopped": "550 no such box"}])
def test_who_wants_or_can_have_no_mail_gets_none(
    columns: dict[str, str], start: Callable[..., Game], alice: User
) -> None:
    changed(alice, **columns)
    play_on(start(alice, "random"), 20)
    assert rows() == []


def test_a_muted_game_tells_nothing_and_other_games_do(start: Callable[..., Game], alice: User) -> None:
    quiet, loud = start(alice, "random"), start(alice, "random")
    Notification.objects.all().delete()
    preferences.set_game_level(alice, quiet, GameNotificationLevel.Level.MUTE)
    play_on(quiet, 20)
    play_on(loud, 20)
    assert {row.game for row in rows()} == {loud}


def test_a_muted_kind_tells_nothing_and_other_kinds_do(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    preferences.mute_kind(alice, Kind.DECISION)
    play_to_the_end(start(alice, bob))
    assert {row.kind for row in rows(alice)} == {Kind.STARTED, Kind.FINISHED}
    assert MutedKind.objects.count() == 1


def test_a_game_that_is_always_told_is_told_at_once(
    start: Callable[..., Game], alice: User, bob: User, clock: Traveller
) -> None:
    changed(alice, mail_mode=User.MailMode.OFF)
    game = start(bob, alice)
    preferences.set_game_level(alice, game, GameNotificationLevel.Level.ALWAYS)
    until_asked(game, alice)
    assert [row.due for row in rows(alice, Kind.DECISION, state="waiting")] == [NOON]


def test_endpoints_are_told_at_once_whatever_becomes_of_mail(
    start: Callable[..., Game], alice: User, bob: User, clock: Traveller
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


def test_in_a_game_with_a_pace_people_are_reminded_when_four_fifths_are_over(
    alice: User, bob: User, clock: Traveller
) -> None:
    game = start_game(
        system="acquire", preset="classic", host=alice, players=[alice, bob], pace=5 * 24 * 3600
    )
    [row] = rows(User.objects.get(pk=game.waiting_for_id), Kind.REMINDER)
    assert row.due == NOON + timedelta(days=4)
    assert not row.digest


def test_without_a_pace_nobody_is_reminded(asked: Asked) -> None:
    assert rows(kind=Kind.REMINDER) == []


# -- The end ---------------------------------------------------------------------------------------------


def test_everybody_is_told_the_end(start: Callable[..., Game], alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob, "random"))
    assert {row.user for row in rows(kind=Kind.FINISHED)} == {alice, bob}
    assert {row.version for row in rows(kind=Kind.FINISHED)} == {game.version}
    assert rows(kind=Kind.DECISION, state="waiting") == []


# -- Before the start ------------------------------------------------------------------------------------


@pytest.fixture
def open_game(alice: User) -> Game:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    return create_game(host=alice, terms=terms)


def test_the_host_is_told_who_joins_and_leaves(open_game: Game, alice: User, bob: User) -> None:
    for _ in range(2):
        join(game_id=open_game.pk, user=bob)
        leave(game_id=open_game.pk, user=bob)
    assert [(row.kind, row.about) for row in rows(alice) if row.kind != Kind.READY] == [
        (Kind.JOINED, "bob"),
        (Kind.LEFT, "bob"),
    ] * 2
    assert rows(bob) == []


@pytest.mark.parametrize("columns", [{"mail_mode": "off"}, {"mail_stopped": "550 no such mailbox"}])
def test_an_endpoint_hears_of_everybody_who_joins_when_no_mail_is_wanted(
    columns: dict[str, str], open_game: Game, alice: User, bob: User, carol: User
) -> None:
    changed(alice, **columns)
    Endpoint.objects.create(user=alice, kind="json", url="https://hooks.example/in")
    for user in (bob, carol):
        join(game_id=open_game.pk, user=user)
    told = [(row.about, row.endpoint is not None) for row in rows(alice, Kind.JOINED)]
    assert told == [("bob", True), ("carol", True)]


def test_who_comes_and_goes_is_told_of_once(open_game: Game, alice: User, bob: User) -> None:
    Endpoint.objects.create(user=alice, kind="json", url="https://hooks.example/in")
    for _ in range(2):
        join(game_id=open_game.pk, user=bob)
        leave(game_id=open_game.pk, user=bob)
    join(game_id=open_game.pk, user=bob)
    told = [(row.kind, row.endpoint is not None) for row in rows(alice, state="waiting")]
    assert sorted(told) == [(kind, hook) for kind in (Kind.JOINED, Kind.READY) for hook in (False, True)]


def test_somebody_who_comes_overtakes_nobody_else(
    open_game: Game, alice: User, bob: User, carol: User
) -> None:
    for user in (bob, carol):
        join(game_id=open_game.pk, user=user)
    leave(game_id=open_game.pk, user=bob)
    told = {(row.kind, row.about) for row in rows(alice, state="waiting") if row.about}
    assert told == {(Kind.LEFT, "bob"), (Kind.JOINED, "carol")}


def test_the_host_is_told_when_the_game_can_start(open_game: Game, alice: User, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    assert len(rows(alice, Kind.READY)) == 1


def test_who_becomes_the_host_is_told(open_game: Game, alice: User, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    Notification.objects.all().delete()
    leave(game_id=open_game.pk, user=alice)
    assert [(row.user, row.kind, row.about) for row in rows()] == [(bob, Kind.HOST, "alice")]


def test_who_is_sent_away_is_told_why(open_game: Game, alice: User, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    kick(game_id=open_game.pk, user=bob, by=alice, reason="This one is for the club.")
    assert [(row.kind, row.about) for row in rows(bob)] == [(Kind.REMOVED, "This one is for the club.")]


def test_a_game_with_one_person_does_not_tell_that_it_started(
    start: Callable[..., Game], alice: User
) -> None:
    start(alice, "random")
    assert rows(kind=Kind.STARTED) == []


def test_a_game_that_nobody_starts_is_told_to_the_host_and_at_the_end_to_all(
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


def test_an_invitation_goes_to_the_member_or_the_address(open_game: Game, alice: User, bob: User) -> None:
    invite(game_id=open_game.pk, user=bob, by=alice)
    invite_address(game_id=open_game.pk, address="carol@mail.example", by=alice)
    told = [(row.user, row.invitation.address, row.about) for row in rows() if row.invitation]
    assert told == [(bob, "", "alice"), (None, "carol@mail.example", "alice")]


# -- The cost --------------------------------------------------------------------------------------------


def test_the_row_costs_a_move_a_fixed_number_of_queries(
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
