"""Senders that are killed while they send account mails: nothing is lost, and a repeat can be told."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.utils import timezone

from accounts.mail.account_mails import request_password_reset
from accounts.models import AccountMail, User
from tests.notifications.mail_sink import Sink, serving
from tests.support.database_url import database_url
from tests.support.played_site import ROOT
from tests.tools import available_services

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.both_databases,
    pytest.mark.usefixtures("answering_server"),
]

PEOPLE = 5

SENDER = """
import django
django.setup()
from accounts.mail.account_delivery import deliver_account_mail
{sabotage}
deliver_account_mail(60)
"""

# A sender that notes a mail as sent, and then sends it.
SENT_TOO_EARLY = """
from accounts.mail import account_outbox, outbox
from accounts.models import AccountMail
claim_row = outbox.claim_row
def note_and_claim(row, now, message_id):
    taken = claim_row(row, now, message_id)
    if row.user_id:
        AccountMail.objects.filter(pk=row.pk).update(state="sent")
    return taken
outbox.claim_row = note_and_claim
"""

# A sender that gives every attempt a name of its own.
OTHER_NAME_EACH_TIME = """
import uuid
from accounts.mail import outbox
claim_row = outbox.claim_row
outbox.claim_row = lambda row, now, message_id: claim_row(row, now, f"<{uuid.uuid4()}@localhost>")
"""


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Sink, int]]:
    # Only the senders of the test send.
    monkeypatch.setattr(settings, "SEND_MAIL_IN_BACKGROUND", True)
    server = Sink()
    with serving(server) as port:
        yield server, port


@pytest.fixture
def people(sink: tuple[Sink, int]) -> list[str]:
    """The addresses of some members who have asked for a new password, beside somebody unknown."""
    addresses = [f"player{number}@mail.example" for number in range(PEOPLE)]
    for number, address in enumerate(addresses):
        user = User.objects.create_user(f"player{number}", address)
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
        request_password_reset(address)
    request_password_reset("nobody@mail.example")
    return addresses


def sender(port: int, sabotage: str) -> "subprocess.Popen[bytes]":
    """A process of its own that sends what is due."""
    env = {
        **available_services.environment(),
        "DATABASE_URL": database_url(),
        "DATA_DIR": str(settings.DATA_DIR),
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        "LOG_LEVEL": "CRITICAL",
    }
    return subprocess.Popen([sys.executable, "-c", SENDER.format(sabotage=sabotage)], cwd=ROOT, env=env)


def send_with_kills(sink: Sink, port: int, kills: int, sabotage: str = "") -> Counter[str]:
    """Let sender after sender send, each of the first killed in the midst of it; the kills at each moment."""
    rng, happened = Random(kills), Counter[str]()
    running: list[subprocess.Popen[bytes]] = []

    def perhaps_kill(moment: str) -> None:
        if happened.total() < kills and rng.random() < 0.5:
            happened[moment] += 1
            os.kill(running[-1].pid, signal.SIGKILL)

    def before_it_is_taken(address: str) -> None:
        perhaps_kill("before")

    sink.to_recipient = before_it_is_taken
    sink.on_mail = lambda mail: perhaps_kill("after")
    for _ in range(kills + 3):
        # The time passes until what waits is due; a killed sender's attempt is not counted here.
        waiting = AccountMail.objects.filter(state="waiting")
        if not waiting.update(due=timezone.now(), attempts=0):
            break
        running.append(sender(port, sabotage))
        running[-1].wait(60)
    return happened


def check(sink: Sink, people: list[str], happened: Counter[str]) -> None:
    """Everybody has the mail; of repeats there are no more than kills, and they bear the same name."""
    names: dict[str, set[str]] = {address: set() for address in people}
    for mail in sink.mails:
        names[str(mail["To"])].add(str(mail["Message-ID"]))
    assert all(len(ids) == 1 for ids in names.values()), names
    assert len(sink.mails) - len(people) <= happened["after"]
    assert list(AccountMail.objects.values_list("state", flat=True)) == ["sent"] * PEOPLE


def test_killed_senders_lose_no_mail_and_repeat_one_at_most(
    sink: tuple[Sink, int], people: list[str]
) -> None:
    happened = send_with_kills(*sink, kills=6)
    assert happened["before"] > 0 and happened["after"] > 0
    check(sink[0], people, happened)


@pytest.mark.parametrize("sabotage", [SENT_TOO_EARLY, OTHER_NAME_EACH_TIME])
def test_sender_that_settles_too_early_or_renames_would_be_noticed(
    sabotage: str, sink: tuple[Sink, int], people: list[str]
) -> None:
    """The twins."""
    happened = send_with_kills(*sink, kills=5, sabotage=sabotage)
    assert happened.total() > 1
    with pytest.raises(AssertionError):
        check(sink[0], people, happened)
