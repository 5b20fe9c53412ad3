"""Daily deletion of expired rows."""

from contextlib import ExitStack
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.management import call_command
from django.utils import timezone

from accounts.membership.name_changes import check_name
from accounts.models import ReleasedName, User
from accounts.privacy.cleanup import delete_expired, delete_expired_daily
from accounts.signals import deleting_expired
from games import sweeper
from games.models import TaskFailure
from tests.support.members import create_member, log_in
from tests.support.signals import connected

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def hear():
    """A function that connects a receiver to the signal for one test."""
    with ExitStack() as stack:
        yield lambda receiver: stack.enter_context(connected(deleting_expired, receiver))


def test_only_expired_sessions_are_deleted(client, now):
    create_member("marta")
    log_in(client, "marta")
    Session.objects.create(session_key="old", session_data="", expire_date=now - timedelta(days=1))
    assert delete_expired(now)["expired sessions"] == 1
    assert list(Session.objects.values_list("session_key", flat=True)) == [client.session.session_key]
    assert UserSession.objects.count() == 1


def test_session_details_are_deleted_with_session(client, now):
    create_member("marta")
    log_in(client, "marta")
    Session.objects.update(expire_date=now - timedelta(minutes=1))
    delete_expired(now)
    assert not UserSession.objects.exists()


def test_all_idle_guests_are_anonymised(now):
    idle = timezone.localdate() - timedelta(days=40)
    User.objects.bulk_create(
        [User(username=f"Guest-{number:04}", is_guest=True, last_seen=idle) for number in range(9100, 9250)]
    )
    User.objects.create_user("marta", last_seen=idle)
    assert delete_expired(now)["idle guests"] == 150
    assert User.objects.filter(is_active=True).get().username == "marta"


@pytest.fixture
def never_confirmed(now, settings):
    """Lena, who signed up some 25 hours ago and never confirmed her address, where that is required."""
    settings.EMAIL_MUST_BE_CONFIRMED = True
    return User.objects.create_user("lena", "lena@example.org", terms_accepted=now - timedelta(hours=25))


def test_never_confirmed_account_is_deleted_after_a_day_and_its_name_is_free(now, never_confirmed):
    delete_expired(now - timedelta(hours=2))
    assert User.objects.get().username == "lena"
    assert delete_expired(now)["accounts with no address ever confirmed"] == 1
    gone = User.objects.get()
    assert gone.username.startswith("former player ")
    assert gone.email == ""
    check_name("lena")


@pytest.mark.parametrize(
    "columns",
    [
        {"last_login": timezone.now()},  # from before addresses had to be confirmed
        {"is_staff": True},
        {"is_active": False},
        {"terms_accepted": None},  # made in the admin
    ],
)
def test_other_unconfirmed_accounts_stay(now, never_confirmed, columns):
    User.objects.update(**columns)
    assert delete_expired(now)["accounts with no address ever confirmed"] == 0
    assert User.objects.get().username == "lena"


@pytest.mark.parametrize("confirmed", [True, False])
def test_account_stays_if_confirmed_or_confirmation_is_optional(now, never_confirmed, settings, confirmed):
    settings.EMAIL_MUST_BE_CONFIRMED = confirmed
    if confirmed:
        EmailAddress.objects.create(user=never_confirmed, email="lena@example.org", verified=True)
    delete_expired(now)
    assert User.objects.get().username == "lena"


def test_released_names_are_free_after_thirty_days(now):
    ReleasedName.objects.create(skeleton="old", freed=now - timedelta(days=31))
    ReleasedName.objects.create(skeleton="new", freed=now - timedelta(days=29))
    delete_expired(now)
    assert ReleasedName.objects.get().skeleton == "new"


def test_only_expired_entries_of_the_cache_are_deleted(now):
    # Tests with several connections leave theirs behind.
    caches["record"].clear()
    caches["record"].set("old", [1], timeout=60)
    caches["record"].set("new", [2], timeout=7200)
    later = now + timedelta(hours=1)
    assert delete_expired(later)["expired cache entries"] == 1
    assert caches["record"].get_many(["old", "new"]) == {"new": [2]}
    assert delete_expired(later)["expired cache entries"] == 0


def test_receivers_report_deleted_rows(now, hear):
    hear(lambda now, **_: {"old letters": 7})
    assert delete_expired(now)["old letters"] == 7


def test_failing_part_does_not_stop_others(now, hear, caplog, monkeypatch):
    from accounts.privacy import cleanup as module

    def fail(now, **_):
        raise RuntimeError("the broom is broken")

    hear(fail)
    hear(lambda now, **_: {"old letters": 7})
    monkeypatch.setitem(module._PARTS, "expired sessions", fail)
    ReleasedName.objects.create(skeleton="old", freed=now - timedelta(days=31))
    done = delete_expired(now)
    assert done["old letters"] == 7
    assert done["names kept free"] == 1
    assert "expired sessions" not in done
    assert len([record for record in caplog.records if record.exc_info]) == 2
    failure = TaskFailure.objects.get()
    assert (failure.task, failure.times, failure.error) == ("deleting expired rows", 2, "RuntimeError")


def test_daily_cleanup_runs_once_a_day(now, hear):
    days = []
    hear(lambda now, **_: days.append(now) or {})
    for hours in (0, 1, 2):
        delete_expired_daily(now + timedelta(hours=hours) - timedelta(hours=now.hour))
    assert len(days) == 1
    delete_expired_daily(now + timedelta(days=1))
    assert len(days) == 2


def test_sweeper_runs_daily_cleanup(hear):
    days = []
    hear(lambda now, **_: days.append(now) or {})
    sweeper.sweep()
    sweeper.sweep()
    assert len(days) == 1


def test_command_reports_deleted_rows(now, capsys):
    Session.objects.create(session_key="old", session_data="", expire_date=now - timedelta(days=1))
    call_command("delete_expired")
    assert "1 expired sessions" in capsys.readouterr().out
