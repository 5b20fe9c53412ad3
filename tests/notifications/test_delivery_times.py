"""Times of mails follow the member's choices, and yield to deadlines."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.models import GameNotificationLevel
from games.notifications import delivery_times
from games.notifications.delivery_times import MailTime
from tests.support import proof

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MIDNIGHT = NOON + timedelta(hours=12)
MORNING = NOON + timedelta(hours=19)

ALWAYS = GameNotificationLevel.Level.ALWAYS
AT_ONCE, DELAYED, DIGEST = User.MailMode.AT_ONCE, User.MailMode.DELAYED, User.MailMode.DIGEST


def member(mode: str = AT_ONCE, **columns: object) -> User:
    return User(time_zone="UTC", mail_mode=mode, **columns)


def due(
    user: User, hours: float | None, at: datetime = NOON, *, just_moved: bool = False, level: str = ""
) -> MailTime:
    """Return when a mail about a decision with this many hours goes out."""
    ends = None if hours is None else at + timedelta(hours=hours)
    found = delivery_times.mail_due(user, level, at, just_moved=just_moved, ends=ends)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("user", "hours", "at", "wait"),
    [
        # The daily mail comes after 19 hours.
        (member(DIGEST), None, NOON, 19),
        (member(DIGEST), 72, NOON, 19),
        (member(DIGEST), 38, NOON, 19),
        (member(DIGEST), 37, NOON, 0),
        (member(DIGEST), 1, NOON, 0),
        # The night lasts for seven hours more.
        (member(quiet_nights=True), None, MIDNIGHT, 7),
        (member(quiet_nights=True), 14, MIDNIGHT, 7),
        (member(quiet_nights=True), 13, MIDNIGHT, 0),
        (member(quiet_nights=True), 1, NOON, 0),
        # The member may come by within two hours.
        (member(DELAYED, mail_delay=120), None, NOON, 2),
        (member(DELAYED, mail_delay=120), 4, NOON, 2),
        (member(DELAYED, mail_delay=120), 3, NOON, 0),
        # Too little time for the night, but enough to come by.
        (member(DELAYED, mail_delay=60, quiet_nights=True), None, MIDNIGHT, 7),
        (member(DELAYED, mail_delay=60, quiet_nights=True), 10, MIDNIGHT, 1),
        (member(DELAYED, mail_delay=60, quiet_nights=True), 1, MIDNIGHT, 0),
    ],
)
def test_nothing_that_puts_a_mail_off_costs_more_than_half_of_the_time(
    user: User, hours: float | None, at: datetime, wait: float
) -> None:
    assert due(user, hours, at).at == at + timedelta(hours=wait)


def test_rest_after_a_move_yields_to_a_deadline() -> None:
    assert due(member(), 1, just_moved=True).at == NOON + timedelta(minutes=3)
    assert due(member(), 5 / 60, just_moved=True).at == NOON
    ends = NOON + timedelta(minutes=5)
    assert delivery_times.message_due(NOON, just_moved=True) == NOON + timedelta(minutes=3)
    assert delivery_times.message_due(NOON, just_moved=True, ends=ends) == NOON


def test_only_the_daily_mail_is_called_so() -> None:
    assert due(member(DIGEST), 72).digest
    assert not due(member(DIGEST), 1).digest


def test_games_told_always_know_neither_night_nor_daily_mail() -> None:
    assert due(member(DIGEST, quiet_nights=True), None, MIDNIGHT, level=ALWAYS).at == MIDNIGHT


def test_night_ends_by_the_clock_of_the_member() -> None:
    user = User(time_zone="Asia/Tokyo", mail_mode=AT_ONCE, quiet_nights=True)
    two_in_the_night = datetime(2026, 11, 20, 17, tzinfo=UTC)
    assert due(user, None, two_in_the_night).at == datetime(2026, 11, 20, 22, tzinfo=UTC)
    assert due(user, None, NOON).at == NOON


def test_limit_of_a_day_ends_with_the_next_daily_mail() -> None:
    user = member()
    until = delivery_times.limited_until(user, NOON, delivery_times.MAX_MAILS_A_DAY)
    assert until == MORNING
    assert delivery_times.limited_until(user, NOON, delivery_times.MAX_MAILS_A_DAY - 1) is None
    goes = [
        delivery_times.mail_goes(user, "", at, not_after, limited_until=until)
        for at, not_after in ((NOON, None), (NOON, MORNING), (NOON, MIDNIGHT), (MORNING, None))
    ]
    assert goes == [MailTime(MORNING, True), MailTime(MORNING, True), MailTime(NOON), MailTime(MORNING)]


def test_mails_of_a_day_are_counted_from_the_last_daily_mail() -> None:
    assert delivery_times.last_digest(member(), NOON) == NOON - timedelta(hours=5)
    assert delivery_times.last_digest(member(), MORNING) == MORNING


choices = st.builds(
    User,
    mail_mode=st.sampled_from([AT_ONCE, DELAYED, DIGEST]),
    mail_delay=st.integers(1, 120),
    digest_hour=st.integers(0, 23),
    quiet_nights=st.booleans(),
    time_zone=st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Auckland", "America/St_Johns"]),
)


@settings(max_examples=proof.examples(200, 5000))
@given(
    user=choices,
    minute=st.integers(0, 365 * 24 * 60),
    seconds=st.integers(0, 20 * 86400),
    level=st.sampled_from(["", ALWAYS]),
    just_moved=st.booleans(),
)
def test_no_choices_put_a_decision_off_until_it_is_too_late(
    user: User, minute: int, seconds: int, level: str, just_moved: bool
) -> None:
    now = NOON + timedelta(minutes=minute)
    ends = now + timedelta(seconds=seconds)
    found = delivery_times.mail_due(user, level, now, just_moved=just_moved, ends=ends)
    assert found is not None
    assert now <= found.at <= now + (ends - now) / 2
    limited_until = delivery_times.next_digest(user, now)
    goes = delivery_times.mail_goes(
        user, level, found.at, delivery_times.latest(now, ends), limited_until=limited_until
    )
    assert found.at <= goes.at <= now + (ends - now) / 2


def test_rule_that_does_not_ask_for_the_deadline_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin."""
    monkeypatch.setattr(delivery_times, "in_time", lambda choices, not_after: choices[0])
    with pytest.raises(AssertionError):
        test_nothing_that_puts_a_mail_off_costs_more_than_half_of_the_time(member(DIGEST), 1, NOON, 0)
