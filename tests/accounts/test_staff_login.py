"""Staff log-in: fresh password, and second factor on a public site."""

import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib.messages import get_messages

from accounts.models import SitePage, User
from accounts.web.membership import staff_login
from tests.support.members import PASSWORD, log_in

pytestmark = pytest.mark.django_db

QUARTER = 15 * 60
LIST = "/admin/accounts/user/"


@pytest.fixture
def vera():
    return User.objects.create_superuser("vera", password=PASSWORD)


@pytest.fixture
def desk(client, vera):
    log_in(client, "vera")
    return client


def let_pass(client, seconds):
    """Let this number of seconds pass since the password was entered."""
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= seconds
    session.save()


def enter_again(client, answer):
    """Enter the password on the page the answer leads to."""
    assert answer.status_code == 302
    page = client.get(answer.headers["Location"])
    assert "Confirm that it is you" in page.content.decode()
    next_page = answer.headers["Location"].partition("next=")[2]
    return client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": unquoted(next_page)})


def unquoted(text):
    return text.replace("%2F", "/").replace("%3F", "?").replace("%3D", "=")


# -- The password ----------------------------------------------------------------------------------


def test_fresh_log_in_opens_admin(desk):
    assert desk.get(LIST).status_code == 200


def test_password_is_asked_again_after_quarter_hour(desk):
    let_pass(desk, QUARTER - 30)
    assert desk.get(LIST).status_code == 200
    let_pass(desk, 31)
    answer = desk.get(f"{LIST}?q=vera")
    assert (
        answer.headers["Location"]
        == "/accounts/reauthenticate/?next=%2Fadmin%2Faccounts%2Fuser%2F%3Fq%3Dvera"
    )
    assert enter_again(desk, answer).headers["Location"] == f"{LIST}?q=vera"
    assert desk.get(LIST).status_code == 200


def test_missing_age_check_is_detected(desk, monkeypatch):
    """Sabotage twin: every log-in counts as recent."""
    let_pass(desk, QUARTER + 1)
    monkeypatch.setattr(staff_login, "has_recent_proof", lambda request: True)
    assert desk.get(LIST).status_code == 200


@pytest.mark.parametrize("asked", ["", "?slug=terms"])
def test_late_form_is_resumed_after_password(desk, asked):
    let_pass(desk, QUARTER + 1)
    answer = desk.post(
        f"/admin/accounts/sitepage/add/{asked}", {"slug": "terms", "title": "Ours", "text": "Play fair."}
    )
    assert not SitePage.objects.exists()
    assert enter_again(desk, answer).headers["Location"] == "/admin/accounts/sitepage/"
    assert SitePage.objects.get().title == "Ours"


def test_late_form_with_password_is_not_kept(desk, vera):
    let_pass(desk, QUARTER + 1)
    form = {"password1": "another long secret", "password2": "another long secret"}
    answer = desk.post(f"/admin/accounts/user/{vera.pk}/password/", form)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/?next=")
    assert "another long secret" not in str(dict(desk.session))


def test_wrong_password_does_not_open_admin(desk):
    let_pass(desk, QUARTER + 1)
    desk.post("/accounts/reauthenticate/", {"password": "wrong", "next": LIST})
    assert desk.get(LIST).status_code == 302


def test_member_is_sent_to_staff_login(client):
    client.force_login(User.objects.create_user("marta"))
    let_pass(client, QUARTER + 1)
    assert client.get(LIST).headers["Location"].startswith("/admin/login/")


def test_other_pages_need_no_fresh_password(desk):
    let_pass(desk, QUARTER + 1)
    assert desk.get("/").status_code == 200


# -- The second factor -----------------------------------------------------------------------------


@pytest.fixture
def public(settings):
    settings.STAFF_TOTP = True


def test_public_site_requires_second_factor(public, desk, vera):
    answer = desk.get(LIST)
    assert answer.headers["Location"] == "/accounts/2fa/totp/activate/"
    page = desk.get("/accounts/2fa/totp/activate/", follow=True)
    told = [str(message) for message in get_messages(page.wsgi_request)] or [page.content.decode()]
    assert any("Staff need two-factor authentication." in text for text in told)


def test_recovery_codes_lead_on_to_the_page_that_was_asked_for(public, desk):
    wanted = f"{LIST}?q=vera"
    activation = desk.get(desk.get(wanted).headers["Location"])
    code = format_hotp_value(hotp_value(activation.context["form"].secret, int(time.time()) // 30))
    codes = desk.post("/accounts/2fa/totp/activate/", {"code": code}, follow=True)
    assert codes.redirect_chain == [("/accounts/2fa/recovery-codes/", 302)]
    assert f'href="{wanted}">Continue to the admin</a>' in codes.content.decode()
    assert desk.get(wanted).status_code == 200
    assert "Continue to the admin" not in desk.get("/accounts/2fa/recovery-codes/").content.decode()


def test_code_is_asked_at_next_log_in(public, desk, vera, client):
    secret = generate_totp_secret()
    TOTP.activate(vera, secret)
    assert desk.get(LIST).status_code == 200
    desk.logout()
    answer = log_in(desk, "vera")
    assert answer.headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert desk.get(LIST).status_code == 302
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    desk.post("/accounts/2fa/authenticate/", {"code": code})
    assert desk.get(LIST).status_code == 200


def test_security_key_is_second_factor(public, desk, vera):
    Authenticator.objects.create(user=vera, type="webauthn", data={})
    assert desk.get(LIST).status_code == 200


def test_recovery_codes_are_no_second_factor(public, desk, vera):
    Authenticator.objects.create(user=vera, type="recovery_codes", data={})
    assert desk.get(LIST).status_code == 302


def test_missing_factor_check_is_detected(public, desk, monkeypatch):
    """Sabotage twin: every member has a second factor."""
    monkeypatch.setattr(staff_login, "_has_second_factor", lambda user: True)
    assert desk.get(LIST).status_code == 200


def test_local_site_needs_password_only(desk):
    assert desk.get(LIST).status_code == 200
