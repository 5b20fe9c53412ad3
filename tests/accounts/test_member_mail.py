"""Mail of accounts: confirmation, changes, password reset; no answer reveals an account."""

import re

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.test import Client
from django.utils import timezone

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from tests.support import wording
from tests.support.clients import forget_log_in
from tests.support.members import PASSWORD, create_member, log_in, sign_up

KNOWN, UNKNOWN = "marta@example.org", "nobody@example.org"


@pytest.fixture
def must_be_confirmed(settings):
    settings.EMAIL_MUST_BE_CONFIRMED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]


def link(message):
    return re.search(r"http://localhost:8000(\S+)", message.body)[1]


def to(outbox):
    return [address for message in outbox for address in message.to]


def seen(answer):
    """Status, address and text of an answer, without CSRF tokens."""
    body = re.sub(r"csrf\S+ value=\S+|X-CSRFToken\S+ \S+", "", answer.content.decode())
    return answer.status_code, answer.headers.get("Location"), body


# -- Confirming an address -------------------------------------------------------------------------


def test_mandatory_confirmation_ends_sign_up_with_mail(client, db, must_be_confirmed, mailoutbox):
    answer = sign_up(client, "marta", email=KNOWN)
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert "_auth_user_id" not in client.session
    assert to(mailoutbox) == [KNOWN]
    assert "log in" in client.get("/accounts/confirm-email/").content.decode()


def test_opening_link_does_not_confirm(client, db, must_be_confirmed, mailoutbox):
    sign_up(client, "marta", email=KNOWN)
    assert client.get(link(mailoutbox[0])).status_code == 200
    assert not EmailAddress.objects.get().verified


def test_link_logs_in_only_in_same_browser(client, db, must_be_confirmed, mailoutbox, django_user_model):
    sign_up(client, "marta", email=KNOWN)
    elsewhere = Client()
    elsewhere.post(link(mailoutbox[0]))
    assert EmailAddress.objects.get().verified
    assert "_auth_user_id" not in elsewhere.session

    other = Client()
    sign_up(other, "theo", email="theo@example.org")
    other.post(link(mailoutbox[1]))
    assert other.session["_auth_user_id"] == str(User.objects.get(username="theo").pk)


def test_link_of_another_account_logs_nobody_out(client, db, must_be_confirmed, mailoutbox):
    sign_up(client, "marta", email=KNOWN)
    eve = create_member("eve", "eve@example.org")
    hers = Client()
    hers.force_login(eve)
    for ask in (hers.get, hers.post):
        ask(link(mailoutbox[0]))
        assert hers.session["_auth_user_id"] == str(eve.pk)
    assert EmailAddress.objects.get(email=KNOWN).verified


def test_unconfirmed_log_in_sends_another_mail(client, db, must_be_confirmed, mailoutbox, time_machine):
    time_machine.move_to(timezone.now())
    sign_up(client, "marta", email=KNOWN)
    assert to(mailoutbox) == [KNOWN]
    time_machine.shift(600)
    again = Client()
    assert log_in(again, "marta").headers["Location"] == "/accounts/confirm-email/"
    assert "_auth_user_id" not in again.session
    assert to(mailoutbox) == [KNOWN, KNOWN]


@pytest.mark.parametrize("fields", [{"consent": ""}, {"password2": "something else"}, {"name": "x"}])
def test_invalid_sign_up_sends_no_mail(client, db, mailoutbox, fields):
    assert sign_up(client, **{"name": "marta", "email": KNOWN, **fields}).status_code == 200
    assert mailoutbox == []
    assert not User.objects.exists()


def test_consent_is_stored_with_time(client, db):
    sign_up(client, "marta", email=KNOWN)
    assert User.objects.get().terms_accepted


def test_pages_name_mail_folder(client, db, settings):
    settings.MAIL_FOLDER = "data/mail"
    for page in ("/accounts/confirm-email/", "/accounts/password/reset/done/"):
        assert "data/mail" in client.get(page).content.decode()
    sign_up(client, "marta", email=KNOWN)
    assert "data/mail" in client.get("/accounts/email/").content.decode()


def test_pages_name_no_folder_if_mail_is_sent(client, db, settings):
    settings.MAIL_FOLDER = ""
    assert "workbench" not in client.get("/accounts/confirm-email/").content.decode()


# -- Correcting an address -------------------------------------------------------------------------

WAITING = "/accounts/confirm-email/"
TYPO, RIGHT = "marta@exmaple.org", "marta@example.org"


def correct(client, address):
    return client.post(WAITING, {"email": address}, follow=True).content.decode()


def come_after_log_in(client):
    create_member("marta", TYPO, verified=False)
    log_in(client, "marta")


def come_after_sign_up(client):
    sign_up(client, "marta", email=TYPO)


@pytest.fixture(params=[come_after_sign_up, come_after_log_in])
def waiting(request, client, db, must_be_confirmed, mailoutbox):
    """The browser of a member who mistyped the address and has proven the password."""
    request.param(client)
    assert to(mailoutbox) == [TYPO]
    return client


def test_mistyped_address_is_corrected_and_confirmed(waiting, mailoutbox):
    assert TYPO in waiting.get(WAITING).content.decode()
    assert f"A link is on its way to {RIGHT}" in correct(waiting, RIGHT)
    assert to(mailoutbox) == [TYPO, RIGHT]
    waiting.post(link(mailoutbox[1]))
    member = User.objects.get()
    assert waiting.session["_auth_user_id"] == str(member.pk)
    assert member.email == RIGHT
    assert [(row.email, row.verified) for row in EmailAddress.objects.all()] == [(RIGHT, True)]


def test_link_to_the_mistyped_address_is_void(waiting, mailoutbox):
    void = link(mailoutbox[0])
    correct(waiting, RIGHT)
    Client().post(void)
    assert not EmailAddress.objects.filter(verified=True).exists()


def test_another_mail_is_sent_after_three_minutes(client, db, must_be_confirmed, mailoutbox, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    sign_up(client, "marta", email=KNOWN)
    assert "Wait 3 minutes" in correct(client, KNOWN)
    time_machine.shift(181)
    assert to(mailoutbox) == [KNOWN]
    assert f"A link is on its way to {KNOWN}" in correct(client, KNOWN)
    assert to(mailoutbox) == [KNOWN, KNOWN]


def test_corrections_are_limited(waiting, mailoutbox):
    for number in range(5):
        assert f"A link is on its way to marta{number}@" in correct(waiting, f"marta{number}@example.org")
        assert len(mailoutbox) == number + 2
    assert wording.CORRECTED_TOO_OFTEN in correct(waiting, RIGHT)
    assert len(mailoutbox) == 6


@pytest.mark.parametrize("address", ["", "marta", "marta@", f"{'m' * 250}@example.org"])
def test_invalid_correction_changes_nothing(waiting, mailoutbox, address):
    page = correct(waiting, address)
    assert "errorlist" in page or 'role="alert"' in page
    assert EmailAddress.objects.get().email == TYPO


def test_address_of_another_account_looks_corrected_and_cannot_be_confirmed(waiting, mailoutbox):
    create_member("theo", RIGHT)
    assert f"A link is on its way to {RIGHT}" in correct(waiting, RIGHT)
    assert "already" in mailoutbox[1].body and "confirm-email" not in mailoutbox[1].body


def test_stranger_cannot_correct_an_address(client, db, must_be_confirmed, mailoutbox):
    sign_up(Client(), "marta", email=TYPO)
    assert TYPO not in client.get(WAITING).content.decode()
    assert "Log in with your name and password" in correct(client, RIGHT)
    assert EmailAddress.objects.get().email == TYPO


def test_confirmed_address_cannot_be_corrected(waiting, mailoutbox):
    Client().post(link(mailoutbox[0]))
    assert "Your address is confirmed" in correct(waiting, RIGHT)
    assert EmailAddress.objects.get().email == TYPO


def test_page_that_waits_learns_that_the_address_is_confirmed(waiting, mailoutbox):
    Client().post(link(mailoutbox[0]))
    page = waiting.get(WAITING, follow=True)
    assert page.redirect_chain == [("/accounts/login/", 302)]
    assert "Your address is confirmed. Log in." in page.content.decode()


@pytest.mark.parametrize("ask", ["get", "post"])
def test_page_that_waits_learns_that_the_account_is_gone(ask, waiting, mailoutbox):
    delete_account(User.objects.get(), keep_name_free=False)
    page = getattr(waiting, ask)(WAITING, {"email": RIGHT}, follow=True)
    assert page.redirect_chain == [("/accounts/signup/", 302)]
    assert "This account was removed" in page.content.decode()
    assert to(mailoutbox) == [TYPO]


def test_administrator_logs_in_without_a_confirmed_address(client, db, must_be_confirmed):
    User.objects.create_superuser("admin", password=PASSWORD)
    log_in(client, "admin")
    assert "_auth_user_id" in client.session


def test_member_of_staff_without_an_address_is_asked_for_one(client, db, must_be_confirmed, mailoutbox):
    create_member("theo", is_staff=True)
    assert log_in(client, "theo").headers["Location"] == WAITING
    assert "no email address yet" in client.get(WAITING).content.decode()
    correct(client, RIGHT)
    assert to(mailoutbox) == [RIGHT]


# -- No mail to unconfirmed addresses --------------------------------------------------------------


def test_password_reset_of_unconfirmed_address_sends_confirmation_link(client, db, mailoutbox):
    create_member("marta", KNOWN, verified=False)
    client.post("/accounts/password/reset/", {"email": KNOWN})
    [message] = mailoutbox
    assert "confirm-email" in message.body
    assert "password/reset" not in message.body


def test_unconfirmed_address_gets_no_notice_of_changes(client, db, mailoutbox):
    client.force_login(create_member("marta", KNOWN, verified=False))
    form = {"oldpassword": PASSWORD, "password1": "another long secret", "password2": "another long secret"}
    client.post("/accounts/password/change/", form)
    assert User.objects.get().check_password("another long secret")
    assert mailoutbox == []


def test_mail_address_is_confirmed_one(db):
    assert create_member("marta", KNOWN).mail_address() == KNOWN
    assert create_member("theo", "theo@example.org", verified=False).mail_address() == ""
    assert User.objects.create_user("lena", "lena@example.org").mail_address() == ""


# -- Notice of changes -----------------------------------------------------------------------------


def change_address(client, new):
    """Ask for another address some time after logging in, and enter the password when asked."""
    answer = forget_log_in(client).post("/accounts/email/", {"action_add": "", "email": new})
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    return client.post(answer.headers["Location"], {"password": PASSWORD})


def test_new_address_counts_after_confirmation(client, marta, mailoutbox):
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


def test_first_confirmed_address_is_no_change(client, db, mailoutbox):
    sign_up(client, "marta", email=KNOWN)
    client.post(link(mailoutbox[0]))
    assert len(mailoutbox) == 1


def test_never_confirmed_address_is_not_told_of_next_one(client, db, mailoutbox):
    marta = create_member("marta", "wrong@example.org", verified=False)
    client.force_login(marta)
    change_address(client, KNOWN)
    client.post(link(mailoutbox[0]))
    assert to(mailoutbox) == [KNOWN]


def test_address_change_needs_password(client, marta, mailoutbox):
    client.force_login(marta)
    answer = forget_log_in(client).post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    client.post(answer.headers["Location"], {"password": "a wrong secret"})
    assert mailoutbox == []
    assert EmailAddress.objects.count() == 1


def test_confirmed_address_restarts_mail(client, marta, mailoutbox):
    marta.mail_stopped = "The address does not exist."
    marta.save()
    client.force_login(marta)
    change_address(client, "new@example.org")
    assert User.objects.get().mail_stopped
    client.post(link(mailoutbox[0]))
    assert User.objects.get().mail_stopped == ""


def test_password_change_is_mailed(client, marta, mailoutbox):
    client.force_login(marta)
    form = {"oldpassword": PASSWORD, "password1": "another long secret", "password2": "another long secret"}
    client.post("/accounts/password/change/", form)
    assert to(mailoutbox) == [KNOWN]


# -- Password reset --------------------------------------------------------------------------------


def test_reset_link_works_once(client, marta, mailoutbox):
    client.post("/accounts/password/reset/", {"email": KNOWN})
    address = link(mailoutbox[0])
    form_page = client.get(address)
    # The secret must not stay in the address bar.
    assert address not in form_page.headers["Location"]
    new = {"password1": "another long secret", "password2": "another long secret"}
    client.post(form_page.headers["Location"], new)
    assert User.objects.get().check_password("another long secret")
    assert wording.LINK_WAS_USED in client.get(address).content.decode()
    assert to(mailoutbox) == [KNOWN, KNOWN]


# -- Nobody learns who has an account ------------------------------------------------------------------


@pytest.mark.parametrize("mandatory", [True, False])
def test_sign_up_reveals_no_address(client, marta, mailoutbox, request, mandatory):
    if mandatory:
        request.getfixturevalue("must_be_confirmed")
    first, second = Client(), Client()
    known, unknown = sign_up(first, "theo", email=KNOWN), sign_up(second, "lena", email=UNKNOWN)
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
    return re.sub(r'value="[^"]*"|X-(CSRFToken|Account)": "[^"]*"', "", page)


def test_sign_up_of_guest_reveals_no_address(marta, must_be_confirmed, mailoutbox):
    answers = []
    for number, address in enumerate((KNOWN, UNKNOWN)):
        browser = Client()
        browser.force_login(User.objects.create_user(f"Guest-222{number}", is_guest=True))
        answer = sign_up(browser, f"theo{number}", email=address)
        page = browser.get(answer.headers["Location"])
        answers.append((answer.status_code, answer.headers["Location"], strip(page.content.decode())))
        assert User.objects.get(pk=browser.session["_auth_user_id"]).is_guest
    assert answers[0][:2] == answers[1][:2]
    pages = [
        page.replace(address, "").replace(name, "")
        for (*_, page), address, name in zip(answers, (KNOWN, UNKNOWN), ("theo0", "theo1"), strict=True)
    ]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("mandatory", [True, False])
def test_known_address_is_told_of_sign_up_attempt(client, marta, mailoutbox, request, mandatory):
    if mandatory:
        request.getfixturevalue("must_be_confirmed")
    sign_up(client, "theo", email=KNOWN)
    [message] = mailoutbox
    assert "already" in message.subject
    assert "confirm-email" not in message.body


@pytest.mark.parametrize("login", ["theo", "ADDRESS"])
def test_log_in_after_sign_up_reveals_no_address(marta, must_be_confirmed, mailoutbox, time_machine, login):
    time_machine.move_to(timezone.now())
    marta.set_password("a secret of her own")
    marta.save()
    answers = []
    for name, address in (("theo", KNOWN), ("lena", UNKNOWN)):
        sign_up(Client(), name, email=address)
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
def test_sign_up_takes_name_with_any_address(marta, must_be_confirmed, address):
    sign_up(Client(), "theo", email=address)
    again = sign_up(Client(), "theo", email="theo@example.org")
    assert wording.NAME_IS_TAKEN in again.content.decode()
    assert Client().get("/players/theo/").status_code == 404


def test_address_of_other_member_cannot_be_confirmed(client, marta, must_be_confirmed, mailoutbox):
    sign_up(client, "theo", email=KNOWN)
    claimed = EmailAddress.objects.get(user__username="theo")
    client.post(f"/accounts/confirm-email/{EmailConfirmationHMAC(claimed).key}/")
    claimed.refresh_from_db()
    assert not claimed.verified
    assert "_auth_user_id" not in client.session


def test_owner_logs_in_by_claimed_address(marta, must_be_confirmed):
    sign_up(Client(), "theo", email=KNOWN)
    browser = Client()
    log_in(browser, KNOWN)
    assert browser.session["_auth_user_id"] == str(marta.pk)


def test_password_reset_reveals_no_address(client, marta, mailoutbox):
    known = client.post("/accounts/password/reset/", {"email": KNOWN})
    unknown = client.post("/accounts/password/reset/", {"email": UNKNOWN})
    assert seen(known) == seen(unknown)
    assert to(mailoutbox) == [KNOWN]


def test_adding_address_does_not_reveal_it(client, db, marta, mailoutbox):
    create_member("theo", "theo@example.org")
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
def test_resending_link_reveals_no_address(client, marta, mailoutbox, address):
    client.force_login(create_member("theo", "theo@example.org"))
    answer = client.post("/accounts/email/", {"action_send": "", "email": address})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/email/")
    page = client.get("/accounts/email/").content.decode()
    assert KNOWN not in page and UNKNOWN not in page


# -- Limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("address, mails", [(KNOWN, 3), (UNKNOWN, 0)])
def test_reset_links_per_address_are_limited(client, marta, mailoutbox, address, mails):
    answers = []
    for asked in range(1, 9):
        answers.append(client.post("/accounts/password/reset/", {"email": address}).status_code)
        # Sent at once: a request that still waits is replaced by the next one.
        assert len(mailoutbox) == min(asked, mails)
    # The form is shown again, and says that there were too many.
    assert answers == [302] * 3 + [200] * 5


def test_exceeded_limit_names_waiting_time(client, marta):
    for number in range(20):
        client.post("/accounts/password/reset/", {"email": f"{number}@example.org"})
    answer = client.post("/accounts/password/reset/", {"email": KNOWN})
    assert answer.headers["Retry-After"] == "60"
    assert wording.TOO_MANY_REQUESTS in answer.content.decode()


def test_unconfirmed_address_gets_one_link_in_three_minutes(client, db, mailoutbox):
    client.force_login(create_member("marta", KNOWN, verified=False))
    for _ in range(4):
        client.post("/accounts/email/", {"action_send": "", "email": KNOWN})
    assert to(mailoutbox) == [KNOWN]


# -- Redirects -------------------------------------------------------------------------------------


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
def test_account_pages_do_not_redirect_to_other_site(client, marta, settings, page, elsewhere):
    settings.ALLOWED_HOSTS = [".testserver"]
    if page.endswith("logout/"):
        client.force_login(marta)
    form = {"username": "theo", "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}
    form |= {"login": "marta", "password": PASSWORD, "next": elsewhere}
    assert client.post(page, form).headers["Location"] == "/"
