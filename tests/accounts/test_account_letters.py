"""Account mails: what rows hold, which mails are still wanted, and links that are made when they are sent."""

import ast
import json
import logging
import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import allauth
import pytest
from allauth.account.models import EmailAddress
from django.core import checks
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from time_machine import Traveller

from accounts.api_access import api_tokens
from accounts.mail import account_mails, account_outbox
from accounts.mail.account_letters import CHANGES, compose
from accounts.membership.account_deletion import delete_account
from accounts.models import AccountMail, User
from accounts.moderation import sanctions
from accounts.privacy.account_data import personal_data_zip
from accounts.privacy.cleanup import delete_expired
from tests.accounts.conftest import Mailbox
from tests.support import wording

pytestmark = pytest.mark.django_db

Kind, State = AccountMail.Kind, AccountMail.State
KNOWN, UNKNOWN = "marta@mail.example", "nobody@mail.example"
PASSWORD, ANOTHER = "a long enough secret", "another long secret"

# What opens an account: addresses of pages with a key, and the keys themselves.
SECRET = re.compile(
    r"https?://|/key/|confirm-email/|[A-Za-z0-9_-]{6,}:[A-Za-z0-9_-]{6,}|\b[a-z0-9]{6}-[0-9a-f]{32}\b"
)


@pytest.fixture
def marta() -> User:
    return member("marta", KNOWN)


def member(name: str, address: str, *, verified: bool = True) -> User:
    user = User.objects.create_user(name, address, PASSWORD)
    EmailAddress.objects.create(user=user, email=address, primary=True, verified=verified)
    return user


@pytest.fixture
def clock(time_machine: Traveller) -> Traveller:
    time_machine.move_to(timezone.now(), tick=False)
    return time_machine


def ask(address: str = KNOWN) -> None:
    assert Client().post("/accounts/password/reset/", {"email": address}).status_code == 302


def sign_up(client: Client, name: str, email: str) -> Any:
    form = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}
    return client.post("/accounts/signup/", form)


def outcomes() -> list[tuple[str, str]]:
    return list(AccountMail.objects.order_by("pk").values_list("state", "outcome"))


# -- What a row holds ---------------------------------------------------------------------------------------


def use_everything(client: Client, marta: User) -> None:
    """Ask for links, and change an account in each way that is told by mail."""
    ask(KNOWN)
    ask(UNKNOWN)
    sign_up(Client(), "theo", "theo@mail.example")
    sign_up(Client(), "lena", KNOWN)
    client.force_login(marta)
    form = {"oldpassword": PASSWORD, "password1": ANOTHER, "password2": ANOTHER}
    client.post("/accounts/password/change/", form)
    client.post("/accounts/email/", {"action_add": "", "email": "new@mail.example"})
    sanctions.impose(marta, "warning", reason="Be kind.", by=None)
    client.post("/accounts/tokens/new/", {"name": "reader"})


def rows_hold_no_secret(client: Client, marta: User, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        use_everything(client, marta)
        waiting = json.dumps(list(AccountMail.objects.values()), default=str)
        assert AccountMail.objects.count() >= 6
        assert not SECRET.search(re.sub(r"\d\d:\d\d:\d\d\S*", "", waiting)), waiting
    from_accounts = [record.getMessage() for record in caplog.records if record.name.startswith("accounts")]
    assert not any(SECRET.search(line) for line in from_accounts)


def test_no_row_holds_what_opens_an_account(
    client: Client, marta: User, caplog: pytest.LogCaptureFixture
) -> None:
    rows_hold_no_secret(client, marta, caplog)


def test_row_that_holds_a_link_would_be_noticed(
    client: Client, marta: User, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: the page makes the link and leaves it with the row."""
    from allauth.account.models import EmailConfirmationHMAC

    write = account_mails._write

    def write_with_key(kind: Any, user: Any, address: str = "", facts: Any = None) -> AccountMail:
        row = write(kind, user, address, facts)
        if kind == Kind.CONFIRMATION:
            found = EmailAddress.objects.get(user=user, email=address)
            AccountMail.objects.filter(pk=row.pk).update(facts={"key": EmailConfirmationHMAC(found).key})
        return row

    monkeypatch.setattr(account_mails, "_write", write_with_key)
    with pytest.raises(AssertionError):
        rows_hold_no_secret(client, marta, caplog)


def test_facts_that_are_not_listed_are_refused(marta: User) -> None:
    with pytest.raises(ValueError, match="activate_url"):
        account_mails.mail_change(Kind.PASSWORD_SET, marta, KNOWN, {"activate_url": "x"})


def test_settled_row_keeps_no_facts(client: Client, marta: User, mailoutbox: Mailbox) -> None:
    client.force_login(marta)
    form = {"oldpassword": PASSWORD, "password1": ANOTHER, "password2": ANOTHER}
    client.post("/accounts/password/change/", form, headers={"user-agent": "Lynx"})
    [row] = AccountMail.objects.all()
    assert row.facts["user_agent"] == "Lynx"
    [mail] = mailoutbox
    assert "Lynx" in mail.body and "127.0.0.1" in mail.body
    row.refresh_from_db()
    assert (row.state, row.facts) == (State.SENT, {})


def test_every_mail_about_a_change_that_allauth_sends_has_a_kind() -> None:
    """Read from its source; what belongs to apps that are not installed does not count."""
    known = set(CHANGES.values())
    found = {
        argument.value
        for part in ("account", "mfa")
        for path in (Path(allauth.__file__).parent / part).rglob("*.py")
        if "tests" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "send_notification_mail"
        for argument in node.args
        if isinstance(argument, ast.Constant)
    }
    assert found and found <= known, found - known


@pytest.mark.parametrize("prefix", CHANGES.values())
def test_each_kind_of_change_has_a_text(prefix: str, marta: User, mailoutbox: Mailbox) -> None:
    kinds = {name: kind for kind, name in CHANGES.items()}
    facts = {"at": timezone.now().isoformat(), "ip": "192.0.2.1", "user_agent": "Lynx"}
    more = {"from_email": "a@mail.example", "to_email": "b@mail.example", "codes_left": 9}
    account_mails.mail_change(kinds[prefix], marta, KNOWN, {**facts, **more})
    [mail] = mailoutbox
    assert "192.0.2.1" in mail.body and "Lynx" in mail.body
    assert mail.body.rstrip().endswith("Acquire at localhost:8000")


def facts_of(kind: str, marta: User) -> dict[str, Any]:
    """The facts of a row of this kind, with what they refer to."""
    if kind in CHANGES:
        more = {
            "from_email": "a@mail.example",
            "to_email": "b@mail.example",
            "deleted_email": "c@mail.example",
        }
        seen = {"at": timezone.now().isoformat(), "ip": "192.0.2.1", "user_agent": "Lynx"}
        return {**seen, **more, "codes_left": 9}
    if kind == Kind.LOGIN_CODE:
        return {"nonce": "abc"}
    if kind == Kind.TOKEN_CREATED:
        return {"token": api_tokens.make_token(marta, "reader")[0].pk}
    if kind in BY_STAFF:
        return {"old_name": "martha", "reason": "You asked us to."}
    return {}


BY_STAFF = [Kind.RENAMED, Kind.FACTORS_REMOVED, Kind.ADDRESS_CONFIRMED]
SECURITY = [*CHANGES, Kind.TOKEN_CREATED, *BY_STAFF]


def mail_of(kind: str, marta: User) -> tuple[str, str]:
    """The text and the HTML of a mail of this kind."""
    with timezone.override("UTC"):
        address = KNOWN
        facts = facts_of(kind, marta)
        AccountMail.objects.all().delete()
        row = AccountMail(pk=1, kind=kind, user=marta, address=address, facts=facts, made=timezone.now())
        mail = compose(row)
    return str(mail.body), str(mail.alternatives[0][0])


@pytest.mark.parametrize("kind", SECURITY)
def test_security_mail_says_when_and_links_to_what_to_do(kind: str, marta: User) -> None:
    User.objects.update(time_zone="Europe/Berlin")
    marta.refresh_from_db()
    body, html = mail_of(kind, marta)
    now = timezone.now().astimezone(marta.tzinfo)
    assert f"This happened on {now.day} {now:%B %Y, %H:}" in body
    assert "(Europe/Berlin)" in body
    [link] = set(re.findall(r"https?://\S+", body))
    assert f'href="{link}"' in html
    answer = Client().get(urlsplit(link).path)
    assert answer.status_code == 200 or answer.headers["Location"].startswith("/accounts/login/")
    assert re.search("this was not you|someone else asked for this", body)


@pytest.mark.parametrize("is_guest", [False, True])
def test_page_for_changes_by_others_says_what_to_do(client: Client, is_guest: bool) -> None:
    if is_guest:
        client.force_login(User.objects.create(username="Guest-2345", is_guest=True))
    shown = client.get("/accounts/not-you/").content.decode()
    for path in ("password/reset/", "email/", "2fa/", "tokens/", "sessions/"):
        assert f'href="/accounts/{path}"' in shown
        assert Client().get(f"/accounts/{path}").status_code in (200, 302)
    assert 'href="/contact/"' in shown
    # The other pages ask a guest to sign up.
    assert 'href="/accounts/login/"' in shown
    assert client.get("/accounts/login/").status_code == 200


@pytest.mark.parametrize("kind", [*SECURITY, Kind.PASSWORD_RESET, Kind.LOGIN_CODE])
def test_html_of_a_mail_says_what_its_text_says(kind: str, marta: User) -> None:
    body, html = mail_of(kind, marta)
    seen = " ".join(unescape(strip_tags(html[html.index("<body") :])).split())
    for line in body.splitlines():
        if line != "-- ":
            assert " ".join(re.sub(r"https?://\S+", "", line).split()) in seen, line
    assert set(re.findall(r"https?://\S+", body)) == set(re.findall(r'href="(http[^"]+)"', html))
    assert "<img" not in html and "bgcolor" in html


def test_html_of_a_reason_is_escaped(marta: User, mailoutbox: Mailbox) -> None:
    sanctions.impose(marta, "warning", reason="Be <b>kind</b>.\n-- \nOr leave.", by=None)
    html = str(mailoutbox[0].alternatives[0][0])
    assert "Be &lt;b&gt;kind&lt;/b&gt;" in html
    assert "Or leave." in html
    assert "See your account status" in html


@pytest.mark.parametrize(
    "name",
    ["LOGIN_BY_CODE_ENABLED", "EMAIL_VERIFICATION_BY_CODE_ENABLED", "PASSWORD_RESET_BY_CODE_ENABLED"],
)
def test_settings_that_send_codes_are_refused(name: str, settings: Any) -> None:
    assert "accounts.E001" not in {message.id for message in checks.run_checks()}
    setattr(settings, f"ACCOUNT_{name}", True)
    assert "accounts.E001" in {message.id for message in checks.run_checks()}


# -- What is still wanted -----------------------------------------------------------------------------------


def test_link_asked_for_twice_is_sent_once(marta: User, mailoutbox: Mailbox, clock: Traveller) -> None:
    began = timezone.now()
    ask()
    clock.shift(60)
    ask()
    assert len(mailoutbox) == 1
    assert outcomes() == [(State.DROPPED, "asked for again since"), (State.SENT, "")]
    assert AccountMail.objects.get(state=State.SENT).first_due == began


def test_new_password_is_not_offered_to_whoever_has_logged_in_since(
    marta: User, mailoutbox: Mailbox, clock: Traveller
) -> None:
    ask()
    clock.shift(1)
    Client().post("/accounts/login/", {"login": "marta", "password": PASSWORD})
    assert mailoutbox == []
    assert outcomes() == [(State.DROPPED, "logged in since")]


@pytest.mark.parametrize("looked_up", [False, True])
def test_new_password_is_not_offered_to_whoever_has_one_since(
    looked_up: bool, marta: User, mailoutbox: Mailbox, client: Client
) -> None:
    client.force_login(marta)
    if looked_up:
        account_mails._write(Kind.PASSWORD_RESET, marta, KNOWN)
    else:
        ask()
    form = {"oldpassword": PASSWORD, "password1": ANOTHER, "password2": ANOTHER}
    client.post("/accounts/password/change/", form)
    assert [mail.subject for mail in mailoutbox] == ["Your Acquire password has changed"]


@pytest.mark.parametrize(("days", "sent"), [(0.9, 1), (1.1, 0)])
def test_new_password_is_offered_for_a_day(
    days: float, sent: int, marta: User, mailoutbox: Mailbox, clock: Traveller
) -> None:
    ask()
    clock.shift(timedelta(days=days))
    assert len(mailoutbox) == sent


def test_link_is_not_sent_to_an_address_confirmed_or_removed_since(mailoutbox: Mailbox) -> None:
    for name in ("marta", "theo"):
        user = member(name, f"{name}@mail.example", verified=False)
        account_mails.mail_confirmation(EmailAddress.objects.get(user=user))
    EmailAddress.objects.filter(user__username="marta").update(verified=True)
    EmailAddress.objects.filter(user__username="theo").delete()
    assert mailoutbox == []
    assert {state for state, _ in outcomes()} == {State.DROPPED}


def test_deleted_account_gets_no_mail_and_leaves_no_row(marta: User, mailoutbox: Mailbox) -> None:
    ask("Marta@Mail.example")
    account_mails.mail_renamed(marta, "martha", "Nicer.")
    delete_account(marta)
    assert not AccountMail.objects.exists()
    assert mailoutbox == []


def test_closed_account_gets_no_mail(marta: User, mailoutbox: Mailbox) -> None:
    account_mails.mail_renamed(marta, "martha", "Nicer.")
    User.objects.update(is_active=False)
    assert mailoutbox == []
    assert outcomes() == [(State.DROPPED, "the account is closed")]


def test_sanction_lifted_before_its_mail_is_told_as_lifted_alone(marta: User, mailoutbox: Mailbox) -> None:
    sanctions.impose(marta, "mute", reason="Too loud.", by=None)
    sanctions.lift(marta, "mute", reason="You were provoked.", by=None)
    assert [mail.subject for mail in mailoutbox] == [wording.ACCOUNT_STATUS_CHANGED]


def test_request_for_an_unknown_address_leaves_no_row(mailoutbox: Mailbox) -> None:
    ask(UNKNOWN)
    assert mailoutbox == []
    assert not AccountMail.objects.exists()


def test_address_is_found_however_it_is_written(marta: User, mailoutbox: Mailbox) -> None:
    ask("Marta@MAIL.example")
    assert [mail.to for mail in mailoutbox] == [[KNOWN]]


# -- What is kept -------------------------------------------------------------------------------------------


def test_settled_rows_are_deleted_after_thirty_days(
    marta: User, mailoutbox: Mailbox, clock: Traveller
) -> None:
    ask()
    assert len(mailoutbox) == 1
    clock.shift(timedelta(days=29))
    delete_expired(timezone.now())
    assert AccountMail.objects.exists()
    clock.shift(timedelta(days=2))
    assert delete_expired(timezone.now())["settled account mails"] == 1


def test_member_reads_of_their_mails_in_their_data(marta: User) -> None:
    account_mails.mail_renamed(marta, "martha", "Nicer.")
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(personal_data_zip(marta))) as packed:
        account = json.loads(packed.read("account.json"))
    assert [mail["kind"] for mail in account["account_mails"]] == ["renamed"]


def test_health_counts_what_waits_and_since_when(marta: User, clock: Traveller) -> None:
    assert account_outbox.account_mail_health(timezone.now()).waiting == 0
    began = timezone.now()
    account_mails.mail_renamed(marta, "martha", "Nicer.")
    for _ in range(3):
        row = account_outbox.claim_account_mail()
        assert row
        account_outbox.postpone(row, "the server does not answer")
        clock.shift(60)
    measured = account_outbox.account_mail_health(timezone.now())
    assert (measured.waiting, measured.oldest_due) == (1, began)
    assert measured.age_seconds(timezone.now()) == 180


def test_age_without_a_first_due_time_would_be_noticed(
    marta: User, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: putting a row off makes it young again."""
    postpone = account_outbox.postpone

    def forget(row: AccountMail, why: str) -> None:
        postpone(row, why)
        AccountMail.objects.update(first_due=None)

    monkeypatch.setattr(account_outbox, "postpone", forget)
    with pytest.raises(AssertionError):
        test_health_counts_what_waits_and_since_when(marta, clock)


def test_links_lead_to_the_site_whatever_host_was_asked(
    marta: User, mailoutbox: Mailbox, settings: Any
) -> None:
    settings.ALLOWED_HOSTS, settings.SITE_URL = ["*"], "https://acquire.example"
    Client().post("/accounts/password/reset/", {"email": KNOWN}, headers={"host": "evil.example"})
    [mail] = mailoutbox
    assert "https://acquire.example/accounts/password/reset/key/" in mail.body
    assert "evil" not in mail.body
