"""Mail of accounts: who gets which, and what nobody can learn from it."""

import re
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from threading import Event
from threading import enumerate as enumerate_threads

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core.mail.backends import locmem

from accounts.models import User

PASSWORD = "a long enough secret"
KNOWN, UNKNOWN = "marta@example.org", "nobody@example.org"


@pytest.fixture
def marta(db):
    """A member with a confirmed address."""
    return member("marta", KNOWN)


def member(name, address, verified=True):
    user = User.objects.create_user(name, address, PASSWORD)
    EmailAddress.objects.create(user=user, email=address, verified=verified, primary=True)
    return user


@pytest.fixture
def must_be_confirmed(settings):
    settings.EMAIL_MUST_BE_CONFIRMED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]


def sign_up(client, name, email):
    form = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}
    return client.post("/accounts/signup/", form)


def link(message):
    return re.search(r"http://testserver(\S+)", message.body)[1]


def to(outbox):
    return [address for message in outbox for address in message.to]


def seen(answer):
    """What an answer tells: where it leads, and what it shows but for the token of its form."""
    body = re.sub(r"csrf\S+ value=\S+|X-CSRFToken\S+ \S+", "", answer.content.decode())
    return answer.status_code, answer.headers.get("Location"), body


def log_in(client, login="marta", password=PASSWORD):
    return client.post("/accounts/login/", {"login": login, "password": password})


# -- Confirming an address -------------------------------------------------------------------------


def test_where_addresses_must_be_confirmed_sign_up_ends_with_a_mail(
    client, db, must_be_confirmed, mailoutbox
):
    answer = sign_up(client, "marta", KNOWN)
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert "_auth_user_id" not in client.session
    assert to(mailoutbox) == [KNOWN]
    assert "log in" in client.get("/accounts/confirm-email/").content.decode()


def test_the_link_is_not_followed_by_reading_alone(client, db, must_be_confirmed, mailoutbox):
    sign_up(client, "marta", KNOWN)
    assert client.get(link(mailoutbox[0])).status_code == 200
    assert not EmailAddress.objects.get().verified


def test_the_link_logs_in_where_it_was_asked_for_and_nowhere_else(
    client, db, must_be_confirmed, mailoutbox, django_user_model
):
    from django.test import Client

    sign_up(client, "marta", KNOWN)
    elsewhere = Client()
    elsewhere.post(link(mailoutbox[0]))
    assert EmailAddress.objects.get().verified
    assert "_auth_user_id" not in elsewhere.session

    other = Client()
    sign_up(other, "theo", "theo@example.org")
    other.post(link(mailoutbox[1]))
    assert other.session["_auth_user_id"] == str(User.objects.get(username="theo").pk)


def test_before_that_logging_in_is_answered_with_another_mail_only(
    client, db, must_be_confirmed, mailoutbox, time_machine
):
    from django.test import Client
    from django.utils import timezone

    time_machine.move_to(timezone.now())
    sign_up(client, "marta", KNOWN)
    time_machine.shift(600)
    again = Client()
    assert log_in(again).headers["Location"] == "/accounts/confirm-email/"
    assert "_auth_user_id" not in again.session
    assert to(mailoutbox) == [KNOWN, KNOWN]


@pytest.mark.parametrize("fields", [{"consent": ""}, {"password2": "something else"}, {"username": "x"}])
def test_a_faulty_sign_up_sends_no_mail(client, db, mailoutbox, fields):
    form = {
        "username": "marta",
        "email": KNOWN,
        "password1": PASSWORD,
        "password2": PASSWORD,
        "consent": "on",
    }
    assert client.post("/accounts/signup/", {**form, **fields}).status_code == 200
    assert mailoutbox == []
    assert not User.objects.exists()


def test_consent_is_kept_with_its_time(client, db):
    sign_up(client, "marta", KNOWN)
    assert User.objects.get().terms_accepted


def test_a_workbench_says_where_its_mail_lies(client, db, settings):
    settings.MAIL_FOLDER = "data/mail"
    for page in ("/accounts/confirm-email/", "/accounts/password/reset/done/"):
        assert "data/mail" in client.get(page).content.decode()
    sign_up(client, "marta", KNOWN)
    assert "data/mail" in client.get("/accounts/email/").content.decode()


def test_a_site_that_sends_mail_speaks_of_no_folder(client, db, settings):
    settings.MAIL_FOLDER = ""
    assert "workbench" not in client.get("/accounts/confirm-email/").content.decode()


# -- No mail before that ---------------------------------------------------------------------------


def test_an_address_that_was_not_confirmed_gets_a_link_to_confirm_it_and_no_password(client, db, mailoutbox):
    member("marta", KNOWN, verified=False)
    client.post("/accounts/password/reset/", {"email": KNOWN})
    [message] = mailoutbox
    assert "confirm-email" in message.body
    assert "password/reset" not in message.body


def test_an_address_that_was_not_confirmed_is_told_of_no_change(client, db, mailoutbox):
    client.force_login(member("marta", KNOWN, verified=False))
    form = {"oldpassword": PASSWORD, "password1": "another long secret", "password2": "another long secret"}
    client.post("/accounts/password/change/", form)
    assert User.objects.get().check_password("another long secret")
    assert mailoutbox == []


def test_mail_goes_to_addresses_that_were_confirmed(db):
    assert member("marta", KNOWN).mail_address() == KNOWN
    assert member("theo", "theo@example.org", verified=False).mail_address() == ""
    assert User.objects.create_user("lena", "lena@example.org").mail_address() == ""


# -- Changes are told ------------------------------------------------------------------------------


def change_address(client, new):
    """Ask for another address as one does it in a browser: the password is asked for in between."""
    answer = client.post("/accounts/email/", {"action_add": "", "email": new})
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    return client.post(answer.headers["Location"], {"password": PASSWORD})


def test_a_new_address_counts_once_it_is_confirmed_and_both_are_told(client, marta, mailoutbox):
    client.force_login(marta)
    change_address(client, "new@example.org")
    assert to(mailoutbox) == ["new@example.org"]
    assert marta.mail_address() == KNOWN

    client.post(link(mailoutbox[0]))

    assert User.objects.get().mail_address() == User.objects.get().email == "new@example.org"
    told = mailoutbox[1:]
    assert sorted(to(told)) == [KNOWN, "new@example.org"]
    for message in told:
        assert KNOWN in message.body and "new@example.org" in message.body


def test_the_first_address_that_is_confirmed_is_no_change(client, db, mailoutbox):
    sign_up(client, "marta", KNOWN)
    client.post(link(mailoutbox[0]))
    assert len(mailoutbox) == 1


def test_an_address_mistyped_and_never_confirmed_is_not_told_of_the_next_one(client, db, mailoutbox):
    marta = member("marta", "wrong@example.org", verified=False)
    client.force_login(marta)
    change_address(client, KNOWN)
    client.post(link(mailoutbox[0]))
    assert to(mailoutbox) == [KNOWN]


def test_without_the_password_nobody_changes_the_address(client, marta, mailoutbox):
    client.force_login(marta)
    answer = client.post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    client.post(answer.headers["Location"], {"password": "a wrong secret"})
    assert mailoutbox == []
    assert EmailAddress.objects.count() == 1


def test_a_confirmed_address_gets_mail_again(client, marta, mailoutbox):
    marta.mail_stopped = "The address does not exist."
    marta.save()
    client.force_login(marta)
    change_address(client, "new@example.org")
    assert User.objects.get().mail_stopped
    client.post(link(mailoutbox[0]))
    assert User.objects.get().mail_stopped == ""


def test_a_changed_password_is_told(client, marta, mailoutbox):
    client.force_login(marta)
    form = {"oldpassword": PASSWORD, "password1": "another long secret", "password2": "another long secret"}
    client.post("/accounts/password/change/", form)
    assert to(mailoutbox) == [KNOWN]


# -- A new password --------------------------------------------------------------------------------


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(client, marta, mailoutbox):
    client.post("/accounts/password/reset/", {"email": KNOWN})
    address = link(mailoutbox[0])
    form_page = client.get(address)
    # The secret does not stay in the address bar.
    assert address not in form_page.headers["Location"]
    new = {"password1": "another long secret", "password2": "another long secret"}
    client.post(form_page.headers["Location"], new)
    assert User.objects.get().check_password("another long secret")
    assert "too old" in client.get(address).content.decode()
    assert to(mailoutbox) == [KNOWN, KNOWN]


# -- Nobody learns who has an account ------------------------------------------------------------------


@pytest.mark.parametrize("mandatory", [True, False])
def test_signing_up_tells_nothing_about_an_address(client, marta, mailoutbox, request, mandatory):
    from django.test import Client

    if mandatory:
        request.getfixturevalue("must_be_confirmed")
    first, second = Client(), Client()
    known, unknown = sign_up(first, "theo", KNOWN), sign_up(second, "lena", UNKNOWN)
    assert (known.status_code, known.headers["Location"]) == (
        unknown.status_code,
        unknown.headers["Location"],
    )
    pages = [
        browser.get(known.headers["Location"])
        .content.decode()
        .replace(name, "NAME")
        .replace(address, "ADDRESS")
        for browser, name, address in ((first, "theo", KNOWN), (second, "lena", UNKNOWN))
    ]
    assert strip(pages[0]) == strip(pages[1])
    assert sorted(to(mailoutbox)) == sorted([KNOWN, UNKNOWN])


def strip(page):
    return re.sub(r'value="[^"]*"|X-CSRFToken": "[^"]*"', "", page)


def test_a_guest_who_signs_up_learns_nothing_about_an_address(marta, must_be_confirmed, mailoutbox):
    from django.test import Client

    answers = []
    for number, address in enumerate((KNOWN, UNKNOWN)):
        browser = Client()
        browser.force_login(User.objects.create_user(f"Guest-222{number}", is_guest=True))
        answer = sign_up(browser, f"theo{number}", address)
        page = browser.get(answer.headers["Location"])
        answers.append((answer.status_code, answer.headers["Location"], strip(page.content.decode())))
        assert "_auth_user_id" not in browser.session
    assert answers[0][:2] == answers[1][:2]
    assert answers[0][2].replace(KNOWN, "") == answers[1][2].replace(UNKNOWN, "")


@pytest.mark.parametrize("mandatory", [True, False])
def test_a_known_address_is_told_that_somebody_wanted_to_sign_up_with_it(
    client, marta, mailoutbox, request, mandatory
):
    if mandatory:
        request.getfixturevalue("must_be_confirmed")
    sign_up(client, "theo", KNOWN)
    [message] = mailoutbox
    assert "already" in message.subject
    assert "confirm-email" not in message.body


@pytest.mark.parametrize("login", ["theo", "ADDRESS"])
def test_what_was_just_signed_up_with_tells_nothing_when_one_logs_in_with_it(
    marta, must_be_confirmed, mailoutbox, time_machine, login
):
    from django.test import Client
    from django.utils import timezone

    time_machine.move_to(timezone.now())
    marta.set_password("a secret of her own")
    marta.save()
    answers = []
    for name, address in (("theo", KNOWN), ("lena", UNKNOWN)):
        sign_up(Client(), name, address)
        time_machine.shift(600)
        browser = Client()
        answer = log_in(browser, name if login == "theo" else address)
        page = browser.get(answer.headers["Location"]).content.decode() if answer.status_code == 302 else ""
        said = strip(answer.content.decode() + page).replace(name, "NAME").replace(address, "ADDRESS")
        answers.append((answer.status_code, answer.headers.get("Location"), said))
        assert "_auth_user_id" not in browser.session
    assert answers[0] == answers[1]
    assert to(mailoutbox).count(KNOWN) == to(mailoutbox).count(UNKNOWN)


@pytest.mark.parametrize("address", [KNOWN, UNKNOWN])
def test_a_name_is_taken_by_a_sign_up_whosever_the_address_is(marta, must_be_confirmed, address):
    from django.test import Client

    sign_up(Client(), "theo", address)
    again = sign_up(Client(), "theo", "theo@example.org")
    assert "This name is taken." in again.content.decode()
    assert Client().get("/players/theo/").status_code == 404


def test_an_address_of_somebody_else_cannot_be_confirmed_by_any_link(
    client, marta, must_be_confirmed, mailoutbox
):
    sign_up(client, "theo", KNOWN)
    claimed = EmailAddress.objects.get(user__username="theo")
    client.post(f"/accounts/confirm-email/{EmailConfirmationHMAC(claimed).key}/")
    claimed.refresh_from_db()
    assert not claimed.verified
    assert "_auth_user_id" not in client.session


def test_the_owner_of_an_address_logs_in_by_it_whoever_else_claims_it(marta, must_be_confirmed):
    from django.test import Client

    sign_up(Client(), "theo", KNOWN)
    browser = Client()
    log_in(browser, KNOWN)
    assert browser.session["_auth_user_id"] == str(marta.pk)


def test_asking_for_a_new_password_tells_nothing_about_an_address(client, marta, mailoutbox):
    known = client.post("/accounts/password/reset/", {"email": KNOWN})
    unknown = client.post("/accounts/password/reset/", {"email": UNKNOWN})
    assert seen(known) == seen(unknown)
    assert to(mailoutbox) == [KNOWN]


def test_adding_an_address_tells_nothing_about_it(client, db, marta, mailoutbox):
    member("theo", "theo@example.org")
    answers = []
    for address in ("theo@example.org", UNKNOWN):
        client.force_login(marta)
        answer = change_address(client, address)
        client.logout()
        client.force_login(marta)
        page = client.get(answer.headers["Location"])
        answers.append((answer.status_code, strip(page.content.decode()).replace(address, "")))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("address", [KNOWN, UNKNOWN, "theo@example.org"])
def test_asking_for_the_link_again_tells_nothing_about_an_address(client, marta, mailoutbox, address):
    client.force_login(member("theo", "theo@example.org"))
    answer = client.post("/accounts/email/", {"action_send": "", "email": address})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/email/")
    page = client.get("/accounts/email/").content.decode()
    assert KNOWN not in page and UNKNOWN not in page


def test_a_wrong_password_tells_nothing_about_a_name_or_an_address(client, marta):
    faults = {
        str(log_in(client, login, "a wrong secret").context["form"].errors)
        for login in ("marta", "nobody", KNOWN, UNKNOWN)
    }
    assert len(faults) == 1


def test_mail_that_cannot_be_sent_tells_nothing_either(client, marta, monkeypatch, caplog):
    def refuse(self, messages):
        raise SMTPRecipientsRefused({KNOWN: (550, b"no such user")})

    monkeypatch.setattr(locmem.EmailBackend, "send_messages", refuse)
    known = client.post("/accounts/password/reset/", {"email": KNOWN})
    unknown = client.post("/accounts/password/reset/", {"email": UNKNOWN})
    assert seen(known) == seen(unknown)
    assert "could not be sent" in caplog.text
    assert KNOWN not in caplog.text


@pytest.fixture
def server(settings, monkeypatch):
    """A mail server that takes mail only when it is told to, and says how often it was asked."""
    settings.SEND_MAIL_IN_BACKGROUND = True
    monkeypatch.setattr("accounts.mail.background_mail.PAUSES", (0, 0.01, 0.01))
    return Server(monkeypatch)


class Server:
    def __init__(self, monkeypatch):
        self.opened, self.refusals, self.asked, self.took = Event(), 0, 0, []
        server = self

        def send_messages(self, messages):
            assert server.opened.wait(10)
            server.asked += 1
            if server.asked <= server.refusals:
                raise SMTPServerDisconnected("not now")
            server.took += messages
            return len(messages)

        monkeypatch.setattr(locmem.EmailBackend, "send_messages", send_messages)

    def done(self):
        self.opened.set()
        for thread in enumerate_threads():
            if thread.name == "mail":
                thread.join(10)


def test_a_page_does_not_wait_for_a_slow_mail_server(client, marta, server):
    known = client.post("/accounts/password/reset/", {"email": KNOWN})
    assert known.status_code == 302
    assert server.asked == 0
    server.done()
    assert to(server.took) == [KNOWN]


def test_a_mail_that_was_refused_is_tried_twice_more(client, marta, server):
    server.refusals = 2
    client.post("/accounts/password/reset/", {"email": KNOWN})
    server.done()
    assert to(server.took) == [KNOWN]


def test_a_mail_that_is_refused_for_good_is_given_up(client, marta, server, caplog):
    server.refusals = 9
    client.post("/accounts/password/reset/", {"email": KNOWN})
    server.done()
    assert (server.asked, server.took) == (3, [])
    assert "after 3 attempts" in caplog.text


# -- Not too much ----------------------------------------------------------------------------------


def test_an_address_is_not_flooded_with_links(client, marta, mailoutbox):
    answers = [client.post("/accounts/password/reset/", {"email": KNOWN}).status_code for _ in range(8)]
    assert answers == [302] * 5 + [429] * 3
    assert len(mailoutbox) == 5


def test_the_limit_is_the_same_for_addresses_that_are_unknown(client, db):
    answers = [client.post("/accounts/password/reset/", {"email": UNKNOWN}).status_code for _ in range(8)]
    assert answers == [302] * 5 + [429] * 3


def test_too_much_is_answered_with_a_page_and_a_time(client, marta):
    for _ in range(5):
        client.post("/accounts/password/reset/", {"email": KNOWN})
    answer = client.post("/accounts/password/reset/", {"email": KNOWN})
    assert answer.headers["Retry-After"] == "60"
    assert "Too much at once" in answer.content.decode()


def test_an_unconfirmed_address_gets_one_link_in_three_minutes(client, db, mailoutbox):
    client.force_login(member("marta", KNOWN, verified=False))
    for _ in range(4):
        client.post("/accounts/email/", {"action_send": "", "email": KNOWN})
    assert to(mailoutbox) == [KNOWN]


# -- Nowhere else ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "\\\\evil.example",
        "https:evil.example",
        "https://other.testserver/",
    ],
)
@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/", "/accounts/logout/"])
def test_no_page_of_accounts_leads_to_another_site(client, marta, settings, page, elsewhere):
    settings.ALLOWED_HOSTS = [".testserver"]
    if page.endswith("logout/"):
        client.force_login(marta)
    form = {"username": "theo", "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}
    form |= {"login": "marta", "password": PASSWORD, "next": elsewhere}
    assert client.post(page, form).headers["Location"] == "/"
