"""Whether a name or an address is known here shows in no answer, nor in the work that is done for it."""

import re
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client

from accounts.models import User

PASSWORD = "a long enough secret"
NAMES = "marta", "morta"
ADDRESSES = "marta@example.org", "morta@example.org"


@pytest.fixture(autouse=True)
def marta(db):
    user = User.objects.create_user("marta", ADDRESSES[0], PASSWORD)
    EmailAddress.objects.create(user=user, email=ADDRESSES[0], primary=True, verified=True)
    return user


def asked(path, **form):
    """Status, address and text of an answer, without its tokens, and how many passwords were hashed."""
    cache.clear()
    with mock.patch.object(
        MD5PasswordHasher, "encode", autospec=True, side_effect=MD5PasswordHasher.encode
    ) as encode:
        answer = Client().post(path, form)
    text = re.sub(r"\b[A-Za-z0-9]{64}\b", "", answer.content.decode())  # tokens against forgery
    for typed in (*ADDRESSES, *NAMES):
        text = text.replace(typed, "?")
    return answer.status_code, answer.get("Location"), text, encode.call_count


@pytest.mark.parametrize("who", [NAMES, ADDRESSES])
def test_a_wrong_password_costs_and_says_the_same_for_who_is_not_known(who):
    known, unknown = (asked("/accounts/login/", login=name, password="a wrong secret") for name in who)
    assert known == unknown
    assert known[-1] == 1


def test_a_new_password_is_promised_to_any_address():
    known, unknown = (asked("/accounts/password/reset/", email=address) for address in ADDRESSES)
    assert known == unknown
    assert known[-1] == 0


def test_signing_up_costs_and_says_the_same_with_an_address_that_is_known(settings):
    forms = [
        {"username": name, "email": address, "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}
        for name, address in zip(("theo", "thea"), ADDRESSES, strict=True)
    ]
    known, unknown = (asked("/accounts/signup/", **form) for form in forms)
    assert known == unknown
    assert known[-1] >= 1


def test_an_answer_without_hashing_would_be_noticed(monkeypatch):
    """The twin: who is not known is refused at once."""
    monkeypatch.setattr(User, "set_password", lambda self, password: None)
    with pytest.raises(AssertionError):
        test_a_wrong_password_costs_and_says_the_same_for_who_is_not_known(NAMES)
