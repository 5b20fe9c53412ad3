"""The mail server as the outboxes see it: here, away, and since when."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.mail import mail_server

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_has_tried():
    cache.delete_many([mail_server.LEFT_ALONE, mail_server.AWAY_SINCE])
    yield
    cache.delete_many([mail_server.LEFT_ALONE, mail_server.AWAY_SINCE])


def test_server_is_away_since_the_first_of_many_failures(time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    began = timezone.now()
    for _ in range(5):
        mail_server.leave_alone(OSError("refused"))
        time_machine.shift(61)
    assert mail_server.away_since(timezone.now()) == began


def test_server_that_answered_is_not_away():
    mail_server.leave_alone(OSError("refused"))
    mail_server.note_answer()
    assert mail_server.away_since(timezone.now()) is None


def test_server_that_nobody_tried_for_long_is_not_called_away(time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    mail_server.leave_alone(OSError("refused"))
    time_machine.shift(601)
    assert mail_server.away_since(timezone.now()) is None
    again = timezone.now()
    mail_server.leave_alone(OSError("refused"))
    time_machine.shift(timedelta(minutes=1))
    assert mail_server.away_since(timezone.now()) == again


def test_server_is_left_alone_for_longer_and_longer_up_to_a_minute(time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    for rest in (10, 10, 20, 40, 60, 60):
        mail_server.leave_alone(OSError("refused"))
        time_machine.shift(rest - 1)
        assert mail_server.is_left_alone()
        time_machine.shift(1)
        assert not mail_server.is_left_alone()
