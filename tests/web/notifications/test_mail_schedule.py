"""The settings page says when mail comes, by the functions that decide it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from time_machine import Traveller

from accounts.models import User
from games.models import DeliveryAttempt, Game, Kind, Notification
from games.notifications import delivery_times, preferences
from games.notifications.delivery_times import MAX_MAILS_A_DAY
from games.notifications.outbox.claim import claim_letter
from games.web.notifications.mail_schedule import schedule_of
from tests.notifications.conftest import NOON
from tests.support.clients import client_of
from tests.support.mailboxes import changed

pytestmark = pytest.mark.django_db

AT_ONCE, DELAYED = User.MailMode.AT_ONCE, User.MailMode.DELAYED
DIGEST, OFF = User.MailMode.DIGEST, User.MailMode.OFF


@pytest.fixture
def reader(clock: Traveller, alice: User) -> User:
    return changed(alice, time_zone="Europe/Berlin", mail_mode=AT_ONCE)


def said(user: User) -> str:
    return " ".join(schedule_of(user, NOON).sentences)


def examples(user: User) -> list[tuple[str, str]]:
    return [(example.mail, example.reminder) for example in schedule_of(user, NOON).examples]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({}, "When it is your turn, we email you right away. If you have just moved, we wait 3 minutes."),
        ({"mail_mode": DELAYED, "mail_delay": 15}, "we wait 15 minutes for you to visit. Then we email you."),
        ({"mail_mode": DIGEST}, "Your next daily email goes out on Sat 21 Nov, 07:00."),
        ({"mail_mode": OFF}, "We do not email you about your games, except those"),
        ({"quiet_nights": True}, "From 23:00 to 07:00, emails wait until morning."),
        ({}, "After 20 emails in a day, we send the rest in one email, next on Sat 21 Nov, 07:00."),
        ({}, "If waiting would cost you more than half of your time, we email you earlier."),
    ],
)
def test_page_says_what_the_member_has_chosen(
    columns: dict[str, object], sentence: str, reader: User
) -> None:
    assert sentence in said(changed(reader, **columns))


def test_page_says_when_a_mail_and_a_reminder_would_come(reader: User) -> None:
    """It is one o'clock in Berlin, and the decisions take three days, one day and six hours."""
    assert examples(reader) == [
        ("right away", "Sun 22 Nov, 22:36"),
        ("right away", "Sat 21 Nov, 08:12"),
        ("right away", "Fri 20 Nov, 17:48"),
    ]
    assert examples(changed(reader, mail_mode=DIGEST)) == [
        ("Sat 21 Nov, 07:00, in the daily email", "Sun 22 Nov, 22:36"),
        ("right away", "Sat 21 Nov, 08:12"),
        ("right away", "Fri 20 Nov, 17:48"),
    ]
    assert examples(changed(reader, mail_mode=OFF)) == []


def test_page_follows_the_night_and_the_kinds(reader: User) -> None:
    at_midnight = NOON + timedelta(hours=11)
    reader = changed(reader, quiet_nights=True)
    mails = [example.mail for example in schedule_of(reader, at_midnight).examples]
    assert mails == ["Sat 21 Nov, 07:00", "Sat 21 Nov, 07:00", "right away"]
    preferences.mute_kind(reader, Kind.REMINDER)
    assert {reminder for _, reminder in examples(reader)} == {"never"}


def test_page_says_that_the_limit_is_reached(reader: User) -> None:
    sent = DeliveryAttempt.Outcome.HANDED_OVER
    for _ in range(MAX_MAILS_A_DAY):
        DeliveryAttempt.objects.create(user=reader, outcome=sent, at=NOON)
    words = (
        "You have had 20 emails since Fri 20 Nov, 07:00. The rest will come in one email on Sat 21 "
        "Nov, 07:00."
    )
    assert words in said(reader)
    longest, _, shortest = [mail for mail, _ in examples(reader)]
    assert (longest, shortest) == ("Sat 21 Nov, 07:00, in the daily email", "right away")


def test_page_says_what_waits_and_until_when(asked: tuple[Game, User, User]) -> None:
    _, decider, other = asked
    Notification.objects.filter(kind=Kind.STARTED).delete()
    decider = changed(decider, time_zone="Europe/Berlin")
    assert schedule_of(decider, NOON).waiting == [(f"Your turn (with {other})", "Fri 20 Nov, 13:03")]


def test_what_the_page_says_of_a_row_comes_true(asked: tuple[Game, User, User], clock: Traveller) -> None:
    _, decider, _ = asked
    Notification.objects.filter(kind=Kind.STARTED).delete()
    decider = changed(decider, time_zone="UTC", mail_mode=DIGEST)
    [(_, when)] = schedule_of(decider, NOON).waiting
    assert when == "Sat 21 Nov, 07:00, in the daily email"
    clock.shift(timedelta(minutes=3))
    assert claim_letter() is None
    clock.move_to(delivery_times.next_digest(decider, NOON))
    assert claim_letter() is not None


def test_page_has_no_schedule_without_an_address_that_takes_mail(reader: User) -> None:
    client = client_of(reader)
    assert "When emails arrive" in client.get(reverse("settings")).content.decode()
    changed(reader, mail_stopped="550 no such mailbox")
    assert "When emails arrive" not in client.get(reverse("settings")).content.decode()


def test_member_wants_no_mail_at_night(reader: User) -> None:
    client = client_of(reader)
    for value, wanted in (({"quiet_nights": "on"}, True), ({}, False)):
        client.post(reverse("settings-choices"), {"changed": "quiet_nights", **value})
        assert changed(reader).quiet_nights is wanted
