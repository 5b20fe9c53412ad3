"""Delivery through a real mail server, whatever it answers."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.utils import timezone
from time_machine import Traveller

from accounts.mail import mail_server, outbox
from accounts.models import User
from games import sweeper
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite_address
from games.models import DeliveryAttempt, Game, Kind, Notification, UnsubscribedAddress
from games.notifications.outbox import claim
from games.play.play_move import play_move
from games.play.seats import seat_handover
from games.realtime import worker_queue
from games.web.notifications import delivery, mail_delivery
from games.web.notifications.delivery import deliver
from tests.notifications.conftest import minutes, rows
from tests.notifications.mail_sink import Sink, away, serving, use_server
from tests.support import wording
from tests.support.games import NewGame, legal_move, play_on, play_until_asked
from tests.support.mailboxes import changed, with_mailbox

pytestmark = pytest.mark.django_db

Due = tuple[Game, User, Notification]


@pytest.fixture(autouse=True)
def _server_not_marked_as_away() -> Iterator[None]:
    cache.delete(mail_server.LEFT_ALONE)
    yield
    cache.delete(mail_server.LEFT_ALONE)


@pytest.fixture
def sink(settings: Any) -> Iterator[Sink]:
    """A mail server that takes everything until told otherwise."""
    server = Sink()
    with serving(server) as port:
        use_server(settings, port)
        yield server


@pytest.fixture
def due(start: NewGame, alice: User, bob: User) -> Due:
    """A game, the player to decide, and the row about it, due now and alone in the outbox."""
    game = start(alice, bob)
    decider = User.objects.get(pk=game.waiting_for_id)
    [row] = rows(decider, Kind.DECISION)
    Notification.objects.exclude(pk=row.pk).delete()
    make_due(row)
    return game, decider, row


def make_due(*due: Notification) -> None:
    now = timezone.now()
    Notification.objects.filter(pk__in=[row.pk for row in due]).update(due=now, made=now - minutes(5))


def state(row: Notification) -> str:
    row.refresh_from_db()
    return row.state


# -- A working server ------------------------------------------------------------------------------------


def test_mail_arrives_once(due: Due, sink: Sink) -> None:
    _, decider, row = due
    assert delivery.deliver(10) == 1
    assert delivery.deliver(10) == 0
    [mail] = sink.mails
    assert mail["To"] == f"{decider.username}@mail.example"
    assert mail["Message-ID"] == f"<notice.{row.pk}.{row.version}@localhost>"
    assert mail["Subject"].startswith(f"{wording.YOUR_TURN_TO_PLACE} (")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    assert state(row) == Notification.State.SENT


def test_many_mails_share_one_connection(start: NewGame, sink: Sink) -> None:
    for number in range(5):
        user = User.objects.create_user(f"player{number}")
        EmailAddress.objects.create(user=user, email=f"{number}@mail.example", primary=True, verified=True)
        play_until_asked(start(user, "random"), user)
    make_due(*rows())
    assert delivery.deliver(30) == 5
    assert len(sink.mails) == 5
    assert sink.connections == 1


def test_decision_made_while_the_mail_was_composed_sends_nothing(
    due: Due, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _, row = due
    claim_letter = claim.claim_letter

    def claim_and_dawdle() -> object:
        claimed = claim_letter()
        if claimed is not None:
            play_on(game, 1)
        return claimed

    monkeypatch.setattr(mail_delivery, "claim_letter", claim_and_dawdle)
    assert delivery.deliver(10) == 0
    assert sink.mails == []
    assert state(row) == Notification.State.DROPPED


@pytest.mark.parametrize("comes", ["before", "after"])
def test_decision_is_mailed_once_despite_a_ruling_during_delivery(
    comes: str,
    start: NewGame,
    alice: User,
    bob: User,
    carol: User,
    sink: Sink,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The ruling changes the version, but not the decision."""
    with_mailbox(carol)
    game = play_until_asked(start(alice, bob, carol), alice)
    [row] = rows(alice, Kind.DECISION, state="waiting")
    Notification.objects.exclude(pk=row.pk).delete()
    make_due(row)
    hand_over = mail_delivery._hand_over

    def rule() -> None:
        seat_handover.hand_over_seat(game_id=game.pk, user=bob)

    def rule_and_claim(claim: Callable[[], object] = claim.claim_letter) -> object:
        claimed = claim()
        if claimed is not None and comes == "before":
            rule()
        return claimed

    def rule_and_hand_over(*arguments: Any) -> None:
        hand_over(*arguments)
        if comes == "after":
            rule()

    with monkeypatch.context() as patch:
        patch.setattr(mail_delivery, "claim_letter", rule_and_claim)
        patch.setattr(mail_delivery, "_hand_over", rule_and_hand_over)
        assert delivery.deliver(10) == (comes == "after")
    if comes == "before":
        assert state(row) == Notification.State.WAITING
        make_due(row)
        assert delivery.deliver(10) == 1
    assert state(row) == Notification.State.SENT
    assert delivery.deliver(10) == 0
    assert len(sink.mails) == 1


def test_notification_held_back_by_a_ruling_gets_a_mail_of_its_own(
    start: NewGame, alice: User, bob: User, carol: User, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It also gets a message id of its own."""
    with_mailbox(carol)
    games = [start(alice, bob, carol), start(alice, "random")]
    for game in games:
        play_until_asked(game, alice)
    told = rows(alice, Kind.DECISION, state="waiting")
    Notification.objects.exclude(pk__in=[row.pk for row in told]).delete()
    make_due(*told)
    claim_letter = claim.claim_letter

    def claim_and_rule() -> object:
        claimed = claim_letter()
        if claimed is not None:
            seat_handover.hand_over_seat(game_id=games[0].pk, user=bob)
        return claimed

    with monkeypatch.context() as patch:
        patch.setattr(mail_delivery, "claim_letter", claim_and_rule)
        assert delivery.deliver(10) == 1
    make_due(*rows(alice, state="waiting"))
    assert delivery.deliver(10) == 1
    assert len(set(sink.message_ids)) == 2
    assert [carol.username in mail["Subject"] for mail in sink.mails] == [False, True]
    assert {row.state for row in rows(pk__in=[row.pk for row in told])} == {Notification.State.SENT}


# -- A server that refuses -------------------------------------------------------------------------------


def test_permanently_refused_address_gets_no_more_mail(due: Due, sink: Sink) -> None:
    _, decider, row = due
    sink.to_recipient = lambda address: "550 no such mailbox here"
    assert deliver(10) == 0
    assert changed(decider).mail_stopped == "550 no such mailbox here"
    assert state(row) == Notification.State.DROPPED
    [delivery] = DeliveryAttempt.objects.all()
    assert delivery.outcome == DeliveryAttempt.Outcome.REFUSED


def test_server_that_refuses_an_address_is_not_away_any_more(due: Due, sink: Sink) -> None:
    mail_server.note_trouble(OSError("refused"))
    sink.to_recipient = lambda address: "550 no such mailbox here"
    delivery.deliver(10)
    assert mail_server.away_since(timezone.now()) is None


def test_refused_invited_address_is_never_written_to_again(alice: User, sink: Sink) -> None:
    sink.to_recipient = lambda address: "550 no such mailbox here"
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    for _ in range(2):
        game = create_game(host=alice, terms=terms)
        invite_address(game_id=game.pk, address="Carol@mail.example", by=alice)
        delivery.deliver(10)
    assert UnsubscribedAddress.objects.get().address == "Carol@mail.example"
    assert [row.outcome for row in rows(kind=Kind.INVITATION)][-1] == "address closed"


def test_temporary_refusal_is_retried_later(due: Due, sink: Sink) -> None:
    _, decider, row = due
    sink.to_recipient = lambda address: "451 come back later"
    assert delivery.deliver(10) == 0
    assert (state(row), row.outcome) == (Notification.State.WAITING, "451 come back later")
    assert changed(decider).mail_stopped == ""
    sink.to_recipient = lambda address: None
    make_due(row)
    assert delivery.deliver(10) == 1
    assert sink.message_ids == [f"<notice.{row.pk}.{row.version}@localhost>"]


@pytest.mark.parametrize("answer", ["450 greylisted", "554 looks like spam"])
def test_refused_mail_does_not_stop_the_address(answer: str, due: Due, sink: Sink) -> None:
    _, decider, row = due
    sink.to_mail = lambda mail: answer
    assert delivery.deliver(10) == 0
    assert (state(row), row.outcome) == (Notification.State.WAITING, answer)
    assert changed(decider).mail_stopped == ""


@pytest.mark.parametrize(
    "answer",
    [
        "554 5.7.1 <bob@mail.example>: Relay access denied",
        "550 relay not permitted",
        "550 5.7.1 Client host blocked",
        "550 Authentication is required",
    ],
)
def test_server_that_does_not_let_the_site_in_costs_nobody_their_address(
    answer: str, due: Due, sink: Sink
) -> None:
    _, decider, row = due
    sink.to_recipient = lambda address: answer
    assert delivery.deliver(10) == 0
    assert (state(row), row.outcome) == (Notification.State.WAITING, answer)
    assert changed(decider).mail_stopped == ""
    assert answer in mail_delivery.send_trial(decider)
    assert changed(decider).mail_stopped == ""


def test_refused_address_does_not_hold_up_other_mail(
    start: NewGame, alice: User, bob: User, sink: Sink
) -> None:
    sink.to_recipient = lambda address: "550 gone" if address.startswith("alice") else None
    for user in (alice, bob):
        play_until_asked(start(user, "random"), user)
    make_due(*rows())
    assert delivery.deliver(20) == 1
    assert [mail["To"] for mail in sink.mails] == ["bob@mail.example"]


# -- A server that is away --------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["is stopped", "hangs"])
def test_absent_server_costs_no_attempt_and_is_left_alone(
    how: str, start: NewGame, alice: User, bob: User, settings: Any
) -> None:
    for user in (alice, bob):
        play_until_asked(start(user, "random"), user)
    make_due(*rows())
    with away(settings, how):
        began = time.monotonic()
        assert delivery.deliver(30) == 0
        assert delivery.deliver(30) == 0
        assert time.monotonic() - began < 3
    told = rows(kind=Kind.DECISION)
    assert [row.attempts for row in told] == [0, 0]
    assert {row.state for row in told} == {Notification.State.WAITING}


def test_mails_that_waited_for_the_server_go_as_soon_as_it_is_back(
    start: NewGame, alice: User, bob: User, settings: Any
) -> None:
    """None of them is put off: neither the one that found the server away nor the others."""
    for user in (alice, bob):
        play_until_asked(start(user, "random"), user)
    make_due(*rows(kind=Kind.DECISION))
    with away(settings, "is stopped"):
        assert delivery.deliver(5) == 0
    cache.delete(mail_server.LEFT_ALONE)
    sink = Sink()
    with serving(sink) as port:
        use_server(settings, port)
        assert delivery.deliver(20) == 2
    assert sorted(mail["To"] for mail in sink.mails) == ["alice@mail.example", "bob@mail.example"]


def test_absence_of_a_day_loses_no_mail(due: Due, settings: Any, clock: Traveller) -> None:
    _, decider, row = due
    make_due(row)
    with away(settings, "is stopped"):
        for _ in range(24):
            cache.delete(mail_server.LEFT_ALONE)
            assert delivery.deliver(5) == 0
            row.refresh_from_db()
            assert row.due <= timezone.now() + outbox.BACK_OFF[0]
            clock.shift(minutes(60))
    cache.delete(mail_server.LEFT_ALONE)
    sink = Sink()
    with serving(sink) as port:
        use_server(settings, port)
        assert delivery.deliver(5) == 1
    assert sink.message_ids == [f"<notice.{row.pk}.{row.version}@localhost>"]
    assert (state(row), row.attempts) == (Notification.State.SENT, 1)
    assert DeliveryAttempt.objects.get(user=decider).outcome == DeliveryAttempt.Outcome.HANDED_OVER


def test_connection_closed_at_once_costs_no_attempt(due: Due, sink: Sink) -> None:
    sink.to_recipient = lambda address: "421 closing for the night"
    assert delivery.deliver(5) == 0
    assert (state(due[2]), due[2].attempts) == (Notification.State.WAITING, 0)


def test_connection_broken_during_a_mail_costs_an_attempt(
    due: Due, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a mail that crashes the server would do so for ever."""

    def broken(*_: object) -> None:
        raise SMTPServerDisconnected("Connection unexpectedly closed")

    monkeypatch.setattr(mail_delivery, "_hand_over", broken)
    assert delivery.deliver(5) == 0
    assert (state(due[2]), due[2].attempts) == (Notification.State.WAITING, 1)


@pytest.mark.parametrize("how", ["is stopped", "hangs"])
def test_moves_do_not_wait_for_the_mail_server(
    how: str, start: NewGame, alice: User, bob: User, settings: Any
) -> None:
    for user in (alice, bob):
        changed(user, mail_mode=User.MailMode.AT_ONCE)
    with away(settings, how):
        game = start(alice, bob)
        for number in range(1, 6):
            by = User.objects.get(pk=game.waiting_for_id)
            began = time.monotonic()
            play_move(
                game_id=game.pk, number=number, seat=game.seat_to_move or 0, text=legal_move(game), by=by
            )
            assert time.monotonic() - began < 0.4
            game = Game.objects.get(pk=game.pk)


def test_absent_server_is_tried_again_after_ten_seconds(due: Due, settings: Any, clock: Traveller) -> None:
    make_due(due[2])
    with away(settings, "is stopped"):
        assert delivery.deliver(5) == 0
    server = Sink()
    with serving(server) as port:
        use_server(settings, port)
        make_due(due[2])
        clock.shift(9)
        assert delivery.deliver(5) == 0
        clock.shift(2)
        assert delivery.deliver(5) == 1


# -- The sweeper -----------------------------------------------------------------------------------------


def test_sweeper_sends_without_a_broker(due: Due, sink: Sink) -> None:
    sweeper.sweep()
    assert len(sink.mails) == 1


def test_sweeper_with_a_broker_asks_a_worker_and_sends_old_rows_itself(
    due: Due, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def ask_delivery(at: datetime | None = None) -> bool:
        asked.append(1)
        return True

    monkeypatch.setattr(worker_queue, "request_delivery", ask_delivery)
    sweeper.sweep()
    assert (len(asked), len(sink.mails)) == (1, 0)
    Notification.objects.update(due=timezone.now() - minutes(2))
    sweeper.sweep()
    assert len(sink.mails) == 1


def test_sweep_asks_a_worker_for_what_will_be_due_before_the_next(
    due: Due, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[datetime | None] = []

    def ask_delivery(at: datetime | None = None) -> bool:
        asked.append(at)
        return True

    monkeypatch.setattr(worker_queue, "request_delivery", ask_delivery)
    soon = timezone.now() + timedelta(seconds=7)
    Notification.objects.filter(pk=due[2].pk).update(due=soon)
    sweeper.sweep()
    assert len(asked) == 1
    assert asked[0] is not None
    # Not before it is due, and at once.
    assert soon <= asked[0] <= soon + timedelta(seconds=1)
    Notification.objects.filter(pk=due[2].pk).update(due=timezone.now() + minutes(1))
    sweeper.sweep()
    assert len(asked) == 1


def test_many_rows_that_will_be_due_together_cost_few_requests(
    start: NewGame, alice: User, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[datetime | None] = []
    monkeypatch.setattr(worker_queue, "request_delivery", lambda at=None: bool(asked.append(at) or True))
    soon = timezone.now() + timedelta(seconds=5)
    game = start(alice, "random")
    Notification.objects.all().delete()
    Notification.objects.bulk_create(
        Notification(
            user=alice, game=game, kind=Kind.MENTION, version=number, due=soon + number * minutes(0.001)
        )
        for number in range(100)
    )
    sweeper.sweep()
    assert 1 <= len(asked) <= 8


def test_sweep_with_nothing_due_asks_no_worker(
    start: NewGame, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask_delivery(at: datetime | None = None) -> bool:
        raise AssertionError("nothing is due")

    monkeypatch.setattr(worker_queue, "request_delivery", ask_delivery)
    start(alice, "random")
    sweeper.sweep()


# -- Test mails ------------------------------------------------------------------------------------------


def test_mail_arrives(alice: User, sink: Sink) -> None:
    assert mail_delivery.send_trial(alice) == ""
    assert [mail["To"] for mail in sink.mails] == ["alice@mail.example"]
    [delivery] = DeliveryAttempt.objects.all()
    assert (delivery.trial, delivery.outcome) == (True, DeliveryAttempt.Outcome.HANDED_OVER)


def test_refused_test_mail_says_why(alice: User, sink: Sink) -> None:
    sink.to_recipient = lambda address: "550 no such mailbox here"
    assert mail_delivery.send_trial(alice) == "550 no such mailbox here"
    assert changed(alice).mail_stopped == "550 no such mailbox here"


def test_mail_needs_a_confirmed_address(alice: User, sink: Sink) -> None:
    EmailAddress.objects.update(verified=False)
    assert "confirmed email address" in mail_delivery.send_trial(alice)
    assert sink.mails == []
