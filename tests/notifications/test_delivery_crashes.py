"""Workers killed while they send: no mail is lost, and a repeated mail keeps its message id."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from accounts.mail import mail_server
from accounts.models import User
from games.models import Notification
from tests.notifications.conftest import minutes, rows
from tests.notifications.mail_sink import Sink, serving
from tests.support.database_url import database_url
from tests.support.games import NewGame, play_until_asked
from tests.support.mailboxes import with_mailbox
from tests.support.played_site import ROOT
from tests.tools import available_services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

PEOPLE = 6

WORKER = """
import django
django.setup()
from games.web.notifications.delivery import deliver
{sabotage}
deliver(60)
"""

# A worker that records a mail as sent before it sends it.
SENT_TOO_EARLY = """
from games.models import Notification
from games.notifications.outbox import claim
claim_row = claim.claim_row
def note_and_claim(row, now, message_id):
    taken = claim_row(row, now, message_id)
    Notification.objects.filter(pk=row.pk).update(state="sent")
    return taken
claim.claim_row = note_and_claim
"""

# A worker that gives every attempt a message id of its own.
OTHER_NAME_EACH_TIME = """
import uuid
from games.notifications.outbox import claim
claim_row = claim.claim_row
claim.claim_row = lambda row, now, message_id: claim_row(row, now, f"<{uuid.uuid4()}@localhost>")
"""


@pytest.fixture
def sink() -> Iterator[tuple[Sink, int]]:
    server = Sink()
    with serving(server) as port:
        yield server, port


@pytest.fixture
def people(start: NewGame) -> list[User]:
    """Some people, each with one game that waits for their decision."""
    cache.delete(mail_server.LEFT_ALONE)
    people = []
    for number in range(PEOPLE):
        user = User.objects.create_user(f"player{number}")
        play_until_asked(start(with_mailbox(user), "random"), user)
        people.append(user)
    return people


def worker(port: int, sabotage: str = "") -> "subprocess.Popen[bytes]":
    """Start a process that sends what is due."""
    env = {
        **available_services.environment(),
        "DATABASE_URL": database_url(),
        "DATA_DIR": str(settings.DATA_DIR),
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        "LOG_LEVEL": "ERROR",
    }
    return subprocess.Popen([sys.executable, "-c", WORKER.format(sabotage=sabotage)], cwd=ROOT, env=env)


def make_due() -> int:
    """Make all waiting rows due again, and return their number."""
    due = timezone.now() - minutes(1)
    return Notification.objects.filter(state="waiting", kind="decision").update(due=due, made=due)


def send_with_kills(sink: Sink, port: int, kills: int, sabotage: str = "") -> Counter[str]:
    """Let one worker after the other send, the first ones killed on the way; return the kills by moment."""
    rng, happened = Random(kills), Counter[str]()
    running: list[subprocess.Popen[bytes]] = []

    def perhaps_kill(moment: str) -> None:
        if sum(happened.values()) < kills and rng.random() < 0.5:
            happened[moment] += 1
            os.kill(running[-1].pid, signal.SIGKILL)

    def before_it_is_taken(address: str) -> None:
        perhaps_kill("before")

    sink.to_recipient = before_it_is_taken
    sink.on_mail = lambda mail: perhaps_kill("after")
    for _ in range(kills + 3):
        if not make_due():
            break
        # A killed worker counts as one attempt; this test is about lost and repeated mails only.
        Notification.objects.filter(state="waiting").update(attempts=0)
        running.append(worker(port, sabotage))
        running[-1].wait(60)
    return happened


def check(sink: Sink, people: list[User], happened: Counter[str]) -> None:
    """Check that everybody has the mail, with at most as many repeats as kills and one message id each."""
    names: dict[str, set[str]] = {user.username: set() for user in people}
    for mail in sink.mails:
        names[str(mail["To"]).partition("@")[0]].add(str(mail["Message-ID"]))
    assert all(len(ids) == 1 for ids in names.values()), names
    assert len(sink.mails) - len(people) <= happened["after"]
    assert {row.state for row in rows(kind="decision")} == {Notification.State.SENT}  # type: ignore[arg-type]


def test_killed_workers_lose_no_mail_and_repeat_one_at_most(
    sink: tuple[Sink, int], people: list[User]
) -> None:
    happened = send_with_kills(*sink, kills=8)
    assert happened["before"] > 0 and happened["after"] > 0
    check(sink[0], people, happened)


@pytest.mark.parametrize("sabotage", [SENT_TOO_EARLY, OTHER_NAME_EACH_TIME])
def test_worker_that_settles_too_early_or_changes_the_id_is_detected(
    sabotage: str, sink: tuple[Sink, int], people: list[User]
) -> None:
    happened = send_with_kills(*sink, kills=5, sabotage=sabotage)
    assert sum(happened.values()) > 1
    with pytest.raises(AssertionError):
        check(sink[0], people, happened)
