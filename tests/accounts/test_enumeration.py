"""Known and unknown names and addresses get the same answers at the same cost."""

import re
from unittest import mock

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.support.members import PASSWORD, create_member

NAMES = "marta", "morta"
ADDRESSES = "marta@example.org", "morta@example.org"


@pytest.fixture(autouse=True)
def marta(db):
    return create_member("marta", ADDRESSES[0])


def asked(path, **form):
    """Status, address, text without tokens, and number of passwords hashed for an answer."""
    cache.clear()
    with mock.patch.object(
        MD5PasswordHasher, "encode", autospec=True, side_effect=MD5PasswordHasher.encode
    ) as encode:
        answer = Client().post(path, form)
    text = re.sub(r"\b[A-Za-z0-9]{64}\b", "", answer.content.decode())  # CSRF tokens
    for typed in (*ADDRESSES, *NAMES):
        text = text.replace(typed, "?")
    return answer.status_code, answer.get("Location"), text, encode.call_count


@pytest.mark.parametrize("who", [NAMES, ADDRESSES])
def test_wrong_password_does_not_reveal_account(who):
    known, unknown = (asked("/accounts/login/", login=name, password="a wrong secret") for name in who)
    assert known == unknown
    assert known[-1] == 1


def test_password_reset_does_not_reveal_address():
    known, unknown = (asked("/accounts/password/reset/", email=address) for address in ADDRESSES)
    assert known == unknown
    assert known[-1] == 0


def test_sign_up_does_not_reveal_address(settings):
    forms = [
        {"username": name, "email": address, "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}
        for name, address in zip(("theo", "thea"), ADDRESSES, strict=True)
    ]
    known, unknown = (asked("/accounts/signup/", **form) for form in forms)
    assert known == unknown
    assert known[-1] >= 1


def test_missing_hash_is_detected(monkeypatch):
    """Sabotage twin: unknown names are refused without hashing."""
    monkeypatch.setattr(User, "set_password", lambda self, password: None)
    with pytest.raises(AssertionError):
        test_wrong_password_does_not_reveal_account(NAMES)
