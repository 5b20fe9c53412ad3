"""Account mails go through a real mail server, whatever it answers, and wait until it takes them."""

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from time_machine import Traveller

from accounts.mail import account_delivery, account_outbox, address_requests, mail_server, outbox
from accounts.mail.account_delivery import deliver_account_mail
from accounts.mail.account_mails import request_password_reset
from accounts.mail.account_outbox import account_mail_health
from accounts.models import AccountMail, User
from games import sweeper
from games.realtime import worker_queue
from tests.notifications.mail_sink import Sink, away, serving, use_server
from tests.support.members import CONFIRM, ask_for_code

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answering_server")]

Kind, State = AccountMail.Kind, AccountMail.State
KNOWN, UNKNOWN = "marta@mail.example", "nobody@mail.example"
PASSWORD = "a long enough secret"


@pytest.fixture(autouse=True)
def marta() -> User:
    user = User.objects.create_user("marta", KNOWN, PASSWORD)
    EmailAddress.objects.create(user=user, email=KNOWN, primary=True, verified=True)
    return user


@pytest.fixture
def sink(settings: Any) -> Iterator[Sink]:
    """A mail server that takes everything until it is told otherwise."""
    server = Sink()
    with serving(server) as port:
        use_server(settings, port)
        yield server


@pytest.fixture
def clock(time_machine: Traveller) -> Traveller:
    time_machine.move_to(timezone.now(), tick=False)
    return time_machine


def ask(address: str = KNOWN) -> Any:
    return Client().post("/accounts/password/reset/", {"email": address})


def states() -> list[tuple[str, str, int]]:
    return list(AccountMail.objects.order_by("pk").values_list("kind", "state", "attempts"))


def link(mail: Any) -> str:
    found = re.search(r"http://localhost:8000(\S+)", mail.get_body(("plain",)).get_content())
    assert found
    return found[1]


def code(mail: Any) -> str:
    found = re.search(r"^[A-Z]{4}-[A-Z]{4}(?=\r?$)", mail.get_body(("plain",)).get_content(), re.MULTILINE)
    assert found
    return found[0]


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """The lines of the site's log; the mail server of the test logs what it gets, in the same process."""
    records = [record for record in caplog.records if not record.name.startswith("mail.")]
    return "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in records)


def pass_time(clock: Traveller) -> None:
    """Let the time pass until what waits is due, and the server may be tried again."""
    due = account_outbox.waiting().order_by("due").values_list("due", flat=True).first()
    assert due is not None
    clock.move_to(max(due, timezone.now() + timedelta(seconds=61)), tick=False)


# -- A server that does its work -------------------------------------------------------------------------


def test_mail_arrives_once_with_a_link_that_works(sink: Sink, client: Client) -> None:
    ask()
    assert deliver_account_mail(10) == 1
    assert deliver_account_mail(10) == 0
    [mail] = sink.mails
    assert (mail["To"], mail["Subject"]) == (KNOWN, "Reset your Acquire password")
    assert mail["Auto-Submitted"] == "auto-generated"
    assert client.get(link(mail)).headers["Location"].endswith("-set-password/")
    assert states() == [(Kind.PASSWORD_RESET, State.SENT, 1)]


def test_many_mails_go_over_one_connection(sink: Sink) -> None:
    for number in range(4):
        user = User.objects.create_user(f"player{number}")
        address = f"{number}@mail.example"
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
        ask(address)
    assert deliver_account_mail(30) == 4
    assert sink.connections == 1


def test_page_sends_nothing_itself_where_there_is_a_mail_server(
    sink: Sink, settings: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    settings.SEND_MAIL_IN_BACKGROUND = True
    asked: list[int] = []

    def request_delivery() -> bool:
        asked.append(1)
        return True

    monkeypatch.setattr(worker_queue, "request_delivery", request_delivery)
    with django_capture_on_commit_callbacks(execute=True):
        assert ask().status_code == 302
    assert (sink.connections, asked) == (0, [1])


def test_sweeper_sends_what_no_worker_was_asked_for(sink: Sink) -> None:
    ask()
    sweeper.sweep()
    assert [mail["To"] for mail in sink.mails] == [KNOWN]


def test_sweeper_with_nothing_due_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def request_delivery() -> bool:
        raise AssertionError("nothing is due")

    monkeypatch.setattr(worker_queue, "request_delivery", request_delivery)
    sweeper.sweep()


# -- A server that is away --------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["is stopped", "hangs"])
def test_server_that_is_away_costs_no_attempt_and_is_left_alone(how: str, settings: Any) -> None:
    ask()
    with away(settings, how):
        assert deliver_account_mail(10) == 0
        assert mail_server.is_left_alone()
    assert states() == [(Kind.RESET_REQUEST, State.WAITING, 0)]
    assert mail_server.away_since(timezone.now()) is not None


def test_mail_outlives_an_outage_of_hours(settings: Any, clock: Traveller, client: Client) -> None:
    began = timezone.now()
    ask()
    with away(settings, "is stopped"):
        for _ in range(20):
            assert deliver_account_mail(5) == 0
            clock.shift(3600)
    assert account_mail_health(timezone.now()).oldest_due == began
    sink = Sink()
    with serving(sink) as port:
        use_server(settings, port)
        assert deliver_account_mail(5) == 1
    assert mail_server.away_since(timezone.now()) is None
    # The link is as old as the mail, not as the request.
    clock.shift(settings.PASSWORD_RESET_TIMEOUT - 60)
    assert client.get(link(sink.mails[0])).headers["Location"].endswith("-set-password/")


@pytest.mark.parametrize("later_by", [0.001, 30])
def test_only_the_newest_link_is_sent_after_an_outage(
    later_by: float, settings: Any, clock: Traveller, client: Client
) -> None:
    """In two browsers, also within one second; the first request is put off, so the newer goes first."""
    ask()
    with away(settings, "is stopped"):
        deliver_account_mail(5)
    clock.shift(later_by)
    ask()
    sink = Sink()
    with serving(sink) as port:
        use_server(settings, port)
        for _ in range(3):
            cache.clear()
            deliver_account_mail(5)
            clock.shift(61)
    [mail] = sink.mails
    assert client.get(link(mail)).headers["Location"].endswith("-set-password/")


def test_link_is_not_sent_while_a_newer_request_is_put_off(settings: Any, clock: Traveller) -> None:
    ask()
    clock.shift(1)
    ask()
    newest = AccountMail.objects.latest("made")
    AccountMail.objects.filter(pk=newest.pk).update(due=timezone.now() + timedelta(minutes=1))
    sink = Sink()
    with serving(sink) as port:
        use_server(settings, port)
        assert deliver_account_mail(5) == 0
        clock.shift(61)
        assert deliver_account_mail(5) == 1


def test_only_the_newest_code_of_a_browser_is_sent_after_an_outage(
    settings: Any, clock: Traveller, client: Client
) -> None:
    """Two processes serve the requests, within one second. Another browser gets its own code."""
    other = Client()
    ask_for_code(other, KNOWN)
    ask_for_code(client, KNOWN)
    with away(settings, "is stopped"):
        deliver_account_mail(5)
    clock.shift(0.2)
    second_process = Client()
    second_process.cookies = client.cookies
    ask_for_code(second_process, KNOWN)
    sink = Sink()
    with serving(sink) as port:
        use_server(settings, port)
        for _ in range(3):
            cache.clear()
            deliver_account_mail(5)
            clock.shift(61)
    assert len(sink.mails) == 2
    for browser in (other, client):
        for mail in sink.mails:
            browser.post(CONFIRM, {"code": code(mail)})
        assert "_auth_user_id" in browser.session


def test_known_and_unknown_addresses_wait_alike(settings: Any, clock: Traveller) -> None:
    ask(KNOWN)
    ask(UNKNOWN)
    with away(settings, "is stopped"):
        for _ in range(4):
            deliver_account_mail(5)
            clock.shift(61)
    known, unknown = AccountMail.objects.order_by("pk").values("kind", "state", "attempts", "facts", "user")
    assert known == unknown


def test_requests_are_answered_alike_once_the_server_is_there(sink: Sink, monkeypatch: Any) -> None:
    """Also when it then refuses the mail."""
    sink.to_recipient = lambda address: "451 come back later"
    requests = [request_password_reset(address).pk for address in (KNOWN, UNKNOWN)]
    deliver_account_mail(10)
    assert not AccountMail.objects.filter(pk__in=requests).exists()


@pytest.mark.parametrize(("answer", "attempts"), [("421 closing for the night", 0), ("hangs", 1)])
def test_server_that_breaks_off_in_a_mail_tells_nothing(
    answer: str, attempts: int, sink: Sink, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left alone for it, the next request would wait: only a mail to a known address can break off."""
    settings.EMAIL_TIMEOUT = 0.5
    if answer == "hangs":
        monkeypatch.setattr(sink, "handle_RCPT", _never_answer)
    else:
        sink.to_recipient = lambda address: answer
    ask()
    assert deliver_account_mail(10) == 0
    assert states() == [(Kind.PASSWORD_RESET, State.WAITING, attempts)]
    assert not mail_server.is_left_alone()
    assert mail_server.away_since(timezone.now()) is not None
    later = request_password_reset(UNKNOWN)
    deliver_account_mail(10)
    assert not AccountMail.objects.filter(pk=later.pk).exists()


async def _never_answer(*_: Any) -> str:
    import asyncio

    await asyncio.sleep(2)
    return "250 OK"


def test_request_that_is_looked_up_too_early_would_be_noticed(
    settings: Any, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: the address is looked up before the server has answered."""
    claim = account_outbox.claim_account_mail

    def claim_and_look_up() -> AccountMail | None:
        row = claim()
        if row is not None and row.kind == Kind.RESET_REQUEST:
            address_requests.answer_request(row)
        return row

    monkeypatch.setattr(account_delivery.account_outbox, "claim_account_mail", claim_and_look_up)
    with pytest.raises((AssertionError, ValueError)):
        test_known_and_unknown_addresses_wait_alike(settings, clock)


# -- A server that refuses --------------------------------------------------------------------------------


def test_passing_refusal_is_tried_again_under_the_same_name(sink: Sink, clock: Traveller) -> None:
    names: list[str] = []

    def put_off(mail: Any) -> str:
        names.append(str(mail["Message-ID"]))
        return "451 come back later"

    sink.to_mail = put_off
    ask()
    deliver_account_mail(10)
    assert states() == [(Kind.PASSWORD_RESET, State.WAITING, 1)]
    sink.to_mail = lambda mail: None
    pass_time(clock)
    assert deliver_account_mail(10) == 1
    assert sink.message_ids == names
    assert states() == [(Kind.PASSWORD_RESET, State.SENT, 2)]


def test_mail_refused_again_and_again_is_given_up_visibly(
    sink: Sink, clock: Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    sink.to_recipient = lambda address: f"451 4.7.1 <{address}>: come back later"
    ask()
    for _ in range(len(outbox.BACK_OFF)):
        deliver_account_mail(10)
        assert account_mail_health(timezone.now()).waiting == 1
        pass_time(clock)
    deliver_account_mail(10)
    assert states() == [(Kind.PASSWORD_RESET, State.GIVEN_UP, 5)]
    assert account_mail_health(timezone.now()).given_up == 1
    assert "Gave up account mail" in logged(caplog)
    assert KNOWN not in logged(caplog)


def test_lasting_refusal_is_not_tried_again(sink: Sink, marta: User) -> None:
    sink.to_recipient = lambda address: "550 5.1.1 no such mailbox here"
    ask()
    deliver_account_mail(10)
    [row] = AccountMail.objects.all()
    assert (row.state, row.outcome) == (State.DROPPED, "550 5.1.1")
    marta.refresh_from_db()
    assert marta.mail_stopped == "550 5.1.1 no such mailbox here"


def test_account_mail_waits_for_a_server_that_does_not_let_the_site_in(sink: Sink, marta: User) -> None:
    sink.to_recipient = lambda address: "554 5.7.1 Relay access denied"
    ask()
    deliver_account_mail(10)
    [row] = AccountMail.objects.all()
    assert (row.state, row.outcome) == (State.WAITING, "554 5.7.1")
    marta.refresh_from_db()
    assert marta.mail_stopped == ""


def test_one_refused_address_does_not_keep_others_from_their_mail(sink: Sink) -> None:
    theo = User.objects.create_user("theo")
    EmailAddress.objects.create(user=theo, email="theo@mail.example", primary=True, verified=True)
    sink.to_recipient = lambda address: "550 gone" if address == KNOWN else None
    ask()
    ask("theo@mail.example")
    assert deliver_account_mail(10) == 1
    assert [mail["To"] for mail in sink.mails] == ["theo@mail.example"]


def test_server_that_repeats_the_link_leaves_it_nowhere(sink: Sink, caplog: pytest.LogCaptureFixture) -> None:
    said: list[str] = []

    def refuse(mail: Any) -> str:
        said.append(link(mail))
        return f"554 5.7.1 looks like spam: http://localhost:8000{said[-1]}"

    sink.to_mail = refuse
    with caplog.at_level(logging.DEBUG):
        ask()
        deliver_account_mail(10)
    [row] = AccountMail.objects.all()
    assert (row.state, row.outcome) == (State.WAITING, "554 5.7.1")
    [key] = said
    assert key not in logged(caplog)
    assert key not in str(AccountMail.objects.values())


def test_words_of_the_server_in_a_row_would_be_noticed(
    sink: Sink, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: the row takes over what the server says."""
    monkeypatch.setattr(mail_server, "brief", mail_server.reason)
    with pytest.raises(AssertionError):
        test_server_that_repeats_the_link_leaves_it_nowhere(sink, caplog)


# -- A sender that dies -----------------------------------------------------------------------------------


def test_claim_that_comes_to_nothing_is_due_again_under_the_same_name(clock: Traveller) -> None:
    request_password_reset(KNOWN)
    first = account_outbox.claim_account_mail()
    assert account_outbox.claim_account_mail() is None
    clock.shift(outbox.CLAIM)
    second = account_outbox.claim_account_mail()
    assert first and second and first.message_id == second.message_id


def test_mail_that_kills_every_sender_is_given_up(clock: Traveller) -> None:
    request_password_reset(KNOWN)
    for _ in range(len(outbox.BACK_OFF) + 1):
        assert account_outbox.claim_account_mail()
        clock.shift(outbox.CLAIM)
    assert account_outbox.claim_account_mail() is None
    assert states() == [(Kind.RESET_REQUEST, State.GIVEN_UP, 5)]


def test_fault_in_a_text_is_tried_again(
    sink: Sink, monkeypatch: pytest.MonkeyPatch, clock: Traveller
) -> None:
    ask()
    with monkeypatch.context() as patch:
        patch.setattr(account_delivery, "compose", lambda row: 1 / 0)
        assert deliver_account_mail(10) == 0
    assert states() == [(Kind.PASSWORD_RESET, State.WAITING, 1)]
    pass_time(clock)
    assert deliver_account_mail(10) == 1


def test_cache_of_the_server_is_shared_with_notifications(settings: Any) -> None:
    from games.web.notifications import mail_delivery

    ask()
    with away(settings, "is stopped"):
        deliver_account_mail(5)
        assert cache.get(mail_server.LEFT_ALONE)
        assert mail_delivery.deliver_mail(5) == 0
