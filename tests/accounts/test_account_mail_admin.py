"""Administrators see which mails about accounts went where, and send once more what was given up."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.mail import account_mails, account_outbox
from accounts.mail.outbox import BACK_OFF
from accounts.models import AccountMail, User
from tests.accounts.conftest import Mailbox
from tests.support.clients import client_of

pytestmark = pytest.mark.django_db

LIST = "/admin/accounts/accountmail/"
Kind, State = AccountMail.Kind, AccountMail.State
FACTS = {"at": timezone.now().isoformat(), "ip": "192.0.2.1", "user_agent": "Lynx"}


@pytest.fixture
def chief() -> Client:
    return client_of(User.objects.create_superuser("chief"))


@pytest.fixture
def given_up(marta: User) -> AccountMail:
    """A mail about a new password that the server refused five times."""
    account_mails.mail_change(Kind.PASSWORD_CHANGED, marta, "marta@example.org", FACTS)
    for _ in range(len(BACK_OFF) + 1):
        AccountMail.objects.update(due=timezone.now() - timedelta(seconds=1))
        row = account_outbox.claim_account_mail()
        assert row
        account_outbox.mark_failed(row, "the mailbox is full")
    return AccountMail.objects.get(state=State.GIVEN_UP)


def send_once_more(browser: Client, *rows: AccountMail) -> str:
    chosen = {"action": "send_once_more", "_selected_action": [row.pk for row in rows]}
    return browser.post(LIST, chosen, follow=True).content.decode()


def test_list_shows_what_was_given_up_and_why(chief: Client, given_up: AccountMail) -> None:
    page = chief.get(f"{LIST}?state=given+up").content.decode()
    assert "marta@example.org" in page and "the mailbox is full" in page
    assert "192.0.2.1" not in chief.get(f"{LIST}{given_up.pk}/change/").content.decode()


def test_mail_that_was_given_up_is_sent_once_more(
    chief: Client, given_up: AccountMail, mailoutbox: Mailbox
) -> None:
    assert "We will resend 1 email if it is" in send_once_more(chief, given_up)
    [mail] = mailoutbox
    assert "192.0.2.1" in mail.body
    assert AccountMail.objects.get().facts == {}


def test_mail_that_was_sent_is_not_sent_again(chief: Client, marta: User, mailoutbox: Mailbox) -> None:
    account_mails.mail_change(Kind.PASSWORD_CHANGED, marta, "marta@example.org", FACTS)
    assert len(mailoutbox) == 1
    assert "We will resend 0 emails if they are" in send_once_more(chief, AccountMail.objects.get())
    assert len(mailoutbox) == 1


def test_staff_without_the_right_cannot_see_them(given_up: AccountMail) -> None:
    desk = client_of(User.objects.create_user("vera", is_staff=True))
    assert desk.get(LIST).status_code == 403
    send_once_more(desk, given_up)
    assert AccountMail.objects.get().state == State.GIVEN_UP
