"""Codes by email log in whoever reads the mail, and tell nobody else anything."""

import json
import logging
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import Traveller

from accounts.mail import account_mails, login_codes
from accounts.mail.account_delivery import deliver_account_mail
from accounts.models import AccountMail, User
from accounts.web.membership import login_by_code
from tests.accounts.conftest import Mailbox
from tests.notifications.mail_sink import Sink, away, serving, use_server
from tests.support import wording
from tests.support.members import CODE, CONFIRM, ask_for_code, code_in, create_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answering_server")]

KNOWN, UNKNOWN = "marta@example.org", "merta@example.org"
HOME, CAFE = "192.0.2.1", "192.0.2.2"
DELAYED = wording.MAIL_IS_DELAYED


@pytest.fixture(autouse=True)
def marta(db: None) -> User:
    cache.clear()
    return create_member("marta", KNOWN)


@pytest.fixture
def clock(time_machine: Traveller) -> Traveller:
    time_machine.move_to(timezone.now(), tick=False)
    return time_machine


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def enter(client: Client, code: str) -> Any:
    return client.post(CONFIRM, {"code": code})


def shown(answer: Any) -> str:
    return re.sub(r"\b[A-Za-z0-9]{64}\b", "", answer.content.decode())


# -- Logging in ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [str, str.lower, lambda code: f" {code.replace('-', ' ')} "])
def test_code_logs_in_however_it_is_written(write: Any, mailoutbox: Mailbox) -> None:
    browser = Client()
    ask_for_code(browser, "Marta@Example.org")
    enter(browser, write(code_in(mailoutbox[0])))
    assert is_in(browser)


def test_code_leads_to_the_page_that_wanted_a_login(mailoutbox: Mailbox) -> None:
    browser = Client()
    assert f'href="{CODE}?next=%2Fsettings%2F"' in shown(browser.get("/accounts/login/?next=/settings/"))
    asked = browser.post(CODE, {"email": KNOWN, "next": "/settings/"})
    assert asked.headers["Location"] == f"{CONFIRM}?next=%2Fsettings%2F"
    answer = browser.post(CONFIRM, {"code": code_in(mailoutbox[0]), "next": "/settings/"})
    assert answer.headers["Location"] == "/settings/"


def test_code_logs_in_once(mailoutbox: Mailbox) -> None:
    browser = Client()
    ask_for_code(browser, KNOWN)
    enter(browser, code_in(mailoutbox[0]))
    browser.post("/accounts/logout/")
    answer = enter(browser, code_in(mailoutbox[0]))
    assert answer.headers["Location"] == CODE
    assert not is_in(browser)


def test_code_logs_in_no_other_browser(mailoutbox: Mailbox) -> None:
    asking, other = Client(), Client()
    ask_for_code(other, KNOWN)
    ask_for_code(asking, KNOWN)
    enter(other, code_in(mailoutbox[1]))
    assert not is_in(other)
    enter(asking, code_in(mailoutbox[1]))
    assert is_in(asking)


def test_stranger_who_asks_for_a_code_ends_none_of_others(mailoutbox: Mailbox) -> None:
    browser = Client()
    ask_for_code(browser, KNOWN, HOME)
    ask_for_code(Client(), KNOWN, CAFE)
    enter(browser, code_in(mailoutbox[0]))
    assert is_in(browser)


def test_code_does_not_replace_the_second_factor(marta: User, mailoutbox: Mailbox) -> None:
    Authenticator.objects.create(user=marta, type=Authenticator.Type.TOTP, data={"secret": "x" * 32})
    browser = Client()
    ask_for_code(browser, KNOWN)
    answer = enter(browser, code_in(mailoutbox[0]))
    assert answer.headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert not is_in(browser)


def test_guest_logs_in_with_a_code(mailoutbox: Mailbox) -> None:
    browser = Client()
    browser.force_login(User.objects.create(username="guest-1", is_guest=True))
    assert browser.get(CODE).status_code == 200
    ask_for_code(browser, KNOWN)
    enter(browser, code_in(mailoutbox[0]))
    assert User.objects.get(pk=browser.session["_auth_user_id"]).username == "marta"


def test_admin_wants_a_password_after_a_code(mailoutbox: Mailbox) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    browser = Client()
    ask_for_code(browser, KNOWN)
    enter(browser, code_in(mailoutbox[0]))
    assert browser.get("/admin/accounts/user/").headers["Location"].startswith("/accounts/reauthenticate/")


# -- Limits -------------------------------------------------------------------------------------------------


def test_code_has_three_guesses(mailoutbox: Mailbox) -> None:
    browser = Client()
    ask_for_code(browser, KNOWN)
    for _ in range(3):
        assert "This code is wrong" in shown(enter(browser, "WRNG-WRNG"))
    assert "too many wrong codes" in shown(enter(browser, code_in(mailoutbox[0])))
    assert not is_in(browser)


def test_code_without_a_limit_would_be_noticed(mailoutbox: Mailbox, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_code": None}
    with pytest.raises(AssertionError):
        test_code_has_three_guesses(mailoutbox)


@pytest.mark.parametrize(("seconds", "good"), [(15 * 60, True), (15 * 60 + 1, False)])
def test_code_ends_after_a_quarter_of_an_hour(
    seconds: int, good: bool, clock: Traveller, mailoutbox: Mailbox
) -> None:
    browser = Client()
    ask_for_code(browser, KNOWN)
    code = code_in(mailoutbox[0])
    clock.shift(seconds)
    enter(browser, code)
    assert is_in(browser) == good


def test_code_that_has_ended_is_not_sent(clock: Traveller, mailoutbox: Mailbox) -> None:
    ask_for_code(Client(), KNOWN)
    clock.shift(15 * 60 + 1)
    assert mailoutbox == []
    assert AccountMail.objects.get().outcome == "too old"


def test_code_is_refused_when_the_address_is_removed(mailoutbox: Mailbox) -> None:
    browser = Client()
    ask_for_code(browser, KNOWN)
    code = code_in(mailoutbox[0])
    EmailAddress.objects.all().delete()
    assert "This code is wrong" in shown(enter(browser, code))


def test_unconfirmed_address_gets_no_code(mailoutbox: Mailbox) -> None:
    EmailAddress.objects.update(verified=False)
    assert ask_for_code(Client(), KNOWN).headers["Location"] == CONFIRM
    assert mailoutbox == []
    assert not AccountMail.objects.exists()


def test_address_that_databases_take_for_the_same_gets_no_code_of_another(mailoutbox: Mailbox) -> None:
    create_member("merte", "mar\u0131a@example.org")
    create_member("maria", "maria@example.org")
    ask_for_code(Client(), "mar\u0131a@example.org")
    assert all("log in as maria" not in message.body for message in mailoutbox)


# -- What is stored -----------------------------------------------------------------------------------------


def codes_are_stored_nowhere(mailoutbox: Mailbox, caplog: pytest.LogCaptureFixture) -> None:
    browser = Client()
    with caplog.at_level(logging.DEBUG):
        ask_for_code(browser, KNOWN)
        stored = [list(AccountMail.objects.values())]
        code = code_in(mailoutbox[0])
        stored.append(list(AccountMail.objects.values()))
    stored.append([session.get_decoded() for session in Session.objects.all()])
    stored.append([record.getMessage() for record in caplog.records if record.name != "django.db.backends"])
    text = json.dumps(stored, default=str)
    assert KNOWN in text
    assert not re.search(code.replace("-", "-?"), text, re.IGNORECASE)


def test_no_row_no_session_and_no_log_line_holds_a_code(
    mailoutbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    codes_are_stored_nowhere(mailoutbox, caplog)


def test_stored_code_would_be_noticed(
    mailoutbox: Mailbox, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: the code itself waits in the row and in the session."""
    monkeypatch.setattr(login_codes, "new_nonce", lambda: "BCDF-GHJK")
    monkeypatch.setattr(login_codes, "make_code", lambda address, nonce: nonce)
    with pytest.raises(AssertionError):
        codes_are_stored_nowhere(mailoutbox, caplog)


def test_row_keeps_nothing_of_a_code_that_was_sent(mailoutbox: Mailbox) -> None:
    ask_for_code(Client(), KNOWN)
    assert len(mailoutbox) == 1
    row = AccountMail.objects.get()
    assert (row.state, row.kind, row.facts) == ("sent", AccountMail.Kind.LOGIN_CODE, {})


def test_code_of_another_key_is_another(settings: Any) -> None:
    code = login_codes.make_code(KNOWN, "nonce")
    settings.SECRET_KEY = "another secret key"
    assert login_codes.make_code(KNOWN, "nonce") != code


# -- Known and unknown addresses ----------------------------------------------------------------------------


def test_code_is_promised_to_any_address(mailoutbox: Mailbox) -> None:
    known, unknown = Client(), Client()
    first, second = ask_for_code(known, KNOWN), ask_for_code(unknown, UNKNOWN, HOME)
    assert (first.status_code, first.headers["Location"]) == (second.status_code, second.headers["Location"])
    assert shown(known.get(CONFIRM)) == shown(unknown.get(CONFIRM))
    assert shown(enter(known, "WRNG-WRNG")) == shown(enter(unknown, "WRNG-WRNG"))
    assert [message.to for message in mailoutbox] == [[KNOWN]]


def work_for(address: str) -> list[str]:
    """The statements by which a code is asked for and a wrong one is refused, without their values."""
    browser = Client()
    with CaptureQueriesContext(connection) as queries:
        ask_for_code(browser, address)
        enter(browser, "WRNG-WRNG")
    return [re.sub(r"'[^']*'|\w*\d\w*", "?", query["sql"]) for query in queries]


def test_same_work_is_done_for_known_and_unknown_addresses() -> None:
    work_for("first@example.org")  # the first request writes rows of rate limits that the others change
    assert work_for(KNOWN) == work_for(UNKNOWN)


def test_work_for_known_addresses_alone_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: the page looks the address up, and writes the mail for a member alone."""
    request_code = account_mails.request_login_code

    def request_for_members(address: str, nonce: str) -> AccountMail:
        row = request_code(address, nonce)
        if found := login_codes.find_address(address):
            AccountMail.objects.filter(pk=row.pk).update(user=found.user)
        return row

    monkeypatch.setattr(login_by_code.account_mails, "request_login_code", request_for_members)
    with pytest.raises(AssertionError):
        test_same_work_is_done_for_known_and_unknown_addresses()


def test_waiting_tells_nothing_about_an_address(settings: Any, clock: Traveller) -> None:
    """While the server is away, when it refuses the mail, and afterwards."""
    people = [Client(), Client()]
    for client, address in zip(people, (KNOWN, UNKNOWN), strict=True):
        ask_for_code(client, address)
    with away(settings, "is stopped"):
        for _ in range(3):
            deliver_account_mail(5)
            clock.shift(61)
            known, unknown = (shown(client.get(CONFIRM)) for client in people)
            assert known == unknown
            assert DELAYED in known
    sink = Sink()
    sink.to_recipient = lambda address: "451 come back later"
    with serving(sink) as port:
        use_server(settings, port)
        deliver_account_mail(5)
        clock.shift(30)
        known, unknown = (shown(client.get(CONFIRM)) for client in people)
    assert known == unknown
    assert DELAYED not in known
