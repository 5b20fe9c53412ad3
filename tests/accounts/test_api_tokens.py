"""API tokens: creation, use, revocation and expiry."""

import hashlib
import io
import json
import logging
import re
import zipfile
from datetime import timedelta

import pytest
from django.core import mail
from django.http import JsonResponse
from django.test import Client, override_settings
from django.urls import path
from django.utils import timezone

from accounts.api_access import api_tokens
from accounts.api_access.api_tokens import MAX_TOKENS, make_token, revoke_token
from accounts.api_access.bot_accounts import register_program
from accounts.membership.account_deletion import delete_account
from accounts.models import ApiToken, AuditEntry, Sanction, User
from accounts.moderation import sanctions
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.privacy.account_data import personal_data_zip
from accounts.refusals import InvalidToken
from accounts.web.api_access import bearer_auth
from acquire_site import urls
from tests.support.clients import client_of, forget_log_in
from tests.support.members import PASSWORD
from tests.support.staff_actions import perform_action


@bearer_auth.require_token(ApiToken.Scope.READ)
def reading(request):
    return JsonResponse({"you": request.user.username, "post": request.POST.get("x", "")})


@bearer_auth.require_token(ApiToken.Scope.PLAY)
def playing(request):
    return JsonResponse({"you": request.user.username})


urlpatterns = [path("api/v1/read/", reading), path("api/v1/play/", playing), *urls.urlpatterns]
by_token = override_settings(ROOT_URLCONF=__name__)


@pytest.fixture
def program(marta):
    return register_program(marta, "Greedy-bot").user


def ask(text, address="/api/v1/read/", client=None, **extra):
    with by_token:
        return (client or Client()).get(address, headers={"Authorization": f"Bearer {text}"}, **extra)


def with_fresh_password(user):
    """A browser in which the user has just entered the password."""
    client = client_of(user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def shown(answer):
    """The token that the page shows."""
    found = re.search(r'id="token-text"\s+value="([^"]+)"', answer.content.decode())
    return found and found[1]


# -- Creation --------------------------------------------------------------------------------------


def test_new_token_is_shown_once_and_works(marta):
    client = with_fresh_password(marta)
    answer = client.post("/accounts/tokens/new/", {"name": "My sheet", "days": "30"})
    text = shown(answer)
    assert 'data-copy="token-text"' in answer.content.decode()
    assert ask(text).json() == {"you": "marta", "post": ""}
    assert "no-store" in answer.headers["Cache-Control"]
    again = client.get("/accounts/tokens/")
    assert "My sheet" in again.content.decode() and text not in again.content.decode()


def test_only_hash_of_token_is_stored(marta):
    token, text = make_token(marta, "sheet")
    stored = [str(value) for value in ApiToken.objects.values_list().get()]
    assert hashlib.sha256(text.encode()).hexdigest() in stored
    assert not any(text in value or text.removeprefix("acquire_") in value for value in stored)
    assert ask(token.hash).status_code == 401


def test_tokens_are_long_and_distinct(marta):
    texts = [make_token(marta, f"token {n}")[1] for n in range(2)]
    assert len(set(texts)) == 2 and all(len(text) >= 43 for text in texts)


def test_token_creation_needs_fresh_password(marta):
    answer = forget_log_in(client_of(marta)).post("/accounts/tokens/new/", {"name": "sheet"})
    assert answer.status_code == 302 and "/reauthenticate/" in answer.headers["Location"]
    assert not ApiToken.objects.exists()


def test_token_is_created_once_after_password_entry(marta):
    client = forget_log_in(client_of(marta))
    door = client.post("/accounts/tokens/new/", {"name": "sheet"}).headers["Location"]
    entered = {"password": PASSWORD, "next": "/accounts/tokens/new/"}
    assert ask(shown(client.post(door, entered))).status_code == 200
    again = client.post(door, entered, follow=True)
    assert again.status_code == 200 and again.redirect_chain[-1] == ("/accounts/tokens/", 302)
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(
    "path",
    [
        "tokens/new/",
        "tokens/1/revoke/",
        "programs/new/",
        *(f"programs/Greedy-bot/{n}" for n in ("", "token/", "down/")),
    ],
)
def test_log_in_on_the_way_leads_to_token_page(marta, program, path):
    client = Client()
    door = client.post(f"/accounts/{path}").headers["Location"]
    page = client.post(door, {"login": "marta", "password": PASSWORD}, follow=True)
    assert page.request["PATH_INFO"] == "/accounts/tokens/" and page.status_code == 200
    assert 'action="/accounts/tokens/new/"' in page.content.decode()
    assert User.objects.get(pk=program.pk).is_active and not ApiToken.objects.exists()


def test_token_creation_is_mailed_to_owner(marta, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        _token, text = make_token(marta, "sheet")
    [letter] = mail.outbox
    assert letter.to == ["marta@example.org"] and "sheet" in letter.body
    assert text not in letter.body and "/accounts/tokens/" in letter.body


@pytest.mark.parametrize("name", ["", "   ", "x" * 41])
def test_token_name_is_checked(marta, name):
    answer = with_fresh_password(marta).post("/accounts/tokens/new/", {"name": name})
    assert answer.status_code == 422 and not ApiToken.objects.exists()


def test_tokens_per_account_are_limited(marta):
    made = [make_token(marta, f"token {n}")[0] for n in range(MAX_TOKENS)]
    with pytest.raises(InvalidToken):
        make_token(marta, "one more")
    revoke_token(marta, made[0].pk)
    make_token(marta, "one more")


def test_guest_has_no_tokens(db):
    guest = User.objects.create_user("Guest-2345", is_guest=True)
    with pytest.raises(InvalidToken):
        make_token(guest, "sheet")
    assert client_of(guest).get("/accounts/tokens/").headers["Location"] == "/accounts/signup/"


# -- Authentication --------------------------------------------------------------------------------


def test_missing_token_is_explained(db):
    with by_token:
        answer = Client().get("/api/v1/read/")
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert "in the Authorization header as “Bearer” followed by the token" in answer.json()["problem"]


@pytest.mark.parametrize("text", ["", "x", "acquire_" + "x" * 43, "acquire_", "ö" * 43, "x" * 5000])
def test_invalid_token_is_refused(db, text):
    assert ask(text).status_code == 401


def test_session_does_not_open_api(marta):
    with by_token:
        client = client_of(marta)
        assert client.get("/api/v1/read/").status_code == 401
        assert client.post("/api/v1/read/").status_code == 401


@pytest.mark.parametrize("suspended", [False, True])
def test_session_of_other_member_is_ignored(marta, suspended):
    theo = User.objects.create_user("theo")
    client = client_of(theo)
    if suspended:
        sanctions.impose(theo, Sanction.Kind.SUSPENSION, reason="Rude.", by=None)
    answer = ask(make_token(marta, "sheet")[1], client=client)
    assert answer.status_code == 200
    assert answer.json()["you"] == "marta"


def test_counting_cookies_is_detected(marta, monkeypatch):
    """Sabotage twin: the API is no longer exempt from sessions."""
    monkeypatch.setattr(bearer_auth, "ROOT", "/nowhere/")
    with pytest.raises(AssertionError):
        test_session_of_other_member_is_ignored(marta, suspended=True)


def test_token_replaces_csrf_token(marta):
    _token, text = make_token(marta, "sheet")
    with by_token:
        answer = Client(enforce_csrf_checks=True).post(
            "/api/v1/read/", {"x": "1"}, headers={"Authorization": f"Bearer {text}"}
        )
    assert answer.json()["post"] == "1"


def test_only_bot_account_token_plays(marta, program):
    read, play = make_token(marta, "a")[1], make_token(program, "b", by=marta)[1]
    assert ask(read, "/api/v1/play/").status_code == 403
    assert ask(play, "/api/v1/play/").json()["you"] == "Greedy-bot"
    assert ask(play).json()["you"] == "Greedy-bot"


def test_pages_ignore_token(marta):
    _token, text = make_token(marta, "sheet")
    answer = Client().get("/settings/", headers={"Authorization": f"Bearer {text}"})
    assert answer.headers["Location"].startswith("/accounts/login/")


def test_revoked_token_stops_at_once(marta):
    token, text = make_token(marta, "sheet")
    assert ask(text).status_code == 200
    answer = with_fresh_password(marta).post(f"/accounts/tokens/{token.pk}/revoke/")
    assert answer.headers["Location"] == "/accounts/tokens/"
    assert ask(text).status_code == 401


def test_token_of_other_member_cannot_be_revoked(marta):
    token, text = make_token(marta, "sheet")
    theo = User.objects.create_user("theo", password=PASSWORD)
    assert with_fresh_password(theo).post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 404
    assert ask(text).status_code == 200


def test_token_expires(marta):
    _token, text = make_token(marta, "sheet", until=timezone.now() + timedelta(days=1))
    assert ask(text).status_code == 200
    ApiToken.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert ask(text).status_code == 401


def test_last_use_is_stored_as_day(marta):
    _token, text = make_token(marta, "sheet")
    ask(text)
    assert ApiToken.objects.get().used == timezone.localdate()
    assert type(ApiToken._meta.get_field("used")).__name__ == "DateField"


@pytest.mark.parametrize("kind", [Sanction.Kind.SUSPENSION, Sanction.Kind.BAN])
def test_sanction_blocks_member_and_bot_account(marta, program, kind):
    texts = [make_token(one, "x")[1] for one in (marta, program)]
    sanctions.impose(marta, kind, reason="Rude.", by=None)
    assert [ask(text).status_code for text in texts] == [403, 403]
    sanctions.lift(marta, kind, reason="Sorry.", by=None)
    assert [ask(text).status_code for text in texts] == [200, 200]


def test_token_is_not_logged(marta, caplog):
    _token, text = make_token(marta, "sheet")
    with caplog.at_level(logging.DEBUG):
        ask(text)
        ask(text, "/api/v1/play/")
        ask(text, "/api/nowhere/")
    assert text not in caplog.text and "Bearer" not in caplog.text


# -- End of tokens ---------------------------------------------------------------------------------


def test_deletion_removes_tokens_and_bot_accounts(marta, program):
    text = make_token(marta, "x")[1]
    make_token(program, "x")
    delete_account(marta)
    assert not ApiToken.objects.exists() and ask(text).status_code == 401
    program.refresh_from_db()
    assert not program.is_active and program.is_bot_account and program.username.startswith("former")


def test_personal_data_lists_tokens_without_hash(marta, program):
    for account in (marta, program):
        make_token(account, f"of {account}")
    with zipfile.ZipFile(io.BytesIO(personal_data_zip(marta))) as files:
        told = json.loads(files.read("account.json"))
    assert [one["name"] for one in told["tokens"]] == ["of marta"]
    assert [one["name"] for one in told["programs"][0]["tokens"]] == ["of Greedy-bot"]
    assert not any(token.hash in json.dumps(told) for token in ApiToken.objects.all())


def test_staff_revocation_ends_all_tokens_and_is_audited(marta, program):
    texts = [make_token(one, "x")[1] for one in (marta, program)]
    boss = User.objects.create_superuser("boss")
    act = MEMBER_ACTIONS["revoke-tokens"]
    perform_action(act, marta, boss, "Found on a public page.")
    assert [ask(text).status_code for text in texts] == [401, 401]
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.member, entry.details) == ("revoke-tokens", marta, {"tokens": 2})


def test_old_tokens_are_deleted(marta):
    old, until, live = (make_token(marta, name)[0] for name in ("old", "until", "live"))
    ago = timezone.now() - timedelta(days=31)
    ApiToken.objects.filter(pk=old.pk).update(revoked=ago)
    ApiToken.objects.filter(pk=until.pk).update(until=ago)
    assert api_tokens.delete_expired_tokens(timezone.now()) == 2
    assert list(ApiToken.objects.all()) == [live]
