"""The health of outgoing mail: waiting and given-up mails, their age, and a server that is away."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.mail import mail_server
from accounts.models import AccountMail, User
from games.models import Game, Notification
from games.notifications.outbox.mail_health import mail_health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _answering_server() -> Iterator[None]:
    keys = [mail_server.LEFT_ALONE, mail_server.AWAY_SINCE]
    cache.delete_many(keys)
    yield
    cache.delete_many(keys)


def add_account_mail(user: User, **columns: object) -> AccountMail:
    return AccountMail.objects.create(kind="renamed", user=user, **columns)


def test_site_without_mail_is_well() -> None:
    measured = mail_health(timezone.now())
    assert (measured.waiting, measured.given_up, measured.oldest_due) == (0, 0, None)
    assert measured.server_away_since is None


@pytest.mark.parametrize("older", ["notification", "account mail"])
def test_oldest_of_both_outboxes_counts(
    older: str, start: Callable[..., Game], alice: User, bob: User
) -> None:
    start(alice, bob)
    now = timezone.now()
    early, late = now - timedelta(minutes=30), now - timedelta(minutes=20)
    Notification.objects.exclude(pk=Notification.objects.earliest("pk").pk).delete()
    Notification.objects.update(due=early if older == "notification" else late)
    add_account_mail(alice, due=late if older == "notification" else early)
    measured = mail_health(now)
    assert (measured.waiting, measured.oldest_due) == (2, early)


def test_account_mail_that_was_given_up_is_counted(alice: User) -> None:
    now = timezone.now()
    add_account_mail(alice, due=now, state="given up", settled=now)
    assert mail_health(now).given_up == 1


def test_server_that_does_not_answer_is_away(alice: User) -> None:
    mail_server.leave_alone(OSError("refused"))
    assert mail_health(timezone.now()).server_away_since is not None
