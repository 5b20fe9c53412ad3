"""Staff can ask the admin for nothing that is secret, over all its models, fields and relations."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa import admin as mfa_admin
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import get_fields_from_path
from django.db import models
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.models import ApiToken, AuditEntry, User
from accounts.web.moderation.admin_site import ListedOnly, guarded
from games.models import Endpoint, Game, Invitation, UnsubscribedAddress

pytestmark = pytest.mark.django_db

# What a member of staff has no business with, by model. Lists neither filter, search, order nor show it.
SECRETS = {
    "accounts.AccessTrace": ["mark"],
    "accounts.ApiToken": ["hash"],
    "accounts.AuditEntry": ["form"],
    "accounts.User": ["password"],
    "account.EmailConfirmation": ["key"],
    "games.AbuseReport": ["by"],
    "games.Block": ["person"],
    "games.ChatMessage": ["text"],
    "games.Endpoint": ["url", "public", "auth"],
    "games.Exploration": ["start", "steps"],
    "games.Game": ["state", "seed", "invite_code"],
    "games.Invitation": ["code"],
    "games.LogEntry": ["events"],
    "games.MoveAssessment": ["best"],
    "games.MutedMember": ["person"],
    "games.Note": ["text"],
    "games.PlannedTurn": ["plan_json", "stop_reason"],
    "games.Puzzle": ["best", "estimates"],
    "games.Redeal": ["seed"],
    "games.StandingOrder": ["topic", "order_json", "once", "occasion"],
    "mfa.Authenticator": ["data"],
    "sessions.Session": ["session_key", "session_data"],
    "usersessions.UserSession": ["session_key", "data"],
}

# Names that sound like a secret, and fields that have one of them without being one.
SUSPICIOUS = re.compile(r"key|secret|token|hash|password|seed|state|code|data|json|mark|auth|bag|hand|plan$")
HARMLESS = {
    "accounts.AccountMail.state",
    "accounts.User.coach_marks",
    "accounts.User.codes_from_links",
    "accounts.User.read_coach_marks",
    "auth.Permission.codename",
    "games.ChatMessage.removed_by_author",
    "games.Game.seed_hash",
    "games.Invitation.state",
    "games.LogEntry.author",
    "games.Notification.state",
    "games.OpeningTally.key",
    "games.ProcessSign.key_mark",
}

CHOICE = ("", "__exact", "__isnull")
ANY = ("", "__isnull")
TIME = ("", "__gte", "__lt")


def parameters(names: str, endings: tuple[str, ...]) -> set[str]:
    return {f"{name}{ending}" for name in names.split() for ending in endings}


# The parameters that lists know: those of their filters.
KNOWN = {
    "accounts.AccountMail": parameters("state", CHOICE) | parameters("kind", CHOICE),
    "accounts.AuditEntry": parameters("action", ANY) | parameters("made", TIME),
    "accounts.Appeal": {"reply"} | parameters("sanction__kind", CHOICE),
    "accounts.User": parameters("is_guest is_staff is_active has_unread_warning", CHOICE)
    | parameters("last_seen", TIME),
    "account.EmailAddress": parameters("primary verified", CHOICE),
    "games.AbuseReport": parameters("about category outcome", CHOICE)
    | parameters("settled", (*TIME, "__isnull")),
    "games.DeliveryAttempt": parameters("outcome trial", CHOICE),
    "games.Endpoint": parameters("kind", CHOICE),
    "games.Game": {"health", "player", "option", "quiet"}
    | parameters("status visibility", CHOICE)
    | parameters("system", ANY),
    "games.Notification": parameters("state kind digest", CHOICE),
    "mfa.Authenticator": parameters("type", CHOICE),
}

LOOKUPS = ("", "__exact", "__startswith", "__lt", "__contains", "__isnull", "__regex", "__in")


@pytest.fixture
def chief() -> User:
    return User.objects.create_superuser("chief")


@pytest.fixture
def staff(chief: User) -> Client:
    client = Client()
    client.force_login(chief)
    return client


def registered() -> list[tuple[type[models.Model], admin.ModelAdmin]]:
    return list(admin.site._registry.items())


def listed_at(model: type[models.Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def paths(model: type[models.Model], relations: int) -> Iterator[tuple[str, str]]:
    """Every path to a field over at most so many relations, with the field's full name."""
    fields: list[Any] = list(model._meta.get_fields())
    for field in fields:
        yield field.name, f"{model._meta.label}.{field.name}"
        if relations and field.is_relation and field.related_model:
            for rest, full in paths(field.related_model, relations - 1):
                yield f"{field.name}__{rest}", full


def is_secret(full: str) -> bool:
    label, _dot, name = full.rpartition(".")
    return name in SECRETS.get(label, ())


def final_field(model: type[models.Model], path: str) -> str:
    """The full name of the field to which a search field or an ordering leads."""
    plain = path.lstrip("-^=@").removesuffix("__pk")
    field = get_fields_from_path(model, plain)[-1]
    return f"{field.model._meta.label}.{field.name}"


# -- Look-ups ----------------------------------------------------------------------------------------


def test_every_secret_stands_in_the_list_of_secrets() -> None:
    """A new field with such a name is entered above, as a secret or as harmless."""
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if SUSPICIOUS.search(field.name) and not field.is_relation
    }
    assert {one for one in found if not is_secret(one)} == HARMLESS


def test_lists_know_the_parameters_of_their_filters_and_no_other(rf: RequestFactory, chief: User) -> None:
    request = rf.get("/")
    request.user = chief
    for model, model_admin in registered():
        assert isinstance(model_admin, ListedOnly), model
        assert model_admin.known_lookups(request) == KNOWN.get(model._meta.label, set()), model


def test_no_list_is_filtered_by_a_field_or_relation_without_a_filter(rf: RequestFactory, chief: User) -> None:
    request = rf.get("/")
    request.user = chief
    tried = 0
    for model, model_admin in registered():
        known = KNOWN.get(model._meta.label, set())
        for path, _full in paths(model, 1):
            for number, lookup in enumerate(LOOKUPS):
                if (tried + number) % 4 and not path.isalpha():
                    continue  # Each path is tried with two look-ups, which ones changes from path to path.
                asked = f"{path}{lookup}"
                assert model_admin.lookup_allowed(asked, "x", request) == (asked in known), (model, asked)
            tried += 1
    assert tried > 1000


def test_every_lookup_on_an_own_field_without_a_filter_is_a_400(staff: Client) -> None:
    for model, _admin in registered():
        known = KNOWN.get(model._meta.label, set())
        for path, _full in paths(model, 0):
            for lookup in ("__startswith", "__lt"):
                if f"{path}{lookup}" not in known:
                    answer = staff.get(listed_at(model), {f"{path}{lookup}": "a"})
                    assert answer.status_code == 400, (model, path, lookup)


def test_every_lookup_that_leads_to_a_secret_is_a_400(staff: Client) -> None:
    tried = set()
    for model, _admin in registered():
        for path, full in paths(model, 2):
            if is_secret(full) and (model, full) not in tried:
                tried.add((model, full))
                answer = staff.get(listed_at(model), {f"{path}__startswith": "a"})
                assert answer.status_code == 400, (model, path)
    assert len(tried) > 150


@pytest.mark.parametrize("address", ["", "export/"])
@pytest.mark.parametrize("query", ["details__contains=x", "details__friend=1", "made__gte=never"])
def test_the_audit_answers_400_to_what_it_cannot_be_asked(staff: Client, address: str, query: str) -> None:
    assert staff.get(f"{listed_at(AuditEntry)}{address}?{query}").status_code == 400


@pytest.mark.parametrize("field", ["session_key", "user"])
def test_rows_are_looked_for_by_their_key_alone(staff: Client, field: str) -> None:
    assert staff.get(listed_at(UserSession), {"_to_field": field}).status_code == 400


# -- Searching and ordering --------------------------------------------------------------------------


def test_no_secret_is_searched(rf: RequestFactory, chief: User) -> None:
    request = rf.get("/")
    request.user = chief
    for model, model_admin in registered():
        for path in model_admin.get_search_fields(request):
            assert not is_secret(final_field(model, path)), (model, path)


def test_no_list_is_ordered_by_a_secret(rf: RequestFactory, chief: User) -> None:
    tried = 0
    for model, model_admin in registered():
        for column in range(len(model_admin.list_display) + 2):
            request = rf.get("/", {"o": f"-{column}"})
            request.user = chief
            found = model_admin.get_changelist_instance(request).queryset.query.order_by
            for path in found:
                if isinstance(path, str) and path.lstrip("-") != "pk":
                    assert not is_secret(final_field(model, path)), (model, path)
                    tried += 1
    assert tried > 50


# -- What pages show -----------------------------------------------------------------------------------


@pytest.fixture
def secret(start: Callable[..., Game], alice: User, chief: User) -> str:
    """A word that stands in every secret of a row in the admin."""
    word = "zqsecretqz"
    game = start(alice, "random")
    Game.objects.filter(pk=game.pk).update(invite_code=word)
    User.objects.filter(pk=alice.pk).update(password=f"argon2${word}", email="alice@example.org")
    Authenticator.objects.create(user=alice, type="totp", data={"secret": word})
    UserSession.objects.create(
        user=alice, ip="192.0.2.1", session_key=word, user_agent="Browser", data={"told": word}
    )
    EmailAddress.objects.create(user=alice, email="alice@example.org")
    ApiToken.objects.create(member=alice, name="mine", hash=word)
    Endpoint.objects.create(user=alice, kind="json", url=f"https://{word}.example", public=word, auth=word)
    Invitation.objects.create(game=game, address="friend@example.org", invited_by=alice, code=word)
    UnsubscribedAddress.objects.create(address="else@example.org", reason="bounce")
    AuditEntry.objects.create(
        by=chief, by_name="chief", action="warn", member=alice, reason="x", form=uuid4()
    )
    return word


def shown(client: Client) -> str:
    """Every page of the admin about one row of each model, and the lists."""
    pages = []
    for model, _admin in registered():
        names = (model._meta.app_label, model._meta.model_name)
        pages.append(client.get(listed_at(model)))
        for row in model._default_manager.all()[:3]:
            for view in ("change", "history", "delete"):
                pages.append(client.get(reverse(f"admin:{names[0]}_{names[1]}_{view}", args=[row.pk])))
    assert sum(page.status_code == 200 for page in pages) > 30
    return "".join(page.content.decode() for page in pages if page.status_code == 200)


def test_no_page_shows_a_secret(staff: Client, secret: str) -> None:
    seen = shown(staff)
    assert "alice" in seen
    assert "192.0.2.1" in seen
    assert secret not in seen
    assert secret[:6] not in seen


def test_a_library_s_page_shows_the_columns_of_its_list(rf: RequestFactory, chief: User) -> None:
    request = rf.get("/")
    request.user = chief
    page = guarded(mfa_admin.AuthenticatorAdmin)(Authenticator, admin.site)
    assert "data" not in page.get_fields(request)
    # The twin: the library alone shows the secret of the second factor.
    assert "data" in mfa_admin.AuthenticatorAdmin(Authenticator, admin.site).get_fields(request)


# -- The attack, and its twins --------------------------------------------------------------------------


def guessed(client: Client, model: type[models.Model], lookup: str, letters: int) -> str:
    """Read a secret by asking for its beginning, letter by letter; return what was found."""
    found = ""
    for _ in range(letters):
        for letter in "0123456789abcdefghijklmnopqrstuvwxyz":
            answer = client.get(listed_at(model), {lookup: f"{found}{letter}"})
            if answer.status_code == 200 and answer.context["cl"].result_count:
                found += letter
                break
    return found


@pytest.fixture
def victim() -> User:
    user = User.objects.create_user("victim")
    UserSession.objects.create(user=user, ip="192.0.2.1", session_key="k3yofvictim", user_agent="x")
    return user


ATTACKS = [
    (UserSession, "session_key__startswith"),
    (User, "usersession__session_key__startswith"),
    (EmailAddress, "user__usersession__session_key__startswith"),
]


@pytest.mark.parametrize("model, lookup", ATTACKS)
def test_a_session_key_cannot_be_guessed_letter_by_letter(
    staff: Client, victim: User, model: type[models.Model], lookup: str
) -> None:
    EmailAddress.objects.create(user=victim, email="victim@example.org")
    assert guessed(staff, model, lookup, 1) == ""


@pytest.mark.parametrize("model, lookup", ATTACKS)
def test_without_the_guard_a_session_key_is_guessed(
    staff: Client, victim: User, model: type[models.Model], lookup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    EmailAddress.objects.create(user=victim, email="victim@example.org")
    UserSession.objects.exclude(user=victim).delete()
    monkeypatch.setattr(ListedOnly, "lookup_allowed", lambda admin, lookup, value, request=None: True)
    assert guessed(staff, model, lookup, 3) == "k3y"
