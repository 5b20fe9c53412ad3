"""Nothing that puts mail off holds it back until its deadline is over."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.lobby.game_start import start_game
from games.models import DeliveryAttempt, Game, GameNotificationLevel, Kind, Notification
from games.notifications import delivery_times, notify, preferences
from games.notifications.delivery_times import MAX_MAILS_A_DAY
from games.notifications.outbox import last_check, outbox_rows, settle
from games.notifications.outbox.claim import Claim, claim_letter
from games.play import page_presence
from games.play.deadlines import overdue, vacation_clocks
from games.web.notifications import mail_message
from tests.notifications.conftest import NOON, minutes, rows
from tests.support import wording
from tests.support.mailboxes import changed

pytestmark = pytest.mark.django_db

Timed = Callable[..., tuple[Game, User]]

DAY = timedelta(days=1)
DIGEST, DELAYED, AT_ONCE = User.MailMode.DIGEST, User.MailMode.DELAYED, User.MailMode.AT_ONCE


@pytest.fixture
def timed(clock: Traveller, alice: User, bob: User) -> Timed:
    """Start a game with this many hours for a decision, of two people with these columns."""

    def start(hours: float, overrun: str = Game.OnTimeout.DECIDE, **columns: object) -> tuple[Game, User]:
        people = [changed(user, **{"time_zone": "UTC", **columns}) for user in (alice, bob)]
        game = start_game(
            system="acquire",
            preset="classic",
            host=alice,
            players=people,
            pace=round(hours * 3600),
            overrun=overrun,
        )
        Notification.objects.filter(kind=Kind.STARTED).delete()
        decider = next(user for user in people if user.pk == game.waiting_for_id)
        return game, decider

    return start


def claim_kinds() -> list[str]:
    """Claim the next mail, settle it as sent, and return the kinds of its notifications."""
    claimed = claim_letter()
    if claimed is None:
        return []
    settle.mark_sent(claimed, "")
    return [row.kind for row in claimed.rows]


def note_mails(user: User, number: int) -> None:
    sent = DeliveryAttempt.Outcome.HANDED_OVER
    DeliveryAttempt.objects.bulk_create(DeliveryAttempt(user=user, outcome=sent) for _ in range(number))


def only(kind: Kind) -> Notification:
    Notification.objects.exclude(kind=kind).delete()
    [row] = rows(kind=kind)
    return row


# -- Every way of putting off ----------------------------------------------------------------------------


def test_daily_mail_yields_to_the_time_for_which_a_seat_is_kept(timed: Timed, clock: Traveller) -> None:
    game, late = timed(2, Game.OnTimeout.TAKE, mail_mode=DIGEST)
    for _ in range(2):  # the grace, then the seat
        clock.shift(timedelta(hours=2, minutes=1))
        game.refresh_from_db()
        assert overdue.settle_timeout(game.pk, game.version)
    seat = game.seats.get(user=late)
    assert seat.is_bot_playing and seat.reserved_until is not None
    news = Notification.objects.filter(kind=Kind.LATE, user=late).latest("pk")
    Notification.objects.exclude(pk=news.pk).delete()
    assert news.due < seat.reserved_until and not news.digest
    clock.move_to(news.due)
    assert claim_kinds() == [Kind.LATE]


def test_daily_mail_yields_to_a_deadline(timed: Timed, clock: Traveller) -> None:
    timed(10, mail_mode=DIGEST)
    assert claim_kinds() == [Kind.DECISION]
    clock.shift(timedelta(hours=8))
    assert claim_kinds() == [Kind.REMINDER]


def test_daily_mail_chosen_meanwhile_yields_to_a_deadline(timed: Timed, clock: Traveller) -> None:
    _, decider = timed(10, mail_mode=DELAYED)
    only(Kind.DECISION)
    changed(decider, mail_mode=DIGEST)
    clock.shift(minutes(3))
    assert claim_kinds() == [Kind.DECISION]


def test_limit_of_a_day_yields_to_a_deadline(timed: Timed, clock: Traveller) -> None:
    for hours, kinds in ((10, [Kind.DECISION]), (100, [])):
        Notification.objects.all().delete()
        _, decider = timed(hours, mail_mode=AT_ONCE)
        note_mails(decider, MAX_MAILS_A_DAY)
        assert claim_kinds() == kinds, hours


def test_limit_of_a_day_does_not_hold_back_a_reminder(timed: Timed, clock: Traveller) -> None:
    _, decider = timed(100, mail_mode=AT_ONCE)
    only(Kind.REMINDER)
    clock.shift(timedelta(hours=80))
    note_mails(decider, MAX_MAILS_A_DAY + 5)
    assert claim_kinds() == [Kind.REMINDER]


def test_limit_of_a_day_yields_in_games_told_always_too(timed: Timed, clock: Traveller) -> None:
    game, decider = timed(100, mail_mode=DIGEST)
    preferences.set_game_level(decider, game, GameNotificationLevel.Level.ALWAYS)
    Notification.objects.filter(kind=Kind.DECISION).update(due=NOON, digest=False)
    note_mails(decider, MAX_MAILS_A_DAY)
    assert claim_kinds() == []
    Game.objects.update(deadline=NOON + timedelta(hours=6))
    Notification.objects.filter(kind=Kind.DECISION).update(due=NOON, digest=False)
    assert claim_kinds() == [Kind.DECISION]


def test_night_yields_to_a_deadline(timed: Timed, clock: Traveller) -> None:
    clock.move_to(NOON + timedelta(hours=12))
    for hours, kinds in ((10, [Kind.DECISION]), (100, [])):
        Notification.objects.all().delete()
        timed(hours, mail_mode=AT_ONCE, quiet_nights=True)
        assert claim_kinds() == kinds, hours
    clock.shift(timedelta(hours=7))
    assert claim_kinds() == [Kind.DECISION]


@pytest.mark.parametrize(("hours", "kinds"), [(20, [Kind.REMINDER]), (80, [])])
def test_reminder_due_at_night_waits_for_the_morning_if_it_can(
    hours: int, kinds: list[str], timed: Timed, clock: Traveller
) -> None:
    """Both are due at four o'clock, with 4 and with 16 hours left."""
    timed(hours, mail_mode=AT_ONCE, quiet_nights=True)
    clock.move_to(only(Kind.REMINDER).due)
    assert claim_kinds() == kinds
    clock.shift(timedelta(hours=3))
    assert claim_kinds() == ([] if kinds else [Kind.REMINDER])


def test_time_to_come_by_yields_to_a_deadline(timed: Timed, clock: Traveller) -> None:
    timed(2, mail_mode=DELAYED, mail_delay=120)
    assert claim_kinds() == [Kind.DECISION]


def test_open_page_yields_to_a_deadline(timed: Timed, clock: Traveller) -> None:
    game, decider = timed(0.5, mail_mode=AT_ONCE)
    only(Kind.DECISION)
    waited = timedelta()
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    while not claim_kinds():
        page_presence.mark_visible(decider.pk, game.pk, "tab")
        clock.shift(timedelta(seconds=15))
        waited += timedelta(seconds=15)
        assert waited <= minutes(15)
    assert waited == minutes(15)


def test_retry_after_a_failure_yields_to_a_deadline(timed: Timed, clock: Traveller) -> None:
    """The fifth attempt would come after six hours."""
    timed(4, mail_mode=AT_ONCE)
    row = only(Kind.DECISION)
    for wait in (1, 5, 30):
        claimed = claim_letter()
        assert claimed is not None
        settle.mark_failed(claimed, wording.YOUR_TURN, "450 not now")
        clock.shift(minutes(wait))
    claimed = claim_letter()
    assert claimed is not None
    settle.mark_failed(claimed, wording.YOUR_TURN, "450 not now")
    row.refresh_from_db()
    assert row.due == NOON + minutes(36) + minutes(4 * 60 - 36) / 2


@pytest.mark.parametrize("kind", [Kind.LATE, Kind.VOTE])
def test_grace_and_votes_do_not_wait_for_the_daily_mail(kind: Kind, timed: Timed, clock: Traveller) -> None:
    game, _ = timed(5, overrun=Game.OnTimeout.VOTE, mail_mode=DIGEST)
    while not rows(kind=kind):
        Notification.objects.all().delete()
        clock.shift(timedelta(hours=5))
        game.refresh_from_db()
        assert overdue.settle_timeout(game.pk, game.version)
    claimed = [*claim_kinds(), *claim_kinds()]
    assert kind in claimed


def test_clock_that_is_set_again_hurries_what_waits(timed: Timed, clock: Traveller) -> None:
    """A vacation ends, and the time left is over before the daily mail."""
    game, decider = timed(40, mail_mode=AT_ONCE)
    clock.shift(timedelta(hours=36))
    today = NOON.date() + 2 * DAY
    vacation = vacation_clocks.plan_vacation(user=decider, first=today, last=today)
    row = only(Kind.DECISION)
    # As if the decision had been asked during the vacation.
    digest = delivery_times.next_digest(decider, NOON + timedelta(hours=36))
    Notification.objects.filter(pk=row.pk).update(due=digest, digest=True)
    assert claim_kinds() == []
    assert vacation_clocks.end_vacation(user=decider, pk=vacation.pk) == "ended"
    game.refresh_from_db()
    assert game.deadline is not None
    assert game.deadline < digest
    assert Kind.DECISION in claim_kinds()


def test_clock_that_is_set_again_leaves_what_has_time(timed: Timed, clock: Traveller) -> None:
    game, _ = timed(200, mail_mode=DIGEST)
    row = only(Kind.DECISION)
    notify.reschedule_by_clock(game)
    assert rows(kind=Kind.DECISION)[0].due == row.due


# -- Decisions that are over -----------------------------------------------------------------------------


def test_decision_is_not_sent_between_its_deadline_and_the_settlement(timed: Timed, clock: Traveller) -> None:
    """Nobody knows yet whether time is given back after an outage, or the bot decides."""
    game, _ = timed(10, mail_mode=AT_ONCE)
    only(Kind.DECISION)
    clock.shift(timedelta(hours=10, seconds=1))
    assert claim_kinds() == []
    assert overdue.settle_timeout(game.pk, game.version)
    clock.shift(last_check.RECHECK_AFTER)
    assert sorted(claim_kinds()) == sorted([Kind.DECISION, Kind.LATE])


def test_decision_that_was_claimed_before_is_not_sent_after_its_deadline(
    timed: Timed, clock: Traveller
) -> None:
    timed(10, mail_mode=AT_ONCE)
    row = only(Kind.DECISION)
    assert claim_letter() is not None
    clock.shift(timedelta(hours=10, seconds=1))
    assert claim_letter() is None
    row.refresh_from_db()
    assert (row.state, row.message_id) == (Notification.State.WAITING, "")


# -- The limit is told -----------------------------------------------------------------------------------


def told(claimed: Claim) -> bool:
    """Send the mail and return whether it speaks of the limit."""
    written = mail_message.compose_mail(claimed)
    assert written is not None
    settle.mark_sent(claimed, written.subject)
    words = "With this one, you have had 20 emails since Fri 20 Nov, 07:00. That is our daily limit."
    assert (words in written.text) == (words in written.html)
    return words in written.text


def next_told(user: User, game: Game) -> bool:
    """Send another mail and return whether it speaks of the limit."""
    another_mail(user, game)
    claimed = claim_letter()
    assert claimed is not None
    return told(claimed)


def another_mail(user: User, game: Game) -> None:
    """Let another mail about the decision wait. Those before keep their results."""
    earlier = Notification.objects.filter(user=user, game=game, kind=Kind.DECISION, version=game.version)
    for row in earlier:
        # Each version is told once, so the earlier rows stand for others.
        Notification.objects.filter(pk=row.pk).update(version=1000 + row.pk)
    Notification.objects.create(
        user=user, game=game, kind=Kind.DECISION, version=game.version, made=NOON, due=NOON
    )


def test_limit_is_told_once_in_the_last_mail_before_it(timed: Timed, clock: Traveller) -> None:
    game, decider = timed(10, mail_mode=AT_ONCE)
    only(Kind.DECISION)
    # The reader has little time, so more mails than the limit go out.
    mails = [next_told(decider, game) for _ in range(MAX_MAILS_A_DAY + 3)]
    assert [number for number, is_told in enumerate(mails, start=1) if is_told] == [MAX_MAILS_A_DAY]


def test_mail_that_tells_of_the_limit_says_when_the_rest_comes(timed: Timed, clock: Traveller) -> None:
    _, decider = timed(10, mail_mode=AT_ONCE)
    note_mails(decider, MAX_MAILS_A_DAY - 1)
    claimed = claim_letter()
    assert claimed is not None
    written = mail_message.compose_mail(claimed)
    assert written is not None
    assert "The rest will come in one email on Sat 21 Nov, 07:00 (UTC)." in written.text
    assert "If that would leave you too little time for a move, we will email you earlier." in written.text


def test_retry_of_the_last_mail_tells_of_the_limit_again(timed: Timed, clock: Traveller) -> None:
    _, decider = timed(10, mail_mode=AT_ONCE)
    only(Kind.DECISION)
    note_mails(decider, MAX_MAILS_A_DAY - 1)
    first = claim_letter()
    assert first is not None
    settle.mark_failed(first, wording.YOUR_TURN, "450 not now")
    clock.shift(minutes(1))
    second = claim_letter()
    assert second is not None
    assert second.message_id == first.message_id
    assert told(second)


def claim_another(user: User, game: Game) -> Claim:
    another_mail(user, game)
    claimed = claim_letter()
    assert claimed is not None
    return claimed


def check_limit_is_told_once(timed: Timed, clock: Traveller) -> None:
    """Two mails are under way; the first fails, and is tried again after the one that reaches the limit."""
    game, decider = timed(10, mail_mode=AT_ONCE)
    only(Kind.DECISION)
    Notification.objects.all().delete()
    note_mails(decider, MAX_MAILS_A_DAY - 2)
    first, second = claim_another(decider, game), claim_another(decider, game)
    assert (first.reaches_limit, second.reaches_limit) == (False, True)
    settle.mark_failed(first, wording.YOUR_TURN, "450 not now")
    settle.mark_sent(second, wording.YOUR_TURN)
    clock.shift(minutes(1))
    look = last_check.LastCheck([rows(pk=first.rows[0].pk)[0]], decider, NOON + minutes(1))
    assert look.mails_today == MAX_MAILS_A_DAY - 1
    assert not look.tells_limit()


def test_limit_is_told_once_though_an_earlier_mail_is_tried_again(timed: Timed, clock: Traveller) -> None:
    check_limit_is_told_once(timed, clock)


def test_limit_that_is_told_by_number_alone_is_detected(
    timed: Timed, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: whichever mail is number twenty tells it."""
    monkeypatch.setattr(outbox_rows, "is_limit_told", lambda *_: False)
    with pytest.raises(AssertionError):
        check_limit_is_told_once(timed, clock)


def test_limit_is_told_by_the_next_mail_if_the_last_one_is_given_up(timed: Timed, clock: Traveller) -> None:
    game, decider = timed(10, mail_mode=AT_ONCE)
    only(Kind.DECISION)
    note_mails(decider, MAX_MAILS_A_DAY - 1)
    lost = claim_another(decider, game)
    assert lost.reaches_limit
    settle.mark_refused(lost, wording.YOUR_TURN, "550 too much")
    changed(decider, mail_stopped="")
    assert claim_another(decider, game).reaches_limit


def test_limit_is_told_again_on_the_next_day(timed: Timed, clock: Traveller) -> None:
    game, decider = timed(100, mail_mode=AT_ONCE)
    only(Kind.DECISION)
    note_mails(decider, MAX_MAILS_A_DAY - 1)
    assert told(claim_another(decider, game))
    clock.shift(DAY)
    note_mails(decider, MAX_MAILS_A_DAY - 1)
    assert claim_another(decider, game).reaches_limit


# -- Twins -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "check",
    [
        test_daily_mail_yields_to_a_deadline,
        test_daily_mail_chosen_meanwhile_yields_to_a_deadline,
        test_limit_of_a_day_yields_to_a_deadline,
        test_limit_of_a_day_does_not_hold_back_a_reminder,
        test_night_yields_to_a_deadline,
        test_time_to_come_by_yields_to_a_deadline,
    ],
)
def test_rule_that_does_not_ask_for_the_deadline_would_be_noticed(
    check: Callable[[Timed, Traveller], None],
    timed: Timed,
    clock: Traveller,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivery_times, "in_time", lambda choices, not_after: choices[0])
    with pytest.raises(AssertionError):
        check(timed, clock)


@pytest.mark.parametrize(
    "check",
    [
        test_daily_mail_yields_to_a_deadline,
        test_open_page_yields_to_a_deadline,
        test_retry_after_a_failure_yields_to_a_deadline,
        test_decision_that_was_claimed_before_is_not_sent_after_its_deadline,
    ],
)
def test_notifications_without_deadlines_would_be_noticed(
    check: Callable[[Timed, Traveller], None],
    timed: Timed,
    clock: Traveller,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.notifications.deadlines.deadline_of", lambda row: None)
    monkeypatch.setattr(delivery_times, "latest", lambda since, ends: None)
    with pytest.raises(AssertionError):
        check(timed, clock)
