"""Many workers at once: everybody gets each notification once."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace

import pytest
from django.core import mail
from django.core.cache import cache
from django.utils import timezone

from accounts.mail import mail_server, outbox
from accounts.models import User
from games.models import DeliveryAttempt, Endpoint, Notification
from games.notifications.outbox import claim
from games.web.notifications import delivery, public_http
from tests.notifications.conftest import minutes, rows
from tests.support.games import NewGame, play_on, play_until_asked
from tests.support.mailboxes import with_mailbox
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 4
WORKERS = 8
PEOPLE = 3
GAMES = 2


@pytest.fixture(autouse=True)
def _server_not_marked_as_away() -> Iterator[None]:
    cache.delete(mail_server.LEFT_ALONE)
    yield


@pytest.fixture
def waiting(start: NewGame) -> Callable[[], list[Notification]]:
    """Return a function that makes the same rows wait again: some people, asked in two games each."""
    for number in range(PEOPLE):
        user = with_mailbox(User.objects.create_user(f"player{number}"))
        for _ in range(GAMES):
            play_until_asked(start(user, "random"), user)

    def again() -> list[Notification]:
        DeliveryAttempt.objects.all().delete()
        due = timezone.now() - minutes(1)
        Notification.objects.filter(kind="decision").update(
            state="waiting", due=due, made=due, attempts=0, message_id="", settled=None
        )
        mail.outbox.clear()
        return rows(state="waiting")

    return again


def check_one_mail_each(waiting: Callable[[], list[Notification]]) -> None:
    """Check that many workers send everybody one mail about all games."""
    told = waiting()
    results = at_once(*[partial(delivery.deliver, 30)] * WORKERS)
    assert not [result for result in results if isinstance(result, Exception)], results
    assert sorted(message.to[0] for message in mail.outbox) == sorted(
        {f"{row.user.username}@mail.example" for row in told if row.user}
    )
    assert all("Your turn in 2 games" in message.subject for message in mail.outbox)
    assert {row.state for row in rows(pk__in=[row.pk for row in told])} == {Notification.State.SENT}
    assert DeliveryAttempt.objects.count() == PEOPLE


def test_many_workers_send_one_mail_to_each_person(waiting: Callable[[], list[Notification]]) -> None:
    for _ in range(ROUNDS):
        check_one_mail_each(waiting)


def test_unlocked_claim_is_detected(
    waiting: Callable[[], list[Notification]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: workers that claim without checking again."""

    def claim_row(row: Notification, now: object, message_id: str) -> bool:
        Notification.objects.filter(pk=row.pk).update(
            due=timezone.now() + outbox.CLAIM, message_id=message_id
        )
        row.message_id = message_id
        return True

    monkeypatch.setattr(claim, "claim_row", claim_row)
    monkeypatch.setattr(claim, "_locked", lambda found: list(found.select_related("game", "invitation")))
    monkeypatch.setattr(claim, "_one_at_a_time", lambda user_id: User.objects.get(pk=user_id))
    monkeypatch.setattr(claim, "transaction", SimpleNamespace(atomic=nullcontext))
    with pytest.raises(AssertionError):
        for _ in range(25):
            check_one_mail_each(waiting)


def test_many_workers_send_one_message_to_an_endpoint(
    waiting: Callable[[], list[Notification]], monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[str] = []

    def post(url: str, body: bytes, headers: object) -> int:
        posted.append(url)
        return 200

    monkeypatch.setattr(public_http, "post", post)
    told = waiting()
    for row in told:
        hook = Endpoint.objects.create(user=row.user, kind="json", url=f"https://hooks.example/{row.pk}")
        Notification.objects.filter(pk=row.pk).update(endpoint=hook)
    at_once(*[partial(delivery.deliver, 30)] * WORKERS)
    assert sorted(posted) == sorted(f"https://hooks.example/{row.pk}" for row in told)


def test_move_during_delivery_leaves_nothing_waiting(waiting: Callable[[], list[Notification]]) -> None:
    """Neither order causes an error."""
    for round_ in range(ROUNDS):
        told = waiting()
        moves = [partial(play_on, row.game, 1, round_) for row in told]
        results = at_once(*moves, *[partial(delivery.deliver, 30)] * 3)
        assert not [result for result in results if isinstance(result, Exception)], results
        over = rows(pk__in=[row.pk for row in told])
        assert {row.state for row in over} <= {Notification.State.SENT, Notification.State.DROPPED}
