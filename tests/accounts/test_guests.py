"""Guests: creation, sign-up, and anonymisation when idle."""

from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.membership.account_deletion import (
    GUEST_IDLE,
    anonymise_idle_guests,
    delete_account,
    delete_unconfirmed,
)
from accounts.membership.guests import create_guest
from accounts.models import User
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.names.validators import name_is_nobodys
from accounts.refusals import TooManyGuests
from accounts.signals import member_leaving
from games.models import TaskFailure
from tests.support import wording
from tests.support.clients import client_of
from tests.support.members import PASSWORD, create_member, log_in, sign_up
from tests.support.signals import connected
from tests.support.simultaneous_calls import at_once
from tests.support.staff_actions import perform_action

WAITING = "/accounts/confirm-email/"


def stranger(method="post", address="192.0.2.1"):
    request = getattr(RequestFactory(), method)("/", REMOTE_ADDR=address)
    request.session = SessionStore()
    request.user = AnonymousUser()
    return request


@pytest.fixture
def guest(db):
    return create_guest(stranger())


@pytest.fixture
def as_guest(client, guest):
    client.force_login(guest)
    return client


@pytest.fixture
def idle_guest(guest):
    guest.last_seen = timezone.localdate() - timedelta(days=31)
    guest.save()
    return guest


@pytest.fixture
def leaving():
    """The names of users announced as leaving."""
    names = []
    with connected(member_leaving, lambda user, **_: names.append(user.username)):
        yield names


# -- Creation --------------------------------------------------------------------------------------


def test_guest_has_name_and_no_password(guest):
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.username.startswith("Guest-")
    assert not guest.has_usable_password()


def test_new_guest_is_logged_in(db):
    request = stranger()
    guest = create_guest(request)
    assert request.user == guest
    assert request.session["_auth_user_id"] == str(guest.pk)
    assert UserSession.objects.get().user == guest


def test_logged_in_user_stays_who_they_are(guest):
    request = stranger()
    request.user = guest
    assert create_guest(request) is guest
    assert User.objects.count() == 1


def test_get_request_creates_no_guest(db):
    with pytest.raises(ValueError, match="POST"):
        create_guest(stranger("get"))
    assert not User.objects.exists()


def test_guests_per_address_are_limited(db):
    for _ in range(5):
        create_guest(stranger())
    with pytest.raises(TooManyGuests):
        create_guest(stranger())
    create_guest(stranger(address="192.0.2.2"))
    assert User.objects.count() == 6


def test_guest_limit_ends_after_an_hour(db, time_machine):
    time_machine.move_to(timezone.now())
    for _ in range(5):
        create_guest(stranger())
    time_machine.shift(timedelta(minutes=61))
    assert create_guest(stranger())


def test_guest_names_are_distinct(db, monkeypatch):
    letters = iter("2222" + "2222" + "3333")
    monkeypatch.setattr(
        "accounts.membership.name_changes.secrets", SimpleNamespace(choice=lambda _: next(letters))
    )
    first, second = create_guest(stranger()), create_guest(stranger())
    assert (first.username, second.username) == ("Guest-2222", "Guest-3333")


@pytest.mark.django_db(transaction=True)
def test_concurrent_guests_get_distinct_names():
    calls = [partial(create_guest, stranger(address=f"192.0.2.{number}")) for number in range(4)]
    assert len({guest.username for guest in at_once(*calls)}) == 4


# -- Becoming a member -----------------------------------------------------------------------------


def test_sign_up_keeps_row_of_guest(as_guest, guest):
    assert sign_up(as_guest, "marta", email="marta@example.org").status_code == 302
    member = User.objects.get()
    assert (member.pk, member.username, member.is_guest) == (guest.pk, "marta", False)
    assert member.check_password(PASSWORD)
    assert EmailAddress.objects.get().user == member


def test_sign_up_keeps_guest_logged_in(as_guest, guest):
    sign_up(as_guest, "marta")
    assert as_guest.session["_auth_user_id"] == str(guest.pk)


def test_guest_session_outlasts_idle_account(client, db):
    client.post("/play/")
    assert User.objects.get().is_guest
    assert timedelta(seconds=client.session.get_expiry_age()) > GUEST_IDLE


def test_sign_up_ends_guest_session(as_guest):
    before = as_guest.session.session_key
    sign_up(as_guest, "marta")
    assert not Session.objects.filter(session_key=before).exists()


def test_invalid_sign_up_keeps_guest(as_guest, guest):
    response = sign_up(as_guest, "marta", password2="something else")
    assert response.status_code == 200
    assert response.context["user"] == guest
    assert User.objects.get() == guest
    assert User.objects.get().is_guest


def test_guest_can_log_in_as_member(as_guest, guest):
    member = create_member("marta")
    assert as_guest.get("/accounts/login/").status_code == 200
    log_in(as_guest, "marta")
    assert as_guest.session["_auth_user_id"] == str(member.pk)
    guest.refresh_from_db()
    assert guest.is_guest


def test_member_cannot_sign_up_again(client, db):
    client.force_login(create_member("marta"))
    assert client.get("/accounts/signup/").status_code == 302
    sign_up(client, "second")
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "page",
    ["password/set", "password/change", "email", "2fa", "2fa/totp/activate", "sessions"],
)
def test_account_pages_lead_guest_to_sign_up(as_guest, guest, page):
    for answer in (as_guest.get(f"/accounts/{page}/"), as_guest.post(f"/accounts/{page}/", {})):
        assert (answer.status_code, answer.url) == (302, "/accounts/signup/")


def test_guest_cannot_set_password(as_guest, guest):
    as_guest.post("/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD})
    guest.refresh_from_db()
    assert guest.is_guest
    assert not guest.has_usable_password()


def test_guest_resets_the_password_of_an_account_and_stays_a_guest(as_guest, guest, mailoutbox):
    member = create_member("marta", "marta@example.org")
    assert 'href="/accounts/password/reset/"' in as_guest.get("/accounts/login/").content.decode()
    assert "Send link" in as_guest.get("/accounts/password/reset/").content.decode()
    asked = as_guest.post("/accounts/password/reset/", {"email": "marta@example.org"}, follow=True)
    assert asked.redirect_chain == [("/accounts/password/reset/done/", 302)]
    link = next(word for word in mailoutbox[0].body.split() if "/password/reset/key/" in word)
    form = as_guest.get(link.removeprefix("http://localhost:8000"), follow=True).request["PATH_INFO"]
    another = "another long secret"
    changed = as_guest.post(form, {"password1": another, "password2": another}, follow=True)
    assert changed.redirect_chain == [("/accounts/password/reset/key/done/", 302)]
    member.refresh_from_db()
    assert member.check_password(another)
    assert player(as_guest) == guest
    assert player(as_guest).is_guest


# -- Becoming a member where addresses must be confirmed -------------------------------------------


@pytest.fixture
def mail_must_be_confirmed(settings):
    settings.EMAIL_MUST_BE_CONFIRMED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]


@pytest.fixture
def registered(as_guest, guest, mail_must_be_confirmed):
    """The browser of a guest who has registered as marta."""
    assert sign_up(as_guest, "marta", email="marta@example.org").headers["Location"] == WAITING
    return as_guest


def confirm(browser, message):
    link = next(word for word in message.body.split() if "confirm-email" in word)
    return browser.post(link.removeprefix("http://localhost:8000"))


def player(browser):
    """The user whose pages the browser sees."""
    return browser.get("/rules/").context["user"]


def test_guest_stays_one_until_the_address_is_confirmed(registered, guest, mailoutbox):
    assert player(registered).is_guest
    assert player(registered) == guest
    assert "marta@example.org" in registered.get(WAITING).content.decode()
    confirm(registered, mailoutbox[0])
    assert player(registered) == guest
    assert not player(registered).is_guest
    # As after a log-in with the password: nothing asks for it again.
    assert registered.get("/accounts/2fa/").status_code == 200


def test_guest_who_has_registered_is_led_to_the_confirmation(registered, mailoutbox):
    def menu():
        return registered.get("/rules/").content.decode().partition("Log out")[0]

    assert f'href="{WAITING}"' in menu()
    assert "Sign up to keep your games" not in menu()
    confirm(registered, mailoutbox[0])
    assert f'href="{WAITING}"' not in menu()


@pytest.mark.django_db(transaction=True)
def test_page_that_asks_while_its_guest_registers_keeps_the_session(
    as_guest, guest, mail_must_be_confirmed, monkeypatch
):
    seen = []

    def ask_meanwhile():
        page = Client()
        page.cookies = as_guest.cookies
        seen.append(player(page))

    monkeypatch.setattr("accounts.mail.account_mails.request_delivery", ask_meanwhile)
    sign_up(as_guest, "marta", email="marta@example.org")
    assert seen == [guest]
    assert player(as_guest) == guest


def test_guest_who_confirms_elsewhere_is_a_member_in_both_browsers(registered, guest, mailoutbox):
    elsewhere = Client()
    confirm(elsewhere, mailoutbox[0])
    assert not player(registered).is_guest
    log_in(elsewhere, "marta")
    assert elsewhere.session["_auth_user_id"] == str(guest.pk)


def test_nobody_logs_in_as_a_guest_who_has_not_confirmed(registered):
    elsewhere = Client()
    assert log_in(elsewhere, "marta").headers["Location"] == WAITING
    assert "_auth_user_id" not in elsewhere.session


def test_guest_registers_again_with_another_name_and_address(registered, guest, mailoutbox):
    sign_up(registered, "lena", email="lena@example.org")
    assert player(registered) == guest
    confirm(registered, mailoutbox[-1])
    assert player(registered).username == "lena"
    assert [(row.email, row.verified) for row in EmailAddress.objects.all()] == [("lena@example.org", True)]


def test_link_to_another_account_leaves_the_guest_alone(as_guest, guest, mail_must_be_confirmed, mailoutbox):
    sign_up(Client(), "theo", email="theo@example.org")
    confirm(as_guest, mailoutbox[0])
    assert player(as_guest) == guest


def test_guest_who_does_not_confirm_is_a_guest_with_a_made_up_name_after_a_day(
    registered, guest, time_machine
):
    # As `create_guest` does.
    UserSession.objects.create(user=guest, ip="192.0.2.1", session_key=registered.session.session_key)
    time_machine.move_to(timezone.now() + timedelta(hours=25))
    assert delete_unconfirmed(timezone.now()) == 1
    assert player(registered) == guest
    assert player(registered).is_guest
    assert player(registered).username.startswith("Guest-")
    assert not player(registered).has_usable_password()
    assert not EmailAddress.objects.exists()
    assert delete_unconfirmed(timezone.now()) == 0
    assert "email address yet" not in registered.get(WAITING).content.decode()


@pytest.mark.parametrize("guest_first", [True, False])
def test_name_is_free_for_others_after_a_day(as_guest, mail_must_be_confirmed, time_machine, guest_first):
    time_machine.move_to(timezone.now())
    sign_up(as_guest if guest_first else Client(), "marta", email="marta@example.org")
    other = Client()
    assert wording.NAME_IS_TAKEN in sign_up(other, "marta", email="lena@example.org").content.decode()
    time_machine.shift(timedelta(hours=25))
    assert sign_up(other, "marta", email="lena@example.org").headers["Location"] == WAITING
    assert User.objects.get(username="marta").email == "lena@example.org"


def rename_in_settings(member, name):
    return client_of(member).post("/settings/name/", {"username": name}).status_code == 302


def rename_by_staff(member, name):
    try:
        return perform_action(MEMBER_ACTIONS["rename"], member, None, "Nicer.", new_name=name)
    except ValidationError:
        return None


@pytest.mark.parametrize("rename", [rename_in_settings, rename_by_staff])
def test_name_is_free_for_renamed_members_after_a_day(mail_must_be_confirmed, db, time_machine, rename):
    time_machine.move_to(timezone.now())
    sign_up(Client(), "marta", email="marta@example.org")
    member = create_member("lena", "lena@example.org")
    assert not rename(member, "marta")
    time_machine.shift(timedelta(hours=25))
    assert rename(member, "marta")
    assert User.objects.get(username="marta") == member


def test_renamed_member_without_a_confirmed_address_stays(mail_must_be_confirmed, db, time_machine):
    member = create_member("marta")
    User.objects.update(terms_accepted=timezone.now())
    time_machine.move_to(timezone.now() + timedelta(hours=25))
    assert rename_by_staff(member, "Marta")
    assert User.objects.get(username="Marta") == member


# -- Idle guests -----------------------------------------------------------------------------------


def test_idle_guest_is_anonymised(idle_guest, leaving):
    name = idle_guest.username
    idle_guest.email = "marta@example.org"
    idle_guest.save()
    EmailAddress.objects.create(user=idle_guest, email="marta@example.org")

    assert anonymise_idle_guests(timezone.now()) == 1

    idle_guest.refresh_from_db()
    assert leaving == [name]
    assert idle_guest.username.startswith("former guest ")
    assert idle_guest.email == ""
    assert not idle_guest.is_active
    assert not EmailAddress.objects.exists()


def test_anonymised_guest_loses_sessions(db, time_machine):
    time_machine.move_to(timezone.now())
    create_guest(stranger())
    assert Session.objects.count() == 1
    time_machine.shift(timedelta(days=31))
    assert anonymise_idle_guests(timezone.now()) == 1
    assert not Session.objects.exists()


def test_guest_is_anonymised_once(idle_guest, leaving):
    anonymise_idle_guests(timezone.now())
    assert anonymise_idle_guests(timezone.now()) == 0
    assert len(leaving) == 1


@pytest.mark.parametrize("days, is_guest", [(30, True), (31, False)])
def test_recent_guest_and_idle_member_are_kept(guest, leaving, days, is_guest):
    last_seen = timezone.localdate() - timedelta(days=days)
    User.objects.update(last_seen=last_seen, is_guest=is_guest)
    assert anonymise_idle_guests(timezone.now()) == 0
    assert leaving == []


def test_returning_guest_is_kept(idle_guest):
    latest = idle_guest.last_seen + timedelta(days=1)
    late = User.objects.create(username="Guest-9999", is_guest=True, last_seen=latest)

    def come_back(user, **_):
        User.objects.filter(pk=late.pk).update(last_seen=timezone.localdate())

    with connected(member_leaving, come_back):
        assert anonymise_idle_guests(timezone.now()) == 1
    late.refresh_from_db()
    assert (late.username, late.is_active) == ("Guest-9999", True)


def test_interrupted_anonymisation_is_finished(idle_guest, leaving):
    # The first step of an anonymisation that was interrupted.
    User.objects.update(is_active=False)
    assert anonymise_idle_guests(timezone.now()) == 1
    assert User.objects.get().username.startswith("former guest ")


def test_deleted_guest_is_not_anonymised_again(idle_guest, leaving):
    delete_account(idle_guest)
    name = User.objects.get().username
    assert anonymise_idle_guests(timezone.now()) == 0
    assert User.objects.get().username == name
    assert len(leaving) == 1


def test_guest_is_inactive_during_handover(idle_guest):
    seen = []
    with connected(member_leaving, lambda user, **_: seen.append(User.objects.get(pk=user.pk).is_active)):
        anonymise_idle_guests(timezone.now())
    assert seen == [False]


def test_failing_anonymisation_does_not_stop_others(idle_guest, caplog):
    stuck = User.objects.create(username="Guest-9999", is_guest=True, last_seen=idle_guest.last_seen)

    def refuse(user, **_):
        if user == stuck:
            raise RuntimeError("a seat could not be handed on")

    with connected(member_leaving, refuse):
        assert anonymise_idle_guests(timezone.now()) == 1
    stuck.refresh_from_db()
    assert stuck.is_active
    assert "could not be handed on" in caplog.text
    assert TaskFailure.objects.get().task == "anonymising a guest"


@pytest.mark.django_db
def test_failing_deletion_of_an_unconfirmed_account_is_counted(settings):
    settings.EMAIL_MUST_BE_CONFIRMED = True
    since = timezone.now() - timedelta(days=2)
    User.objects.create_user("marta", terms_accepted=since)

    def refuse(user, **_):
        raise RuntimeError("a seat could not be handed on")

    with connected(member_leaving, refuse):
        assert delete_unconfirmed(timezone.now()) == 0
    assert TaskFailure.objects.get().task == "deleting an unconfirmed account"


def test_member_cannot_take_guest_name(client, idle_guest):
    anonymise_idle_guests(timezone.now())
    idle_guest.refresh_from_db()
    for name in ("Guest-2345", "guest-2345", idle_guest.username):
        assert sign_up(client, name).status_code == 200
    assert User.objects.count() == 1


def test_guest_names_are_reserved(guest):
    with pytest.raises(Exception, match="reserved for guests"):
        name_is_nobodys(guest.username)


def test_log_in_tells_a_guest_how_to_keep_the_games(client, as_guest):
    warning = "If you log in to another account, you lose access to your games."
    page = client.get("/accounts/login/").content.decode()
    assert warning in page and "/accounts/signup/" in page
    assert warning not in Client().get("/accounts/login/").content.decode()
