"""Some days of members who play by mail, with outages; `make mail-month` simulates a month of 200 members."""

import pytest

from games.notifications import delivery_times
from tests.support.mail_month import Figures, Month

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def short_month(*, has_worker: bool = True) -> Figures:
    month = Month(members=10, days=3, games=9, mail_away_hours=0.5, site_away_hours=8, has_worker=has_worker)
    return month.run()


def check(figures: Figures) -> None:
    assert (figures.held_back, figures.sent_over, figures.limits_told_twice) == (0, 0, 0)
    assert figures.latest <= 0.5
    assert figures.prompt >= 0.95 * figures.turn_mails


@pytest.mark.parametrize("has_worker", [True, pytest.param(False, marks=pytest.mark.proof)])
def test_no_mail_of_some_days_is_held_back_or_sent_too_late(has_worker: bool) -> None:
    figures = short_month(has_worker=has_worker)
    check(figures)
    # The days had what could go wrong.
    assert figures.turn_mails > 10
    assert figures.put_off > 10
    assert figures.timeouts
    assert figures.limits_told


@pytest.mark.proof
def test_rule_that_does_not_ask_for_the_deadline_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin."""
    monkeypatch.setattr(delivery_times, "in_time", lambda choices, not_after: choices[0])
    with pytest.raises(AssertionError):
        check(short_month())
