"""Links in mails that mail a log-in code with one press, where the member has allowed it."""

import logging
import re
from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.test import Client

from accounts.mail import login_links
from accounts.models import AccountMail, User
from tests.accounts.conftest import Mailbox
from tests.support import wording
from tests.support.members import CODE, CONFIRM, PASSWORD, ask_for_code, code_in, create_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answering_server")]

MAIL_CODE, PAGE = "/accounts/login/code/mail/", "/settings/"


@pytest.fixture(autouse=True)
def marta(db: None) -> User:
    cache.clear()
    return create_member("marta", "marta@example.org", codes_from_links=True)


def press(browser: Client, member: User, **fields: str) -> Any:
    """Press the button of a page to which a mail has led."""
    form = {"name": member.username, "key": login_links.link_key(member), "next": PAGE, **fields}
    return browser.post(MAIL_CODE, form)


def is_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def test_setting_is_off_for_new_members() -> None:
    assert login_links.link_key(create_member("ada", "ada@example.org")) == ""


def test_one_press_mails_a_code_that_leads_to_the_page(marta: User, mailoutbox: Mailbox) -> None:
    browser = Client()
    answer = press(browser, marta)
    assert answer.headers["Location"] == f"{CONFIRM}?next=%2Fsettings%2F"
    assert [mail.to for mail in mailoutbox] == [["marta@example.org"]]
    page = browser.get(answer.headers["Location"]).content.decode()
    assert "on its way to the email address of marta" in page
    assert "marta@example.org" not in page
    # The link in the mail knows no page: the browser does.
    answer = browser.post(CONFIRM, {"code": code_in(mailoutbox[0])})
    assert answer.headers["Location"] == PAGE
    assert is_in(browser)


def test_mail_has_a_link_with_the_code_where_no_server_sees_it(marta: User, mailoutbox: Mailbox) -> None:
    press(Client(), marta)
    [link] = re.findall(r"^http\S+$", str(mailoutbox[0].body), re.MULTILINE)
    assert link == f"http://localhost:8000{CONFIRM}#{code_in(mailoutbox[0])}"


def test_code_works_in_no_other_browser(marta: User, mailoutbox: Mailbox) -> None:
    press(Client(), marta)
    other = Client()
    answer = other.post(CONFIRM, {"code": code_in(mailoutbox[0])})
    assert answer.headers["Location"] == CODE
    assert not is_in(other)
    assert wording.NO_CODE_AWAITED in other.get(CONFIRM, follow=True).content.decode()


def test_second_factor_is_still_asked_for(marta: User, mailoutbox: Mailbox) -> None:
    TOTP.activate(marta, generate_totp_secret())
    [spare, *_] = RecoveryCodes.activate(marta).get_unused_codes()
    browser = Client()
    press(browser, marta)
    answer = browser.post(CONFIRM, {"code": code_in(mailoutbox[0])})
    assert answer.headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert not is_in(browser)
    answer = browser.post("/accounts/2fa/authenticate/", {"code": spare})
    assert answer.headers["Location"] == PAGE


@pytest.mark.parametrize(
    "spoil",
    [
        lambda marta: User.objects.filter(pk=marta.pk).update(codes_from_links=False),
        lambda marta: (marta.set_password("another long secret"), marta.save()),
        lambda marta: User.objects.filter(pk=marta.pk).update(is_active=False),
    ],
)
def test_key_ends_with_the_setting_the_password_and_the_account(
    marta: User, spoil: Any, mailoutbox: Mailbox
) -> None:
    key = login_links.link_key(marta)
    spoil(marta)
    answer = press(Client(), marta, key=key)
    assert answer.headers["Location"] == "/accounts/login/?next=%2Fsettings%2F"
    assert mailoutbox == []


@pytest.mark.parametrize("key", ["", "0" * 20, "ü"])
def test_stranger_without_the_key_has_no_code_mailed(marta: User, key: str, mailoutbox: Mailbox) -> None:
    browser = Client()
    answer = browser.post(MAIL_CODE, {"name": "marta", "key": key}, follow=True)
    assert "This link cannot log you in, so we sent no code" in answer.content.decode()
    assert not AccountMail.objects.exists()


def test_key_opens_no_other_account(marta: User, mailoutbox: Mailbox) -> None:
    ada = create_member("ada", "ada@example.org", codes_from_links=True)
    press(Client(), ada, key=login_links.link_key(marta))
    assert mailoutbox == []


def test_page_of_another_site_is_not_opened(marta: User, mailoutbox: Mailbox) -> None:
    browser = Client()
    press(browser, marta, next="https://elsewhere.example/")
    assert browser.post(CONFIRM, {"code": code_in(mailoutbox[0])}).headers["Location"] == "/"


def test_codes_from_links_have_the_limit_of_all_codes(marta: User, mailoutbox: Mailbox) -> None:
    for _ in range(3):
        press(Client(REMOTE_ADDR="192.0.2.7"), marta)
    answer = Client(REMOTE_ADDR="192.0.2.7").post(
        MAIL_CODE, {"name": "marta", "key": login_links.link_key(marta)}, follow=True
    )
    assert wording.TOO_MANY_CODES in answer.content.decode()
    assert len(mailoutbox) == 3


def test_guest_who_opens_the_link_logs_in(marta: User, mailoutbox: Mailbox) -> None:
    browser = Client()
    browser.force_login(User.objects.create(username="guest-1", is_guest=True))
    press(browser, marta)
    browser.post(CONFIRM, {"code": code_in(mailoutbox[0])})
    assert browser.session["_auth_user_id"] == str(marta.pk)


def test_typed_address_names_nobody(mailoutbox: Mailbox) -> None:
    browser = Client()
    ask_for_code(browser, "marta@example.org")
    assert "marta" not in browser.get(CONFIRM).content.decode().partition("<main")[2]


def test_neither_key_nor_code_is_logged(
    marta: User, mailoutbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    browser = Client()
    with caplog.at_level(logging.DEBUG):
        press(browser, marta)
        browser.post(CONFIRM, {"code": code_in(mailoutbox[0])})
    assert login_links.link_key(marta) not in caplog.text
    assert code_in(mailoutbox[0]) not in caplog.text


def test_password_still_logs_in(marta: User) -> None:
    browser = Client()
    browser.post("/accounts/login/", {"login": "marta", "password": PASSWORD})
    assert is_in(browser)
