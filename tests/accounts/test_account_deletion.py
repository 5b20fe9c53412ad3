"""Personal data downloads and account deletion."""

import contextlib
import inspect
import io
import json
import zipfile
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.membership import account_deletion
from accounts.membership.account_deletion import delete_account
from accounts.membership.name_changes import rename
from accounts.models import ReleasedName, User
from accounts.names.lookalikes import skeleton
from accounts.privacy.account_data import personal_data_zip
from accounts.privacy.cleanup import delete_expired
from accounts.signals import collect_personal_data, member_leaving
from games.models import TaskFailure
from tests.support import wording
from tests.support.clients import forget_log_in
from tests.support.members import PASSWORD, create_member, log_in, sign_up
from tests.support.signals import connected
from tests.support.simultaneous_calls import at_once


@pytest.fixture
def marta(db):
    return create_member(
        "marta", "marta@example.org", time_zone="Europe/Lisbon", theme="dark", mail_stopped="It is full."
    )


@pytest.fixture
def at_home(client, marta):
    """Marta's browser, in which she has just logged in."""
    log_in(client, "marta")
    return client


@pytest.fixture
def told():
    """The members announced as leaving: key, name and whether the account is open."""
    heard = []

    def note(user, **_):
        heard.append((user.pk, user.username, User.objects.get(pk=user.pk).is_active))

    with connected(member_leaving, note):
        yield heard


# -- Personal data ---------------------------------------------------------------------------------


def unpacked(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_personal_data_comes_as_zip(at_home, marta):
    answer = at_home.post("/settings/export/")
    assert answer.headers["Content-Type"] == "application/zip"
    assert "acquire-marta-" in answer.headers["Content-Disposition"]
    account = json.loads(unpacked(answer.content)["account.json"])
    assert account["username"] == "marta"
    assert account["email_addresses"] == [{"email": "marta@example.org", "verified": True, "primary": True}]
    assert account["time_zone"] == "Europe/Lisbon"
    assert account["sessions"][0]["ip"] == "127.0.0.1"


def test_personal_data_holds_no_credentials(at_home, marta):
    Authenticator.objects.create(user=marta, type="totp", data={"secret": "NEVERTELLTHIS"})
    Authenticator.objects.create(
        user=marta, type="recovery_codes", data={"seed": "NORTHISEITHER", "used_mask": 0}
    )
    whole = b"".join(unpacked(at_home.post("/settings/export/").content).values()).decode()
    assert "totp" in whole.lower()
    keys = [session.session_key for session in Session.objects.all()]
    for secret in ("NEVERTELLTHIS", "NORTHISEITHER", User.objects.get().password, *keys):
        assert secret not in whole


def test_personal_data_includes_receivers_files(marta):
    def letters(user, **_):
        return [("letters.txt", f"to {user.username}".encode())]

    with connected(collect_personal_data, letters):
        files = unpacked(personal_data_zip(marta))
    assert files["letters.txt"] == b"to marta"


@pytest.mark.parametrize("address", ["/settings/export/", "/settings/delete/"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_export_and_deletion_ask_for_password(client, marta, address, method):
    client.force_login(marta)
    forget_log_in(client)
    answer = getattr(client, method)(address, {"sure": "on"})
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    client.post(answer.headers["Location"], {"password": "a wrong secret"})
    assert User.objects.get().username == "marta"


def test_password_is_asked_for_a_quarter_of_an_hour_after_it_was_entered(client, marta, time_machine):
    time_machine.move_to(timezone.now())
    log_in(client, "marta")
    for _ in range(2):
        time_machine.shift(899)
        assert client.get("/settings/export/").status_code == 200
        time_machine.shift(2)
        answer = client.get("/settings/export/")
        assert answer.status_code == 302
        client.post(answer.headers["Location"], {"password": PASSWORD})


def test_password_is_not_asked_for_just_after_sign_up(client, db):
    sign_up(client, "marta")
    assert client.get("/settings/export/").status_code == 200


def test_download_begins_by_itself_after_the_password(client, marta):
    log_in(client, "marta")
    forget_log_in(client)
    asks = client.post("/settings/export/").headers["Location"]
    answer = client.post(asks, {"password": PASSWORD, "next": "/settings/export/"})
    assert "account.json" in unpacked(answer.content)


def test_export_is_limited_to_ten_an_hour(at_home, marta):
    answers = [at_home.post("/settings/export/").status_code for _ in range(12)]
    assert answers == [200] * 10 + [429] * 2


# -- Deletion --------------------------------------------------------------------------------------


def test_account_is_deleted_after_confirmation(at_home, marta):
    assert "You cannot undo this." in at_home.get("/settings/delete/").content.decode()
    answer = at_home.post("/settings/delete/", {"sure": "on"})
    assert answer.headers["Location"] == "/"
    assert "_auth_user_id" not in at_home.session
    assert wording.ACCOUNT_IS_DELETED in at_home.get("/").content.decode()


def test_deletion_erases_person(marta, client):
    marta.user_permissions.add(1)
    marta.groups.add(Group.objects.create(name="friends"))
    marta.is_staff = True
    marta.save()
    log_in(client, "marta")
    Authenticator.objects.create(user=marta, type="totp", data={"secret": "x"})

    delete_account(User.objects.get())

    left = User.objects.get()
    assert left.pk == marta.pk
    assert left.username.startswith("former player ")
    assert (left.email, left.time_zone, left.theme, left.mail_stopped) == ("", "", "system", "")
    assert not (left.is_active or left.is_staff or left.has_usable_password() or left.last_login)
    assert not (left.groups.exists() or left.user_permissions.exists())
    for kept in (EmailAddress, Authenticator, UserSession, Session):
        assert not kept.objects.exists()


def test_deletion_ends_every_session(marta):
    browsers = [Client(), Client()]
    for browser in browsers:
        log_in(browser, "marta")
    delete_account(marta)
    for browser in browsers:
        assert browser.get("/settings/").status_code == 302


def test_deleted_account_cannot_log_in(client, marta):
    delete_account(marta)
    for login in ("marta", "marta@example.org", User.objects.get().username):
        log_in(client, login)
        assert "_auth_user_id" not in client.session


def test_leaving_is_announced_with_lasting_name(marta, told):
    delete_account(marta)
    assert told == [(marta.pk, User.objects.get().username, False)]


def test_leaving_member_cannot_log_in(marta):
    browser = Client()
    answers = []

    def try_it(user, **_):
        log_in(browser, "marta")
        answers.append(browser.get("/settings/").status_code)

    with connected(member_leaving, try_it):
        delete_account(marta)
    assert answers == [302]
    assert "_auth_user_id" not in browser.session


def test_second_deletion_changes_nothing(marta, told):
    again = User.objects.get()
    delete_account(marta)
    name = User.objects.get().username
    delete_account(again)
    assert User.objects.get().username == name
    assert len(told) == 1


def test_failed_handover_keeps_account(at_home, marta):
    def refuse(user, **_):
        raise RuntimeError("a seat could not be handed on")

    with connected(member_leaving, refuse), pytest.raises(RuntimeError):
        delete_account(User.objects.get())
    stays = User.objects.get()
    assert (stays.username, stays.email, stays.is_active) == ("marta", "marta@example.org", True)
    assert stays.deletion_started_at is None
    assert stays.check_password(PASSWORD)


class PowerCut(BaseException):
    """End of the process: no `finally` or `except Exception` runs."""


@pytest.fixture
def cut_short(marta, monkeypatch):
    """Marta's account after the process died during the handover."""

    def die(user, **_):
        raise PowerCut

    monkeypatch.setattr(account_deletion, "_opened_again_on_failure", contextlib.nullcontext)
    with connected(member_leaving, die), pytest.raises(PowerCut):
        delete_account(User.objects.get())
    assert User.objects.get().email == "marta@example.org"
    return marta


def test_interrupted_deletion_is_finished_by_cleanup(cut_short, told):
    later = timezone.now() + account_deletion.MAX_DELETION_TIME + timedelta(seconds=1)
    assert delete_expired(later)["accounts whose deletion was cut short"] == 1
    gone = User.objects.get()
    assert gone.username.startswith("former player ")
    assert (gone.email, gone.deletion_started_at, gone.is_active) == ("", None, False)
    assert told == [(gone.pk, gone.username, False)]
    assert delete_expired(later)["accounts whose deletion was cut short"] == 0


def test_recent_deletion_is_left_alone(cut_short, told):
    delete_expired(timezone.now() + timedelta(minutes=5))
    assert told == []


def test_reopened_account_is_not_deleted(cut_short, told):
    User.objects.update(is_active=True)
    delete_expired(timezone.now() + timedelta(days=1))
    assert told == []
    assert User.objects.get().username == "marta"


def test_closed_account_is_not_deleted(marta, told):
    User.objects.update(is_active=False)
    delete_expired(timezone.now() + timedelta(days=1))
    assert told == []


def test_failing_deletion_does_not_stop_others(cut_short, caplog):
    theo = User.objects.create_user("theo", is_active=False, deletion_started_at=timezone.now())
    stuck = cut_short.pk

    def refuse(user, **_):
        if user.pk == stuck:
            raise RuntimeError("a seat could not be handed on")

    with connected(member_leaving, refuse):
        assert account_deletion.finish_deletions(timezone.now() + timedelta(days=1)) == 1
    theo.refresh_from_db()
    assert theo.username.startswith("former player ")
    assert f"Account {stuck} could not be deleted" in caplog.text
    assert TaskFailure.objects.get().task == "deleting an account"


def test_name_of_deleted_account_is_reserved(client, marta):
    delete_account(marta)
    assert sign_up(client, "rnarta").status_code == 200
    assert ReleasedName.objects.get().skeleton == skeleton("marta")
    assert ReleasedName.objects.get().user is None


def test_deletion_unlinks_earlier_names(marta):
    rename(marta, "theo")
    delete_account(marta)
    assert set(ReleasedName.objects.values_list("user", flat=True)) == {None}


def test_deletion_needs_ticked_box(at_home, marta):
    answer = at_home.post("/settings/delete/")
    assert answer.status_code == 422
    assert "Tick the box" in answer.content.decode()
    assert User.objects.get().username == "marta"


def test_last_administrator_cannot_leave(at_home, marta):
    User.objects.update(is_superuser=True)
    answer = at_home.post("/settings/delete/", {"sure": "on"})
    assert answer.status_code == 422
    assert "administrator" in answer.content.decode()
    assert User.objects.get().username == "marta"
    assert at_home.get("/settings/").status_code == 200


def test_one_of_two_administrators_can_leave(marta):
    User.objects.update(is_superuser=True)
    User.objects.create_superuser("theo")
    delete_account(User.objects.get(pk=marta.pk))
    assert not User.objects.get(pk=marta.pk).is_superuser


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [2, 5])
def test_one_administrator_stays_if_all_leave_at_once(number):
    admins = [User.objects.create_superuser(f"admin{place}") for place in range(number)]
    results = at_once(*[partial(delete_account, User.objects.get(pk=one.pk)) for one in admins])
    assert sorted(type(result).__name__ for result in results) == ["LastAdministrator"] + ["NoneType"] * (
        number - 1
    )
    assert User.objects.filter(is_superuser=True, is_active=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_missing_administrator_lock_is_detected(monkeypatch):
    """Sabotage twin: the other administrators can change while they are counted."""
    admins = [User.objects.create_superuser(f"admin{place}") for place in range(2)]
    looking = Barrier(2)

    def look():
        found = sorted(admin.pk for admin in admins)
        looking.wait(10)
        return found

    monkeypatch.setattr(account_deletion, "locked_administrators", look)
    monkeypatch.setattr(account_deletion, "_close", inspect.unwrap(account_deletion._close))
    at_once(*[partial(delete_account, User.objects.get(pk=one.pk)) for one in admins])
    assert not User.objects.filter(is_superuser=True, is_active=True).exists()


def test_guest_leaves_without_password(client, db):
    client.force_login(User.objects.create_user("Guest-2345", is_guest=True))
    assert client.get("/settings/export/").status_code == 200
    client.post("/settings/delete/", {"sure": "on"})
    assert not User.objects.get().is_active
