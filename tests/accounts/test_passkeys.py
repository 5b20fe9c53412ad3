"""Passkeys are offered first to members who have one, and to nobody does the page say who has."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from accounts.web.membership.allauth_adapter import AccountAdapter
from tests.support.members import PASSWORD, log_in

pytestmark = pytest.mark.django_db

LOGIN = "/accounts/login/"


def give_key(member: User, *, passwordless: bool = True) -> None:
    credential = {"clientExtensionResults": {"credProps": {"rk": passwordless}}}
    data = {"name": "phone", "credential": credential}
    Authenticator.objects.create(user=member, type=Authenticator.Type.WEBAUTHN, data=data)


def is_offered_first(browser: Client, **query: str) -> bool:
    page = browser.get(LOGIN, query).content.decode().partition("<main")[2]
    assert 'id="passkey_login"' in page
    return page.index('id="passkey_login"') < page.index('name="password"')


@pytest.fixture
def known(marta: User) -> Client:
    """A browser in which marta was logged in."""
    browser = Client()
    log_in(browser, "marta")
    browser.post("/accounts/logout/")
    return browser


def test_known_browser_offers_the_passkey_first(known: Client, marta: User) -> None:
    give_key(marta)
    assert is_offered_first(known)
    assert is_offered_first(known, next="/settings/")


def test_member_without_a_passkey_is_asked_for_the_password_first(known: Client) -> None:
    assert not is_offered_first(known)


def test_key_that_is_only_a_second_factor_is_not_offered_first(known: Client, marta: User) -> None:
    give_key(marta, passwordless=False)
    assert not is_offered_first(known)


def test_stranger_does_not_learn_who_has_a_passkey(marta: User) -> None:
    give_key(marta)
    browser = Client()
    assert not is_offered_first(browser)
    answer: Any = browser.post(LOGIN, {"login": "marta", "password": "wrong"})
    page = answer.content.decode().partition("<main")[2]
    assert page.index('id="passkey_login"') > page.index('name="password"')


def test_browser_from_before_a_new_password_is_a_stranger(known: Client, marta: User) -> None:
    give_key(marta)
    marta.set_password(PASSWORD + " now")
    marta.save()
    assert not is_offered_first(known)


def test_closed_account_is_not_offered(known: Client, marta: User) -> None:
    give_key(marta)
    User.objects.filter(pk=marta.pk).update(is_active=False)
    assert not is_offered_first(known)


def test_name_field_offers_passkeys_of_the_browser() -> None:
    page = Client().get(LOGIN).content.decode()
    assert 'autocomplete="username webauthn"' in page
    assert "accounts/passkey_autofill" in page


def test_refused_passkey_leads_back_with_the_page_asked_for() -> None:
    browser = Client()
    answer = browser.post("/accounts/2fa/webauthn/login/", {"credential": "{}", "next": "/settings/"})
    assert answer.headers["Location"] == "/accounts/login/?next=%2Fsettings%2F"


def test_guest_is_not_led_away_from_the_passkey(guest: User) -> None:
    browser = Client()
    browser.force_login(guest)
    answer = browser.get("/accounts/2fa/webauthn/login/", headers={"accept": "application/json"})
    assert "request_options" in answer.json()


def test_passkey_is_the_first_way_to_prove_who_one_is(marta: User) -> None:
    give_key(marta)
    ways = [way["id"] for way in AccountAdapter().get_reauthentication_methods(marta)]
    assert ways == ["mfa_reauthenticate:webauthn", "reauthenticate"]


def test_second_step_offers_no_key_to_who_has_an_app_alone(marta: User) -> None:
    Authenticator.objects.create(user=marta, type=Authenticator.Type.TOTP, data={"secret": "x" * 32})
    browser = Client()
    log_in(browser, "marta")
    page = browser.get("/accounts/2fa/authenticate/").content.decode()
    assert "Enter the code from your authenticator app" in page
    assert "webauthn" not in page
