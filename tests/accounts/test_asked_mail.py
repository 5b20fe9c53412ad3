"""Pages say that a mail still waits and how to ask again, and nothing about who has an account."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import Traveller

from accounts.mail import mail_server
from accounts.mail.account_delivery import deliver_account_mail
from accounts.models import AccountMail, User
from tests.notifications.mail_sink import away
from tests.support import wording

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answering_server")]

KNOWN, UNKNOWN = "marta@mail.example", "merta@mail.example"
PASSWORD = "a long enough secret"
DONE = "/accounts/password/reset/done/"
DELAY = "/accounts/mail-delay/"
STOPS_ASKING = 286  # the status on which htmx stops polling
UNCHANGED = 204
DELAYED = wording.MAIL_IS_DELAYED


@pytest.fixture(autouse=True)
def marta() -> User:
    user = User.objects.create_user("marta", KNOWN, PASSWORD)
    EmailAddress.objects.create(user=user, email=KNOWN, primary=True, verified=True)
    return user


@pytest.fixture
def clock(time_machine: Traveller) -> Traveller:
    time_machine.move_to(timezone.now(), tick=False)
    return time_machine


def ask(address: str) -> Client:
    client = Client()
    assert client.post("/accounts/password/reset/", {"email": address}).headers["Location"] == DONE
    return client


def shown(client: Client, path: str = DONE) -> str:
    return re.sub(r'value="[^"]*"|X-CSRFToken": "[^"]*"', "", client.get(path).content.decode())


def test_page_says_at_once_that_the_server_is_away(settings: Any) -> None:
    with away(settings, "is stopped"):
        ask(UNKNOWN)
        deliver_account_mail(5)
        assert DELAYED in shown(ask(KNOWN))


def test_page_says_after_some_seconds_that_nobody_sends(clock: Traveller) -> None:
    client = ask(KNOWN)
    assert DELAYED not in shown(client)
    clock.shift(timedelta(seconds=21))
    assert DELAYED in shown(client)


def test_page_says_no_more_when_the_mail_is_sent(clock: Traveller) -> None:
    client = ask(KNOWN)
    clock.shift(timedelta(seconds=21))
    deliver_account_mail(5)
    assert DELAYED not in shown(client)


def test_page_asks_for_the_part_about_the_delay_until_the_mail_is_sent(clock: Traveller) -> None:
    client = ask(KNOWN)
    assert f'hx-get="{DELAY}"' in shown(client)
    assert client.get(DELAY).status_code == UNCHANGED
    clock.shift(21)
    assert f'hx-get="{DELAY}?shown=1"' in (notice := client.get(DELAY).content.decode())
    assert DELAYED in notice
    # Screen readers would read it again.
    assert client.get(f"{DELAY}?shown=1").status_code == UNCHANGED
    deliver_account_mail(5)
    assert client.get(f"{DELAY}?shown=1").status_code == STOPS_ASKING


def test_moment_at_which_a_mail_is_sent_is_not_told(clock: Traveller) -> None:
    """It could show whether another request, before it, had led to a mail."""
    client = ask(KNOWN)
    deliver_account_mail(5)
    assert client.get(DELAY).status_code == UNCHANGED
    clock.shift(21)
    assert client.get(DELAY).status_code == STOPS_ASKING


def test_part_about_the_delay_tells_nothing_about_an_address(settings: Any, clock: Traveller) -> None:
    # The first one finds expired rows of the cache.
    people = [ask("first@mail.example"), ask(KNOWN), ask(UNKNOWN)]

    def told() -> list[tuple[int, str, list[str]]]:
        found = []
        for client in people:
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(DELAY)
            sent = [re.sub(r"'[^']*'|\w*\d\w*", "?", query["sql"]) for query in queries]
            found.append((answer.status_code, answer.content.decode(), sent))
        return found[1:]

    with away(settings, "is stopped"):
        deliver_account_mail(5)
        clock.shift(61)
        known, unknown = told()
    assert known == unknown
    assert DELAYED in known[1]
    deliver_account_mail(5)
    clock.shift(61)
    deliver_account_mail(5)
    known, unknown = told()
    assert known == unknown


def test_page_says_how_to_ask_again() -> None:
    assert 'href="/accounts/password/reset/"' in shown(Client())


def test_page_of_a_visitor_who_asked_for_nothing_speaks_of_no_delay() -> None:
    mail_server.leave_alone(OSError("refused"))
    assert DELAYED not in shown(Client())


def test_waiting_tells_nothing_about_an_address(settings: Any, clock: Traveller) -> None:
    """While the server is away, when it refuses the mail, and afterwards."""
    from tests.notifications.mail_sink import Sink, serving, use_server

    people = [ask(KNOWN), ask(UNKNOWN)]
    with away(settings, "is stopped"):
        for _ in range(3):
            deliver_account_mail(5)
            clock.shift(61)
            known, unknown = (shown(client) for client in people)
            assert known == unknown
            assert DELAYED in known
    sink = Sink()
    sink.to_recipient = lambda address: "451 come back later"
    with serving(sink) as port:
        use_server(settings, port)
        deliver_account_mail(5)
        clock.shift(30)
        known, unknown = (shown(client) for client in people)
    assert known == unknown
    assert DELAYED not in known


def test_page_that_looks_at_the_mail_itself_would_be_noticed(
    settings: Any, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: the visitor waits for the letter to the account, which only a known address gets."""
    from accounts.web.membership import asked_mail

    def is_mail_delayed(request: Any) -> bool:
        return AccountMail.objects.filter(address=request.session["address"], state="waiting").exists()

    remember = asked_mail.remember_mail

    def remember_address(request: Any, mail: AccountMail) -> None:
        remember(request, mail)
        request.session["address"] = mail.address

    monkeypatch.setattr(asked_mail, "is_mail_delayed", is_mail_delayed)
    monkeypatch.setattr(asked_mail, "remember_mail", remember_address)
    with pytest.raises(AssertionError):
        test_waiting_tells_nothing_about_an_address(settings, clock)


def work_for(address: str) -> list[str]:
    """The statements by which a request for a new password is answered, without their values."""
    with CaptureQueriesContext(connection) as queries:
        ask(address)
    return [re.sub(r"'[^']*'|\w*\d\w*", "?", query["sql"]) for query in queries]


def test_same_work_is_done_for_known_and_unknown_addresses() -> None:
    ask("first@mail.example")  # the first request writes rows of rate limits that the others change
    assert work_for(KNOWN) == work_for(UNKNOWN)


def test_work_for_known_addresses_alone_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: allauth's own form, which looks the address up."""
    from allauth.account.forms import ResetPasswordForm as AllauthForm

    from accounts.web.membership.login_forms import ResetPasswordForm

    clean_email = AllauthForm.clean_email
    monkeypatch.setattr(ResetPasswordForm, "clean_email", clean_email)
    with pytest.raises(AssertionError):
        test_same_work_is_done_for_known_and_unknown_addresses()


def test_link_to_confirm_an_address_is_waited_for_too(settings: Any, clock: Traveller) -> None:
    settings.EMAIL_MUST_BE_CONFIRMED, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
    people = [Client(), Client()]
    for number, (visitor, address) in enumerate(zip(people, (KNOWN, UNKNOWN), strict=True)):
        form = {"username": f"theo{number}", "email": address, "consent": "on"}
        answer = visitor.post("/accounts/signup/", {**form, "password1": PASSWORD, "password2": PASSWORD})
        assert answer.headers["Location"] == "/accounts/confirm-email/"
    clock.shift(21)
    known, unknown = (
        shown(visitor, "/accounts/confirm-email/").replace(address, "ADDRESS")
        for visitor, address in zip(people, (KNOWN, UNKNOWN), strict=True)
    )
    assert known == unknown
    assert DELAYED in known
    deliver_account_mail(5)
    assert DELAYED not in shown(people[0], "/accounts/confirm-email/")


def test_member_reads_that_the_link_to_a_new_address_waits(client: Client, clock: Traveller) -> None:
    user = User.objects.create_user("theo", "theo@mail.example", PASSWORD)
    EmailAddress.objects.create(user=user, email="theo@mail.example", primary=True, verified=False)
    client.force_login(user)
    client.post("/accounts/email/", {"action_send": "", "email": "theo@mail.example"})
    clock.shift(21)
    assert DELAYED in shown(client, "/accounts/email/")
