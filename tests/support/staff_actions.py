"""Staff actions performed as the admin and the commands do."""

import re
from typing import Any

from django.test import Client

from accounts.models import AuditEntry, User
from accounts.moderation.staff_actions import Action, perform


def perform_action(action: Action, target: Any, by: User | None, reason: str, **values: Any) -> AuditEntry:
    """Perform an action on a target; `values` fill in the fields of its form."""
    return perform(action, action.form_class({**values, "reason": reason}, target=target), by=by)


def hidden_fields(page: str) -> dict[str, str]:
    """The hidden fields with which the page of an action sends its form."""
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    found.pop("csrfmiddlewaretoken", None)
    return found


def shown_for(client: Client, url: str, fields: dict[str, str]) -> Any:
    """Enter these fields on the page of an action, and return the page that says what will happen."""
    return client.post(url, fields, follow=True)


def done_by_page(client: Client, url: str, fields: dict[str, str]) -> Any:
    """Enter these fields on the page of an action, confirm what it says, and return the answer."""
    shown = shown_for(client, url, fields).content.decode()
    return client.post(url, {**fields, **hidden_fields(shown), "confirm": "Do it"})
