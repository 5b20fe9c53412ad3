"""The admin lets nobody, superusers included, change a row without a staff action, but for what is listed."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.test import RequestFactory

from accounts.models import User
from accounts.web.moderation.credential_admin import AuthenticatorAdmin, EmailAddressAdmin

pytestmark = pytest.mark.django_db

# Forms of the admin itself that superusers may use, and why they need no reason in the audit. Each of these
# is in the history of the changed row, and none of them is about a single member.
ALLOWED = {
    "accounts.AccountMail": ({"action send_once_more"}, "sends what the site wanted to send anyway"),
    "accounts.SitePage": ({"add", "change", "delete"}, "the operator's own texts, which everybody can read"),
    "auth.Group": ({"add", "change", "delete"}, "what a role may do; giving it to a member is an action"),
    "games.Notification": ({"action send_once_more"}, "sends what the site wanted to send anyway"),
    "games.ReplyTemplate": ({"add", "change", "delete"}, "sentences to choose from in an action"),
    "games.UnsubscribedAddress": ({"add", "delete"}, "addresses of people who are no members"),
}


@pytest.fixture
def request_of_chief(rf: RequestFactory) -> HttpRequest:
    request = rf.get("/")
    request.user = User.objects.create_superuser("chief")
    return request


def possible(one: admin.ModelAdmin, request: HttpRequest) -> set[str]:
    """Return what the request's person can do with the rows of a model by the admin's own means."""
    found = {f"action {name}" for name in one.get_actions(request)}
    for way, is_possible in (
        ("add", one.has_add_permission(request)),
        ("change", one.has_change_permission(request)),
        ("delete", one.has_delete_permission(request)),
    ):
        found |= {way} if is_possible else set()
    return found | ({"edit in the list"} if one.list_editable else set()) | set(map(str, one.inlines))


def ways(request: HttpRequest) -> dict[str, set[str]]:
    found = {model._meta.label: possible(one, request) for model, one in admin.site._registry.items()}
    return {label: what for label, what in found.items() if what}


def test_superusers_change_only_what_is_listed(request_of_chief: HttpRequest) -> None:
    assert ways(request_of_chief) == {label: what for label, (what, _reason) in ALLOWED.items()}


def test_no_list_deletes_what_is_selected() -> None:
    assert "delete_selected" not in [name for name, _action in admin.site.actions]


def test_no_route_sets_a_password() -> None:
    routes = [str(pattern.pattern) for one in admin.site._registry.values() for pattern in one.get_urls()]
    assert len(routes) > 50
    assert not [route for route in routes if "password" in route]


def test_open_stock_actions_are_detected(
    request_of_chief: HttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AuthenticatorAdmin, "has_delete_permission", lambda *args: True)
    monkeypatch.setattr(EmailAddressAdmin, "actions", ["make_verified"])
    monkeypatch.setattr(EmailAddressAdmin, "make_verified", lambda *args: None, raising=False)
    found = ways(request_of_chief)
    assert found["mfa.Authenticator"] == {"delete"}
    assert found["account.EmailAddress"] == {"action make_verified"}


def test_groups_are_the_only_way_to_rights(request_of_chief: HttpRequest) -> None:
    assert possible(admin.site._registry[User], request_of_chief) == set()
    assert "change" in possible(admin.site._registry[Group], request_of_chief)
