"""Due rows are claimed by one worker, checked once more, and never forgotten."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone
from time_machine import Traveller

from accounts.mail import outbox
from accounts.mail.outbox import CLAIM
from accounts.models import User
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite_address
from games.lobby.join_game import join, kick, leave
from games.models import DeliveryAttempt, Endpoint, Game, GameNotificationLevel, Kind, Notification
from games.notifications import delivery_history, delivery_times, endpoints, preferences
from games.notifications.outbox import outbox_rows, settle
from games.notifications.outbox.claim import Claim, claim_letter, claim_message
from games.notifications.outbox.outbox_rows import notification_health
from games.notifications.outbox.settle import mark_failed, mark_sent
from games.play import page_presence
from tests.notifications.conftest import NOON, minutes, rows
from tests.support import wording
from tests.support.games import NewGame, play_on, play_until_asked
from tests.support.mailboxes import changed

pytestmark = pytest.mark.django_db

Asked = tuple[Game, User, User]
Due = tuple[Game, User, Notification]


@pytest.fixture
def due(asked: Asked, clock: Traveller) -> Due:
    """A game, the player to decide, and the row about it, due now and alone in the outbox."""
    game, decider, _ = asked
    [row] = rows(decider, Kind.DECISION)
    Notification.objects.exclude(pk=row.pk).delete()
    clock.shift(minutes(3))
    return game, decider, row


def claim() -> Claim:
    claimed = claim_letter()
    assert claimed is not None
    return claimed


def state(row: Notification) -> tuple[str, str]:
    row.refresh_from_db()
    return row.state, row.outcome


# -- Claiming --------------------------------------------------------------------------------------------


def test_nothing_is_claimed_before_it_is_due(asked: Asked, clock: Traveller) -> None:
    clock.shift(minutes(2.9))
    assert claim_letter() is None


def test_due_row_is_claimed_once(due: Due) -> None:
    _, decider, row = due
    claimed = claim()
    assert (claimed.rows, claimed.user, claimed.address) == (
        [row],
        decider,
        f"{decider.username}@mail.example",
    )
    assert claim_letter() is None


def test_abandoned_claim_is_due_again_with_the_same_message_id(due: Due, clock: Traveller) -> None:
    first = claim().message_id
    clock.shift(CLAIM - timedelta(seconds=1))
    assert claim_letter() is None
    clock.shift(timedelta(seconds=1))
    assert claim().message_id == first


def test_row_that_is_never_settled_is_given_up(due: Due, clock: Traveller) -> None:
    """A row that crashes every worker must not do so for ever."""
    for _ in range(len(outbox.BACK_OFF) + 1):
        claim()
        clock.shift(CLAIM)
    assert claim_letter() is None
    assert state(due[2])[0] == Notification.State.GIVEN_UP


def test_failed_attempt_is_retried_after_one_five_thirty_minutes_and_six_hours(
    due: Due, clock: Traveller
) -> None:
    _, decider, row = due
    for wait in (1, 5, 30, 360):
        settle.mark_failed(claim(), wording.YOUR_TURN, "450 not now")
        assert state(row) == (Notification.State.WAITING, "450 not now")
        clock.shift(minutes(wait) - timedelta(seconds=1))
        assert claim_letter() is None
        clock.shift(timedelta(seconds=1))
    settle.mark_failed(claim(), wording.YOUR_TURN, "450 not now")
    assert state(row) == (Notification.State.GIVEN_UP, "450 not now")
    outcomes = list(
        DeliveryAttempt.objects.filter(user=decider).order_by("pk").values_list("outcome", flat=True)
    )
    assert outcomes == [DeliveryAttempt.Outcome.FAILED] * 4 + [DeliveryAttempt.Outcome.GIVEN_UP]


def test_sent_row_is_settled(due: Due) -> None:
    claimed = claim()
    settle.mark_sent(claimed, wording.YOUR_TURN)
    assert state(due[2]) == (Notification.State.SENT, "")
    [delivery] = DeliveryAttempt.objects.all()
    assert (delivery.outcome, delivery.subject, delivery.message_id) == (
        DeliveryAttempt.Outcome.HANDED_OVER,
        wording.YOUR_TURN,
        claimed.message_id,
    )


def test_refusal_stops_mail_to_the_address(due: Due) -> None:
    settle.mark_refused(claim(), wording.YOUR_TURN, "550 no such mailbox")
    assert changed(due[1]).mail_stopped == "550 no such mailbox"
    assert state(due[2])[0] == Notification.State.DROPPED


# -- Last check ------------------------------------------------------------------------------------------


def test_decision_made_meanwhile_is_dropped(due: Due) -> None:
    game, _, row = due
    play_on(game, 1)
    # As if the move had not withdrawn it.
    Notification.objects.filter(pk=row.pk).update(state=Notification.State.WAITING)
    Notification.objects.exclude(pk=row.pk).delete()
    assert claim_letter() is None
    assert state(row) == (Notification.State.DROPPED, "over")


def test_seat_that_changed_hands_drops_the_row(due: Due, bob: User, alice: User) -> None:
    game, _, row = due
    Game.objects.filter(pk=game.pk).update(waiting_for=None)
    assert claim_letter() is None
    assert state(row) == (Notification.State.DROPPED, "over")


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"mail_mode": User.MailMode.OFF}, "mail is off"),
        ({"mail_stopped": "550 no such box"}, "mail stopped"),
    ],
)
def test_notification_choices_made_meanwhile_count(columns: dict[str, str], why: str, due: Due) -> None:
    changed(due[1], **columns)
    assert claim_letter() is None
    assert state(due[2]) == (Notification.State.DROPPED, why)


def test_address_no_longer_confirmed_gets_nothing(due: Due) -> None:
    EmailAddress.objects.update(verified=False)
    assert claim_letter() is None
    assert state(due[2]) == (Notification.State.DROPPED, "no confirmed address")


def test_game_muted_meanwhile_is_dropped(due: Due) -> None:
    preferences.set_game_level(due[1], due[0], GameNotificationLevel.Level.MUTE)
    assert claim_letter() is None
    assert state(due[2]) == (Notification.State.DROPPED, "muted")


def test_kind_muted_meanwhile_is_dropped(due: Due) -> None:
    preferences.mute_kind(due[1], Kind.DECISION)
    assert claim_letter() is None
    assert state(due[2]) == (Notification.State.DROPPED, "muted")


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({}, None),
        ({"mail_mode": User.MailMode.OFF}, "mail is off"),
        ({"mail_stopped": "550 no such box"}, "mail is off"),
    ],
)
def test_invitation_to_a_members_address_obeys_the_members_choices(
    columns: dict[str, str], why: str | None, clock: Traveller, alice: User, bob: User
) -> None:
    changed(bob, **columns)
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    game = create_game(host=alice, terms=terms)
    invite_address(game_id=game.pk, address="BOB@mail.example", by=alice)
    claimed = claim_letter()
    assert (claimed is None) == (why is not None)
    assert rows(invitation__isnull=False)[0].outcome == (why or "")


# -- Open pages ------------------------------------------------------------------------------------------


def test_visible_page_delays_the_mail_but_never_drops_it(due: Due, clock: Traveller) -> None:
    game, decider, row = due
    for _ in range(10):
        page_presence.mark_visible(decider.pk, game.pk, "tab")
        assert claim_letter() is None
        assert state(row)[0] == Notification.State.WAITING
        clock.shift(timedelta(seconds=30))
    page_presence.mark_hidden("tab")
    clock.shift(minutes(2.9))
    assert claim_letter() is None
    clock.shift(minutes(0.1))
    assert claim().rows == [row]


def test_silent_page_counts_as_hidden(due: Due, clock: Traveller) -> None:
    game, decider, row = due
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    assert claim_letter() is None
    clock.shift(timedelta(seconds=45) + minutes(3))
    assert claim().rows == [row]


def test_hidden_page_does_not_outweigh_a_visible_one(due: Due) -> None:
    game, decider, _ = due
    for tab in ("one", "two"):
        page_presence.mark_visible(decider.pk, game.pk, tab)
    page_presence.mark_hidden("one")
    assert claim_letter() is None


def test_pages_of_other_games_and_people_do_not_delay_the_mail(
    due: Due, start: NewGame, alice: User, bob: User
) -> None:
    game, decider, row = due
    other = start(alice, "random")
    Notification.objects.exclude(pk=row.pk).delete()
    page_presence.mark_visible(decider.pk, other.pk, "elsewhere")
    page_presence.mark_visible(next(user.pk for user in (alice, bob) if user != decider), game.pk, "opponent")
    assert claim().rows == [row]


def test_visible_page_delays_the_mail_by_an_hour_at_most(due: Due, clock: Traveller) -> None:
    game, decider, row = due
    waited = minutes(3)
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    while not (sent := claim_letter()):
        page_presence.mark_visible(decider.pk, game.pk, "tab")
        clock.shift(timedelta(seconds=30))
        waited += timedelta(seconds=30)
    assert sent.rows == [row]
    assert waited == minutes(63)


def test_visible_page_delays_a_mail_with_a_long_delay_too(due: Due, clock: Traveller) -> None:
    game, decider, row = due
    changed(decider, mail_delay=120)
    Notification.objects.filter(pk=row.pk).update(due=NOON + minutes(120))
    clock.move_to(NOON + minutes(120.5))
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    assert claim_letter() is None
    assert state(row)[0] == Notification.State.WAITING
    clock.move_to(NOON + minutes(180))
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    assert claim().rows == [row]


def test_kicked_player_is_not_reported_as_joined(
    clock: Traveller, alice: User, bob: User, carol: User
) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    game = create_game(host=alice, terms=terms)
    for user in (bob, carol):
        join(game_id=game.pk, user=user)
    kick(game_id=game.pk, user=bob, by=alice, reason="This one is for the club.")
    clock.shift(minutes(3))
    told = [(row.kind, row.about) for row in claim().rows if row.user == alice and row.about]
    assert told == [(Kind.JOINED, "carol")]


def test_returned_player_is_not_reported_as_left(clock: Traveller, alice: User, bob: User) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    game = create_game(host=alice, terms=terms)
    join(game_id=game.pk, user=bob)
    leave(game_id=game.pk, user=bob)
    [left] = rows(alice, Kind.LEFT)
    join(game_id=game.pk, user=bob)
    # As if coming back had not withdrawn it.
    Notification.objects.filter(pk=left.pk).update(state=Notification.State.WAITING)
    clock.shift(minutes(3))
    assert Kind.LEFT not in {row.kind for row in claim().rows}
    assert state(left) == (Notification.State.DROPPED, "over")


def test_host_is_not_told_to_start_a_game_that_lost_a_player(
    clock: Traveller, alice: User, bob: User, carol: User
) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=2)
    game = create_game(host=alice, terms=terms)
    join(game_id=game.pk, user=bob)
    leave(game_id=game.pk, user=bob)
    [ready] = rows(alice, Kind.READY)
    clock.shift(minutes(3))
    settle.mark_sent(claim(), "Somebody left")
    assert state(ready) == (Notification.State.DROPPED, "over")
    join(game_id=game.pk, user=carol)
    clock.shift(minutes(3))
    assert Kind.READY in {row.kind for row in claim().rows}


def test_game_with_level_always_ignores_open_pages(due: Due) -> None:
    game, decider, row = due
    preferences.set_game_level(decider, game, GameNotificationLevel.Level.ALWAYS)
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    assert claim().rows == [row]


# -- Several games in one mail ---------------------------------------------------------------------------


def asked_in(start: NewGame, alice: User) -> Game:
    """Start a game with alice to decide."""
    return play_until_asked(start(alice, "random"), alice)


def asked_in_games(start: NewGame, alice: User, number: int) -> list[Game]:
    """Start this many of them, one notified a minute after the other."""
    games = [asked_in(start, alice) for _ in range(number)]
    for place, game in enumerate(games):
        Notification.objects.filter(game=game).update(
            made=NOON + minutes(place), due=NOON + minutes(place + 3)
        )
    return games


def test_decisions_of_several_games_within_the_delay_share_a_mail(
    start: NewGame, alice: User, clock: Traveller
) -> None:
    asked_in_games(start, alice, 3)
    oldest, *_ = rows(alice)
    clock.move_to(NOON + minutes(3))
    claimed = claim()
    assert len(claimed.rows) == 3
    assert f".{oldest.pk}.{oldest.version}@" in claimed.message_id
    assert claim_letter() is None


def test_later_decision_goes_into_another_mail(start: NewGame, alice: User, clock: Traveller) -> None:
    first, second = asked_in_games(start, alice, 2)
    Notification.objects.filter(game=second).update(made=NOON + minutes(4), due=NOON + minutes(7))
    clock.move_to(NOON + minutes(3))
    earlier = claim()
    assert [row.game for row in earlier.rows] == [first]
    settle.mark_sent(earlier, "")
    clock.move_to(NOON + minutes(7))
    later = claim()
    assert [row.game for row in later.rows] == [second]


def test_game_with_an_open_page_stays_out_of_the_mail_and_keeps_its_id(
    start: NewGame, alice: User, clock: Traveller
) -> None:
    first, second = asked_in_games(start, alice, 2)
    clock.move_to(NOON + minutes(4))
    page_presence.mark_visible(alice.pk, first.pk, "tab")
    one = claim()
    assert [row.game for row in one.rows] == [second]
    settle.mark_sent(one, "")
    clock.shift(minutes(10))
    other = claim()
    assert [row.game for row in other.rows] == [first]
    assert other.message_id != one.message_id


def test_after_a_crash_the_same_rows_are_sent_again_without_new_ones(
    start: NewGame, alice: User, clock: Traveller
) -> None:
    asked_in_games(start, alice, 3)
    last = rows(alice)[-1]
    Notification.objects.filter(pk=last.pk).update(due=NOON + minutes(30))
    clock.move_to(NOON + minutes(3))
    before = claim()
    Notification.objects.filter(pk=last.pk).update(due=NOON)
    clock.shift(CLAIM)
    claims = [claim(), claim()]
    assert {tuple(row.pk for row in claimed.rows) for claimed in claims} == {
        tuple(row.pk for row in before.rows),
        (last.pk,),
    }
    assert before.message_id in {claimed.message_id for claimed in claims}


# -- Digest ----------------------------------------------------------------------------------------------


def test_digest_is_sent_in_the_morning(start: NewGame, alice: User, clock: Traveller) -> None:
    changed(alice, mail_mode=User.MailMode.DIGEST, digest_hour=7, time_zone="Europe/Berlin")
    for _ in range(3):
        asked_in(start, alice)
    clock.move_to(datetime(2026, 11, 21, 5, 59, tzinfo=UTC))
    assert claim_letter() is None
    clock.move_to(datetime(2026, 11, 21, 6, 0, tzinfo=UTC))
    claimed = claim()
    assert len(claimed.rows) == 3
    assert claimed.is_digest


def test_digest_chosen_meanwhile_takes_the_row(due: Due, clock: Traveller) -> None:
    decider = changed(due[1], mail_mode=User.MailMode.DIGEST, time_zone="UTC")
    assert claim_letter() is None
    clock.move_to(delivery_times.next_digest(decider, NOON))
    assert claim().is_digest


def test_reminder_waits_for_the_digest_unless_it_comes_too_late(
    alice: User, bob: User, clock: Traveller
) -> None:
    for user in (alice, bob):
        changed(user, mail_mode=User.MailMode.DIGEST, digest_hour=7, time_zone="UTC")
    for hours, waits in ((10, False), (100, False), (200, True)):
        Notification.objects.all().delete()
        game = start_game(
            system="acquire", preset="classic", host=alice, players=[alice, bob], pace=hours * 3600
        )
        Notification.objects.exclude(kind=Kind.REMINDER).delete()
        began = datetime.now(UTC)
        clock.move_to(began + timedelta(hours=hours * 0.8))
        claimed = claim_letter()
        assert (claimed is None) == waits, game
        clock.move_to(began)


def test_reminder_that_overtakes_the_decision_is_the_only_mail_about_it(
    alice: User, bob: User, clock: Traveller
) -> None:
    for user in (alice, bob):
        changed(user, mail_mode=User.MailMode.DELAYED, mail_delay=120)
    start_game(system="acquire", preset="classic", host=alice, players=[alice, bob], pace=3600)
    Notification.objects.filter(kind=Kind.STARTED).delete()
    clock.shift(minutes(48))
    reminder = claim()
    assert [row.kind for row in reminder.rows] == [Kind.DECISION, Kind.REMINDER]
    Notification.objects.filter(kind=Kind.DECISION).update(message_id="", due=NOON + minutes(50))
    settle.mark_sent(Claim(reminder.rows[1:], reminder.user), "Your time is running out")
    clock.shift(minutes(5))
    assert claim_letter() is None
    assert [row.outcome for row in rows(kind=Kind.DECISION)] == ["over"]


def test_after_twenty_mails_a_day_the_rest_waits_for_the_digest(due: Due, clock: Traveller) -> None:
    _, decider, row = due
    changed(decider, time_zone="UTC", digest_hour=7)
    sent = DeliveryAttempt.Outcome.HANDED_OVER
    for number in range(20):
        DeliveryAttempt.objects.create(user=decider, outcome=sent, at=NOON - minutes(15 * number))
    assert claim_letter() is None
    clock.move_to(datetime(2026, 11, 21, 7, 0, tzinfo=UTC))
    claimed = claim()
    assert (claimed.rows, claimed.is_digest) == ([row], True)


def test_mails_and_failures_do_not_count_towards_the_twenty(due: Due) -> None:
    for number in range(30):
        outcome = DeliveryAttempt.Outcome.HANDED_OVER if number % 2 else DeliveryAttempt.Outcome.FAILED
        DeliveryAttempt.objects.create(user=due[1], outcome=outcome, at=NOON, trial=bool(number % 2))
    assert claim().rows == [due[2]]


@pytest.mark.parametrize(
    ("zone", "now", "expected"),
    [
        # Seven o'clock is over, so tomorrow.
        ("UTC", "2026-11-20T12:00", "2026-11-21T07:00"),
        ("UTC", "2026-11-20T06:59", "2026-11-20T07:00"),
        ("UTC", "2026-11-20T07:00", "2026-11-21T07:00"),
        ("Europe/Berlin", "2026-11-20T05:59", "2026-11-20T06:00"),
        # It is already the 21st in Auckland, and still the 19th in Honolulu.
        ("Pacific/Auckland", "2026-11-20T12:00", "2026-11-20T18:00"),
        ("Pacific/Honolulu", "2026-11-20T05:00", "2026-11-20T17:00"),
        # The nights in which the clocks go forward and back.
        ("Europe/Berlin", "2026-03-28T12:00", "2026-03-29T05:00"),
        ("Europe/Berlin", "2026-10-24T12:00", "2026-10-25T06:00"),
    ],
)
def test_digest_comes_at_the_chosen_hour_of_the_users_time_zone(zone: str, now: str, expected: str) -> None:
    user = User(time_zone=zone, digest_hour=7)
    at = delivery_times.next_digest(user, datetime.fromisoformat(f"{now}+00:00"))
    assert at == datetime.fromisoformat(f"{expected}+00:00")


@pytest.mark.parametrize("month, day", [(3, 29), (10, 25)])
def test_days_when_the_clocks_change_have_one_digest(month: int, day: int) -> None:
    """The hour does not exist on one day, and comes twice on the other."""
    user = User(time_zone="Europe/Berlin", digest_hour=2)
    now = datetime(2026, month, day - 2, 12, tzinfo=UTC)
    times = []
    for _ in range(4):
        now = delivery_times.next_digest(user, now)
        times.append(now)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert all(timedelta(hours=22) < gap < timedelta(hours=26) for gap in gaps), times


# -- Endpoints -------------------------------------------------------------------------------------------


@pytest.fixture
def hook(due: Due) -> Endpoint:
    """Replace the mail's row by one for the user's webhook."""
    _, decider, row = due
    hook = Endpoint.objects.create(user=decider, kind="json", url="https://hooks.example/in")
    Notification.objects.filter(pk=row.pk).update(endpoint=hook)
    return hook


def test_endpoint_rows_are_not_mailed(hook: Endpoint) -> None:
    assert claim_letter() is None
    claimed = claim_message()
    assert claimed is not None
    assert claimed.endpoint == hook
    assert claim_message() is None


def test_visible_page_delays_endpoint_messages_too(hook: Endpoint, due: Due, clock: Traveller) -> None:
    page_presence.mark_visible(hook.user_id, due[0].pk, "tab")
    assert claim_message() is None
    clock.shift(timedelta(seconds=45))
    assert claim_message() is not None


def test_endpoint_is_disabled_after_failures_in_a_row(hook: Endpoint, clock: Traveller) -> None:
    for number in range(settle.MAX_FAILURES):
        claimed = claim_message()
        assert claimed is not None, number
        settle.mark_failed(claimed, wording.YOUR_TURN, "500")
        clock.shift(minutes(361))
    hook.refresh_from_db()
    assert hook.stopped is not None
    assert hook.trouble == "500"


def fail(hook: Endpoint, times: int, clock: Traveller) -> None:
    """Let this many messages in a row fail; the last one just now."""
    for number in range(times):
        claimed = claim_message()
        assert claimed is not None
        settle.mark_failed(claimed, wording.YOUR_TURN, "500")
        if number < times - 1:
            clock.shift(outbox.BACK_OFF[number])


def test_endpoint_is_left_alone_for_up_to_six_hours(hook: Endpoint, clock: Traveller) -> None:
    fail(hook, 4, clock)
    now = timezone.now()
    assert delivery_history.endpoints_of(hook.user, now) == [(hook, now + timedelta(hours=6))]
    clock.shift(timedelta(hours=6) - timedelta(seconds=1))
    assert claim_message() is None
    clock.shift(timedelta(seconds=1))
    assert claim_message() is not None
    assert delivery_history.endpoints_of(hook.user, timezone.now()) == [(hook, None)]


def test_test_message_that_is_taken_ends_the_wait(hook: Endpoint, clock: Traveller) -> None:
    fail(hook, 4, clock)
    settle.note_trial(hook.user, "Test", DeliveryAttempt.Outcome.FAILED, "500", endpoint=hook)
    assert claim_message() is None
    settle.note_trial(hook.user, "Test", DeliveryAttempt.Outcome.HANDED_OVER, endpoint=hook)
    endpoints.revive(hook)
    assert claim_message() is not None


def test_end_of_the_wait_sends_no_reminder_before_its_time(
    hook: Endpoint, due: Due, clock: Traveller
) -> None:
    clock.shift(minutes(5))
    later = timezone.now() + timedelta(hours=9)
    facts = {"user": hook.user, "game": due[0], "endpoint": hook, "made": NOON, "version": 0}
    row = Notification.objects.create(kind=Kind.REMINDER, due=later, **facts)
    endpoints.revive(hook)
    row.refresh_from_db()
    assert row.due == later


@pytest.mark.parametrize("later", [True, False])
def test_burst_of_failures_counts_as_one(later: bool, hook: Endpoint, due: Due, clock: Traveller) -> None:
    facts = {"user": hook.user, "game": due[0], "kind": Kind.MODERATED, "endpoint": hook, "made": NOON}
    for version in range(10, 18):
        Notification.objects.create(version=version, due=NOON, **facts)

    def burst() -> int:
        posted = 0
        while claimed := claim_message():
            posted += 1
            settle.mark_failed(claimed, wording.GAME_HAS_STARTED, "429", later=later)
        return posted

    assert [burst(), burst()] == [1, 0]
    Notification.objects.create(version=20, due=NOON, **facts)
    assert burst() == 0
    clock.shift(outbox.BACK_OFF[0] - timedelta(seconds=1))
    assert burst() == 0
    clock.shift(timedelta(seconds=1))
    assert burst() == 1
    hook.refresh_from_db()
    assert (hook.stopped, hook.failures) == (None, 0 if later else 2)
    clock.shift(minutes(10))
    taken = 0
    while claimed := claim_message():
        settle.mark_sent(claimed, wording.GAME_HAS_STARTED)
        taken += 1
    assert taken >= 8


def test_failure_seen_by_two_workers_counts_once(hook: Endpoint, due: Due, clock: Traveller) -> None:
    Notification.objects.create(
        user=hook.user, game=due[0], kind=Kind.STARTED, endpoint=hook, made=NOON, due=NOON
    )
    claims = [claim_message(), claim_message()]
    for claimed in claims:
        assert claimed is not None
        settle.mark_failed(claimed, "", "500")
    hook.refresh_from_db()
    assert hook.failures == 1


def test_success_resets_the_failures(hook: Endpoint, clock: Traveller) -> None:
    for _ in range(2):
        claimed = claim_message()
        assert claimed is not None
        mark_failed(claimed, wording.YOUR_TURN, "500")
        clock.shift(minutes(361))
    claimed = claim_message()
    assert claimed is not None
    mark_sent(claimed, wording.YOUR_TURN)
    hook.refresh_from_db()
    assert (hook.failures, hook.trouble, hook.stopped) == (0, "", None)


def test_gone_endpoint_is_disabled_with_all_its_rows(hook: Endpoint, due: Due) -> None:
    later = Notification.objects.create(
        user=hook.user, game=due[0], kind=Kind.FINISHED, endpoint=hook, due=NOON + timedelta(days=1)
    )
    claimed = claim_message()
    assert claimed is not None
    settle.mark_refused(claimed, wording.YOUR_TURN, "410")
    hook.refresh_from_db()
    assert hook.stopped is not None
    assert state(later) == (Notification.State.DROPPED, "endpoint given up")
    assert changed(hook.user).mail_stopped == ""


# -- How long somebody has waited ------------------------------------------------------------------------


@pytest.mark.parametrize("why", ["failed", "postponed", "lost"])
def test_the_age_counts_from_when_a_row_was_first_due(why: str, due: Due, clock: Traveller) -> None:
    """However often the row is put off."""
    first = due[2].due
    for _ in range(3):
        claimed = claim()
        if why == "failed":
            settle.mark_failed(claimed, wording.YOUR_TURN, "450 not now")
        if why == "postponed":
            settle.postpone(claimed, "the server does not answer")
        due[2].refresh_from_db()
        assert due[2].due > timezone.now()
        assert notification_health(timezone.now()).oldest_due == first
        clock.shift(due[2].due - timezone.now())
    now = timezone.now()
    assert notification_health(now).age_seconds(now) == (now - first).total_seconds() > 0
    assert notification_health(timezone.now()).waiting == 1


def test_what_is_not_due_yet_has_no_age(asked: Asked) -> None:
    measured = notification_health(timezone.now())
    assert (measured.waiting, measured.oldest_due, measured.age_seconds(timezone.now())) == (0, None, 0)


def test_what_its_reader_is_looking_at_has_not_waited(due: Due, clock: Traveller) -> None:
    game, decider, _ = due
    page_presence.mark_visible(decider.pk, game.pk, "tab")
    assert claim_letter() is None
    assert notification_health(timezone.now()).waiting == 0


def test_a_row_that_is_sent_again_is_young(due: Due, clock: Traveller) -> None:
    settle.mark_failed(claim(), wording.YOUR_TURN, "450 not now")
    clock.shift(minutes(60))
    Notification.objects.update(**outbox_rows.resend_columns())
    assert notification_health(timezone.now()).age_seconds(timezone.now()) == 0


def test_what_was_given_up_is_counted_for_a_week(due: Due, clock: Traveller) -> None:
    for wait in (1, 5, 30, 360, 0):
        settle.mark_failed(claim(), wording.YOUR_TURN, "450 not now")
        clock.shift(minutes(wait))
    measured = notification_health(timezone.now())
    assert (measured.waiting, measured.given_up) == (0, 1)
    due[2].refresh_from_db()
    assert measured.last_given_up == due[2].settled
    clock.shift(timedelta(days=7, seconds=1))
    assert notification_health(timezone.now()).given_up == 0


def test_an_age_that_follows_the_due_time_would_be_noticed(
    due: Due, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a claim that does not keep when the row was first due."""
    claim_row = outbox.claim_row

    def forget(row: Notification, now: datetime, message_id: str) -> bool:
        taken = claim_row(row, now, message_id)
        Notification.objects.filter(pk=row.pk).update(first_due=None)
        return taken

    monkeypatch.setattr("games.notifications.outbox.claim.claim_row", forget)
    with pytest.raises(AssertionError):
        test_the_age_counts_from_when_a_row_was_first_due("postponed", due, clock)
