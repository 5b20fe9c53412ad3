"""The doctor sees mail that does not leave: the server is away, letters wait, letters were given up."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from accounts.mail import mail_server
from accounts.models import AccountMail, User
from acquire_site.health import outbox_health
from games.models import Endpoint, Game, Notification

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _answering_server() -> Iterator[None]:
    keys = [mail_server.LEFT_ALONE, mail_server.AWAY_SINCE]
    cache.delete_many(keys)
    yield
    cache.delete_many(keys)


@pytest.fixture
def late_mail(alice: User) -> AccountMail:
    """An account mail that was due eleven minutes ago and has been put off since."""
    now = timezone.now()
    return AccountMail.objects.create(
        kind="renamed", user=alice, due=now + timedelta(minutes=1), first_due=now - timedelta(minutes=11)
    )


def told() -> list[str]:
    return [f"{found.name}: {found.sentence}" for found in outbox_health.health_problems(timezone.now())]


def values() -> dict[tuple[str, str], float]:
    samples = [sample for metric in outbox_health.metrics() for sample in metric.samples]
    return {(sample.name, sample.labels.get("outbox", "")): sample.value for sample in samples}


def test_mail_that_is_put_off_counts_from_when_it_was_first_due(late_mail: AccountMail) -> None:
    (sentence,) = told()
    assert sentence.startswith(
        "outbox: A message that was due 11 minutes ago was not sent. Waiting messages: 1."
    )
    assert values()["acquire_outbox_age_seconds", "accounts"] >= 660
    assert values()["acquire_outbox_age_seconds", "games"] == 0
    assert values()["acquire_outbox_waiting", "accounts"] == 1


def test_mail_that_was_tried_in_the_future_is_an_alarm(late_mail: AccountMail) -> None:
    """A worker's clock was an hour ahead when it took the mail."""
    AccountMail.objects.update(first_due=timezone.now() + timedelta(hours=1))
    (sentence,) = told()
    assert sentence.startswith("clock: A message that waits was first due 3")
    assert values()["acquire_outbox_age_seconds", "accounts"] < -3500


def test_server_that_is_away_is_told_instead_of_the_mail_that_waits_for_it(late_mail: AccountMail) -> None:
    now = timezone.now()
    cache.set(mail_server.AWAY_SINCE, (now - timedelta(minutes=11), now))
    (sentence,) = told()
    assert sentence.startswith(
        "mail: The mail server has accepted nothing since its first failure 11 minutes ago"
    )
    assert "Waiting messages: 1." in sentence
    assert values()["acquire_mail_server_away_seconds", ""] >= 660


def test_command_that_the_alarm_names_tries_the_mail_server(late_mail: AccountMail, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    now = timezone.now()
    cache.set(mail_server.AWAY_SINCE, (now - timedelta(minutes=11), now))
    call_command(*told()[0].rpartition("manage.py ")[2].split(), stdout=StringIO())
    assert len(mail.outbox) == 1


def test_server_that_has_just_gone_away_is_no_alarm_yet() -> None:
    mail_server.leave_alone(OSError("refused"))
    assert told() == []


@pytest.mark.parametrize(("given_up", "is_told"), [(3, False), (4, True)])
def test_mails_given_up_are_told_when_they_are_many(given_up: int, is_told: bool, alice: User) -> None:
    now = timezone.now()
    for _ in range(given_up):
        AccountMail.objects.create(kind="renamed", user=alice, due=now, state="given up", settled=now)
    assert any(sentence.startswith(f"given-up: {given_up} emails") for sentence in told()) == is_told
    assert values()["acquire_outbox_given_up", "accounts"] == given_up


def test_mails_given_up_days_ago_are_no_alarm_any_more(alice: User) -> None:
    before = timezone.now() - timedelta(days=2)
    for _ in range(9):
        AccountMail.objects.create(kind="renamed", user=alice, due=before, state="given up", settled=before)
    assert told() == []


@pytest.mark.parametrize(("tried", "is_told"), [(False, True), (True, False)])
def test_message_that_an_endpoint_does_not_take_is_not_the_sites_fault(
    tried: bool, is_told: bool, start: Callable[..., Game], alice: User, bob: User
) -> None:
    game = start(alice, bob)
    Notification.objects.all().delete()
    before = timezone.now() - timedelta(minutes=11)
    endpoint = Endpoint.objects.create(user=alice, url="https://bot.example/hook")
    Notification.objects.create(
        user=alice,
        kind="decision",
        game=game,
        endpoint=endpoint,
        due=before,
        first_due=before if tried else None,
    )
    assert bool(told()) == is_told
