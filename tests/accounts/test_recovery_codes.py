"""A recovery code that was used is mailed about."""

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import Mailbox
from tests.support.members import log_in

pytestmark = pytest.mark.django_db


def enter(code: str) -> Client:
    """Log in with the password and this second factor."""
    browser = Client()
    log_in(browser, "marta")
    browser.post("/accounts/2fa/authenticate/", {"code": code})
    return browser


@pytest.fixture
def codes(marta: User) -> list[str]:
    TOTP.activate(marta, generate_totp_secret())
    found: list[str] = RecoveryCodes.activate(marta).get_unused_codes()
    return found


def test_used_code_is_mailed_with_the_number_left(codes: list[str], mailoutbox: Mailbox) -> None:
    assert "_auth_user_id" in enter(codes[0]).session
    [mail] = mailoutbox
    assert mail.to == ["marta@example.org"]
    assert f"You have {len(codes) - 1} codes left" in mail.body
    assert "127.0.0.1" in mail.body


def test_last_code_but_one_asks_for_new_ones(codes: list[str], mailoutbox: Mailbox) -> None:
    for code in codes[:-1]:
        enter(code)
    assert "You have 1 code left. Create new ones" in mailoutbox[-1].body


def test_wrong_code_is_not_mailed_about(codes: list[str], mailoutbox: Mailbox) -> None:
    assert "_auth_user_id" not in enter("00000000").session
    assert mailoutbox == []
