"""Sign-up, log-in and log-out, names, and last visits."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.names.validators import name_shape
from tests.support import wording
from tests.support.members import PASSWORD, log_in, sign_up

# Longer than an address may be, though each part of it is valid.
LONG_ADDRESS = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 30}.example"


# -- Sign-up ---------------------------------------------------------------------------------------


def test_overlong_address_is_refused_with_sentence(client, marta):
    pages = [sign_up(client, "theo", email=LONG_ADDRESS)]
    client.force_login(marta)
    pages.append(client.post("/accounts/email/", {"action_add": "", "email": LONG_ADDRESS}))
    for page in pages:
        assert "An email address can have at most 254 characters." in page.content.decode()
    assert User.objects.get() == marta
    assert not EmailAddress.objects.filter(email=LONG_ADDRESS).exists()


def test_sign_up_logs_in(client, db):
    assert sign_up(client, "marta").status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="marta").pk)


def test_sign_up_needs_no_address_by_default(client, db, mailoutbox):
    sign_up(client, "marta")
    assert mailoutbox == []


def test_sign_up_sends_one_confirmation_mail(client, db, mailoutbox):
    sign_up(client, "marta", email="marta@example.org")
    assert [mail.to for mail in mailoutbox] == [["marta@example.org"]]


@pytest.mark.parametrize("name", ["abc", "a" * 20, "A-b_9", "007"])
def test_valid_name_is_accepted(client, db, name):
    assert sign_up(client, name).status_code == 302


def test_name_with_newline_is_refused():
    with pytest.raises(ValidationError):
        name_shape("marta\n")


def test_database_refuses_name_in_other_case(marta):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="Marta")


def test_name_taken_meanwhile_is_form_error(client, marta, monkeypatch):
    monkeypatch.setattr(
        "accounts.web.membership.allauth_adapter.AccountAdapter.clean_username", lambda self, name, **_: name
    )
    response = sign_up(client, "Marta")
    assert response.context["form"].errors["username"] == [wording.NAME_IS_TAKEN]
    assert User.objects.count() == 1


def test_overlong_password_is_refused_with_sentence(client, db):
    answer = sign_up(client, "theo", password1="long " * 30, password2="long " * 30)
    assert "This password has 150 characters. It can have at most 128." in answer.content.decode()
    assert not User.objects.exists()
    longest = ("long " * 30)[:128]
    sign_up(client, "theo", password1=longest, password2=longest)
    assert User.objects.get().check_password(longest)


# -- Log-in and log-out ----------------------------------------------------------------------------


@pytest.mark.parametrize("login", ["marta", "MARTA", "marta@example.org"])
def test_log_in_accepts_name_or_address(client, marta, login):
    log_in(client, login)
    assert client.session["_auth_user_id"] == str(marta.pk)


def test_session_ends_after_two_weeks_without_visit(client, marta, time_machine):
    time_machine.move_to("2026-05-04 12:00Z", tick=False)
    log_in(client, "marta")
    time_machine.move_to("2026-05-18 11:59Z", tick=False)
    assert client.get("/settings/").status_code == 200  # this visit prolongs the session
    time_machine.move_to("2026-06-01 11:58Z", tick=False)
    assert client.get("/settings/").status_code == 200
    time_machine.move_to("2026-06-15 11:59Z", tick=False)
    assert client.get("/settings/").status_code == 302


def test_wrong_password_does_not_log_in(client, marta):
    log_in(client, "marta", "a wrong secret")
    assert "_auth_user_id" not in client.session


def test_password_guesses_are_limited(client, marta):
    for number in range(10):
        log_in(client, "marta", f"guess {number}")
    log_in(client, "marta")
    assert "_auth_user_id" not in client.session


def test_log_out_needs_post(client, marta):
    client.force_login(marta)
    client.get("/accounts/logout/")
    assert "_auth_user_id" in client.session
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session


def test_admin_uses_log_in_of_site(client, db):
    User.objects.create_superuser("head", password=PASSWORD)
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/")
    log_in(client, "head")
    assert client.get("/admin/accounts/user/").status_code == 200


def test_member_cannot_enter_admin(client, marta):
    client.force_login(marta)
    assert client.get("/admin/").status_code in (302, 403)


def test_admin_finds_member(admin_client, marta):
    assert b"marta@example.org" in admin_client.get("/admin/accounts/user/?q=mart").content
    assert admin_client.get(f"/admin/accounts/user/{marta.pk}/change/").status_code == 200


# -- Last visits -----------------------------------------------------------------------------------


def test_visit_is_stored_as_day(client, marta):
    User.objects.update(last_seen=timezone.localdate() - timedelta(days=9))
    client.force_login(marta)
    client.get("/accounts/email/")
    marta.refresh_from_db()
    assert marta.last_seen == timezone.localdate()


def test_second_visit_of_day_writes_nothing(client, marta, django_assert_max_num_queries):
    client.force_login(marta)
    client.get("/accounts/email/")
    with django_assert_max_num_queries(20) as queries:
        client.get("/accounts/email/")
    assert [query["sql"] for query in queries if query["sql"].startswith("UPDATE")] == []


def test_used_session_does_not_end(client, marta, time_machine):
    time_machine.move_to(timezone.now())
    log_in(client, "marta")
    for _ in range(4):
        time_machine.shift(timedelta(days=10))
        client.get("/accounts/email/")
    assert Session.objects.get(session_key=client.session.session_key).expire_date > timezone.now()
    assert client.get("/accounts/email/").status_code == 200


def test_visitor_gets_no_session(client, db):
    client.get("/accounts/login/")
    assert not Session.objects.exists()
