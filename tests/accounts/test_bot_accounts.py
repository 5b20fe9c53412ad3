"""Bot accounts: registration, names, limits and removal."""

import re

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.api_access.bot_accounts import register_program
from accounts.membership.name_changes import check_name
from accounts.models import BotAccount, Sanction, User
from accounts.moderation import sanctions
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.signals import member_banned
from tests.support.clients import client_of
from tests.support.members import PASSWORD, add_address, create_member, log_in
from tests.support.signals import connected
from tests.support.staff_actions import perform_action


@pytest.fixture
def marta(db):
    return create_member("marta")


@pytest.fixture
def member(marta):
    client = client_of(marta)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def test_member_registers_and_describes_bot_account(member, marta):
    about = {"description": "Buys what is cheap.", "address": "https://code.example/greedy"}
    answer = member.post("/accounts/programs/new/", {"name": "Greedy-bot", **about})
    assert answer.headers["Location"] == "/accounts/tokens/"
    program = BotAccount.objects.get()
    assert (program.owner, program.user.username, program.user.is_bot_account) == (marta, "Greedy-bot", True)
    member.post(
        "/accounts/programs/Greedy-bot/",
        {"Greedy-bot-description": "Buys what is dear.", "Greedy-bot-address": ""},
    )
    program.refresh_from_db()
    assert (program.description, program.address) == ("Buys what is dear.", "")


def test_every_field_has_its_own_label(member, marta):
    register_program(marta, name="Greedy-bot", description="", address="")
    for html in (
        member.get("/accounts/tokens/").content.decode(),
        member.post("/accounts/programs/new/", {"name": "Greedy"}).content.decode(),
    ):
        ids = re.findall(r' id="([^"]*)"', html)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'<label for="([^"]*)"', html)) <= set(ids)


@pytest.mark.parametrize(
    "fields",
    [
        *({"address": address} for address in ("javascript:alert(1)", "ftp://code.example", "//", "x" * 300)),
        *({"name": name} for name in ("Greedy", "x-bot", "-bot", "Guest-bot", "random-bot", "marta")),
        *({"name": name} for name in ("Greedy bot", "admin-bot", "x" * 20)),
    ],
)
def test_invalid_name_or_address_is_refused(member, fields):
    answer = member.post("/accounts/programs/new/", {"name": "Greedy-bot", **fields})
    assert answer.status_code == 422 and not BotAccount.objects.exists()


@pytest.mark.parametrize("name", ["marta-bot", "Marta_B0T", "some-bot-"])
def test_member_cannot_take_bot_name(marta, name):
    with pytest.raises(ValidationError):
        check_name(name, by=marta)


def test_bot_account_cannot_log_in(marta):
    user = register_program(marta, "Greedy-bot").user
    user.set_password(PASSWORD)  # as an administrator might
    user.save()
    client = Client()
    log_in(client, "Greedy-bot")
    assert client.get("/settings/").headers["Location"].startswith("/accounts/login/")
    client.force_login(user)
    assert client.get("/settings/").headers["Location"].startswith("/accounts/login/")


def test_bot_accounts_per_member_are_limited(member, marta):
    for name in ("One-bot", "Two-bot", "Three-bot"):
        register_program(marta, name)
    answer = member.post("/accounts/programs/new/", {"name": "Four-bot"})
    assert answer.status_code == 422 and BotAccount.objects.count() == 3


@pytest.mark.parametrize("action, path", [("new-program", "programs/new/"), ("new-token", "tokens/new/")])
def test_registration_and_tokens_are_rate_limited(member, marta, settings, action, path):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, action: "2/d/user"}
    sent = [member.post(f"/accounts/{path}", {"name": "One"}).status_code for _ in range(3)]
    assert sent[2] == 429 and 429 not in sent[:2]


def test_bot_accounts_and_guests_register_none(marta):
    program = register_program(marta, "Greedy-bot").user
    for user in (program, User.objects.create_user("Guest-2345", is_guest=True)):
        with pytest.raises(ValidationError):
            register_program(user, "Other-bot")


@pytest.mark.parametrize("what", ["", "token/", "down/"])
def test_bot_account_of_other_member_is_not_found(member, what):
    program = register_program(User.objects.create_user("theo"), "Greedy-bot")
    answer = member.post(f"/accounts/programs/Greedy-bot/{what}", {"Greedy-bot-name": "x"})
    assert answer.status_code == 404
    program.refresh_from_db()
    assert program.user.is_active and not program.user.tokens.exists()


def test_owner_creates_and_revokes_its_tokens(member, marta):
    program = register_program(marta, "Greedy-bot").user
    answer = member.post("/accounts/programs/Greedy-bot/token/", {"Greedy-bot-name": "At home"})
    assert 'id="token-text"' in answer.content.decode()
    [token] = program.tokens.all()
    assert (token.name, token.scope) == ("At home", "play")
    assert member.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 302
    token.refresh_from_db()
    assert token.revoked


def test_bot_account_is_taken_down(member, marta):
    register_program(marta, "Greedy-bot")
    member.post("/accounts/programs/Greedy-bot/down/")
    assert not BotAccount.objects.exists()
    assert not User.objects.get(is_bot_account=True).is_active


def test_ban_of_owner_bans_bot_accounts(marta):
    program = register_program(marta, "Greedy-bot").user
    banned = []
    with connected(member_banned, lambda user, **_: banned.append(user)):
        sanctions.impose(marta, Sanction.Kind.BAN, reason="Rude.", by=None)
    assert banned == [marta, program]


def test_bot_account_cannot_be_warned_or_muted(marta):
    program = register_program(marta, "Greedy-bot").user
    for name in ("warn", "mute"):
        assert MEMBER_ACTIONS[name].against(program)
        assert not MEMBER_ACTIONS[name].against(marta)


def test_sanction_of_bot_account_is_mailed_to_owner(marta, django_capture_on_commit_callbacks):
    add_address(marta, "marta@club.example")
    program = register_program(marta, "Greedy-bot").user
    with django_capture_on_commit_callbacks(execute=True):
        act = MEMBER_ACTIONS["ban"]
        perform_action(act, program, None, "It floods.")
    assert [letter.to for letter in mail.outbox] == [["marta@club.example"]]
    assert "Greedy-bot" in mail.outbox[0].body
