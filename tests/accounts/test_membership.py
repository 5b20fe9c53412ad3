"""Signing up, logging in and out, names, and being seen."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.names.validators import name_shape

PASSWORD = "a long enough secret"


def sign_up(client, name, **fields):
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "consent": "on", **fields}
    return client.post("/accounts/signup/", form)


# Longer than a mail can have, though each of its parts is an address's.
LONG_ADDRESS = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 30}.example"


@pytest.fixture
def marta(db):
    return User.objects.create_user("marta", "marta@example.org", PASSWORD)


# -- Sign-up ---------------------------------------------------------------------------------------


def test_an_address_that_is_too_long_is_refused_with_a_sentence(client, marta):
    pages = [sign_up(client, "theo", email=LONG_ADDRESS)]
    client.force_login(marta)
    pages.append(client.post("/accounts/email/", {"action_add": "", "email": LONG_ADDRESS}))
    for page in pages:
        assert "A mail address has at most 254 characters." in page.content.decode()
    assert User.objects.get() == marta
    assert not EmailAddress.objects.filter(email=LONG_ADDRESS).exists()


def test_signing_up_logs_in(client, db):
    assert sign_up(client, "marta").status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="marta").pk)


def test_signing_up_needs_no_mail_address_on_the_workbench(client, db, mailoutbox):
    sign_up(client, "marta")
    assert mailoutbox == []


def test_a_mail_address_gets_one_mail_to_confirm_it(client, db, mailoutbox):
    sign_up(client, "marta", email="marta@example.org")
    assert [mail.to for mail in mailoutbox] == [["marta@example.org"]]


@pytest.mark.parametrize("name", ["ab", "a" * 21, "two words", "semi;colon", "zoë", "marta\u200b", "a\nb"])
def test_other_names_are_refused(client, db, name):
    assert sign_up(client, name).status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["abc", "a" * 20, "A-b_9", "007"])
def test_names_of_letters_digits_and_dashes_are_taken(client, db, name):
    assert sign_up(client, name).status_code == 302


def test_no_name_ends_with_a_newline():
    with pytest.raises(ValidationError):
        name_shape("marta\n")


def test_a_name_is_taken_in_any_case(client, marta):
    response = sign_up(client, "MARTA")
    assert response.context["form"].errors["username"]
    assert User.objects.count() == 1


def test_the_database_itself_refuses_a_name_in_another_case(marta):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="Marta")


def test_a_name_taken_at_the_last_moment_is_told_in_the_form(client, marta, monkeypatch):
    monkeypatch.setattr(
        "accounts.web.membership.allauth_adapter.AccountAdapter.clean_username", lambda self, name, **_: name
    )
    response = sign_up(client, "Marta")
    assert response.context["form"].errors["username"] == ["This name is taken."]
    assert User.objects.count() == 1


def test_the_name_admin_is_not_for_everyone(client, db):
    assert sign_up(client, "Admin").status_code == 200
    assert not User.objects.exists()


def test_a_password_of_more_than_128_characters_is_refused_with_a_sentence(client, db):
    answer = sign_up(client, "theo", password1="long " * 30, password2="long " * 30)
    assert (
        "This password is too long: it has 150 characters, at most 128 are taken." in answer.content.decode()
    )
    assert not User.objects.exists()
    longest = ("long " * 30)[:128]
    sign_up(client, "theo", password1=longest, password2=longest)
    assert User.objects.get().check_password(longest)


# -- Log-in and log-out ----------------------------------------------------------------------------


@pytest.mark.parametrize("login", ["marta", "MARTA", "marta@example.org"])
def test_members_log_in_by_name_or_mail_address(client, marta, login):
    client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(marta.pk)


def test_a_member_is_logged_out_after_two_weeks_without_a_visit(client, marta, time_machine):
    time_machine.move_to("2026-05-04 12:00Z", tick=False)
    client.post("/accounts/login/", {"login": "marta", "password": PASSWORD})
    time_machine.move_to("2026-05-18 11:59Z", tick=False)
    assert client.get("/settings/").status_code == 200  # and this visit counts
    time_machine.move_to("2026-06-01 11:58Z", tick=False)
    assert client.get("/settings/").status_code == 200
    time_machine.move_to("2026-06-15 11:59Z", tick=False)
    assert client.get("/settings/").status_code == 302


def test_a_wrong_password_does_not_log_in(client, marta):
    client.post("/accounts/login/", {"login": "marta", "password": "a wrong secret"})
    assert "_auth_user_id" not in client.session


def test_guessing_passwords_is_limited(client, marta):
    for number in range(10):
        client.post("/accounts/login/", {"login": "marta", "password": f"guess {number}"})
    client.post("/accounts/login/", {"login": "marta", "password": PASSWORD})
    assert "_auth_user_id" not in client.session


def test_reading_the_log_out_page_does_not_log_out(client, marta):
    client.force_login(marta)
    client.get("/accounts/logout/")
    assert "_auth_user_id" in client.session
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "\\\\evil.example"])
def test_logging_in_leads_nowhere_else(client, marta, elsewhere):
    form = {"login": "marta", "password": PASSWORD, "next": elsewhere}
    assert client.post("/accounts/login/", form).url == "/"


def test_asking_for_a_new_password_does_not_tell_who_is_a_member(client, marta, mailoutbox):
    known = client.post("/accounts/password/reset/", {"email": "marta@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)
    assert [mail.to for mail in mailoutbox] == [["marta@example.org"]]


def test_the_admin_is_entered_by_the_log_in_of_the_site(client, db):
    User.objects.create_superuser("head", password=PASSWORD)
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/")
    client.post("/accounts/login/", {"login": "head", "password": PASSWORD})
    assert client.get("/admin/accounts/user/").status_code == 200


def test_members_do_not_enter_the_admin(client, marta):
    client.force_login(marta)
    assert client.get("/admin/").status_code in (302, 403)


def test_the_admin_shows_and_changes_people(admin_client, marta):
    page = f"/admin/accounts/user/{marta.pk}/change/"
    assert admin_client.get(page).status_code == 200
    admin_client.post(page, {"username": "marta2", "email": "", "is_active": "on"})
    marta.refresh_from_db()
    assert marta.username == "marta2"


def test_people_are_found_and_added_in_the_admin(admin_client, marta):
    assert b"marta@example.org" in admin_client.get("/admin/accounts/user/?q=mart").content
    form = {
        "username": "theo",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    admin_client.post("/admin/accounts/user/add/", form)
    assert User.objects.get(username="theo").check_password(PASSWORD)


# -- Being seen ------------------------------------------------------------------------------------


def test_a_visit_is_remembered_by_its_day(client, marta):
    User.objects.update(last_seen=timezone.localdate() - timedelta(days=9))
    client.force_login(marta)
    client.get("/accounts/email/")
    marta.refresh_from_db()
    assert marta.last_seen == timezone.localdate()


def test_a_second_visit_on_the_same_day_writes_nothing(client, marta, django_assert_max_num_queries):
    client.force_login(marta)
    client.get("/accounts/email/")
    with django_assert_max_num_queries(20) as queries:
        client.get("/accounts/email/")
    assert [query["sql"] for query in queries if query["sql"].startswith("UPDATE")] == []


def test_a_session_in_daily_use_does_not_end(client, marta, time_machine):
    time_machine.move_to(timezone.now())
    client.post("/accounts/login/", {"login": "marta", "password": PASSWORD})
    for _ in range(4):
        time_machine.shift(timedelta(days=10))
        client.get("/accounts/email/")
    assert Session.objects.get(session_key=client.session.session_key).expire_date > timezone.now()
    assert client.get("/accounts/email/").status_code == 200


def test_strangers_leave_no_trace(client, db):
    client.get("/accounts/login/")
    assert not Session.objects.exists()
