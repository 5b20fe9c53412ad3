"""Staff actions performed as the admin and the commands do."""

from typing import Any

from accounts.models import AuditEntry, User
from accounts.moderation.staff_actions import Action, perform


def perform_action(action: Action, target: Any, by: User | None, reason: str, **values: Any) -> AuditEntry:
    """Perform an action on a target; `values` fill in the fields of its form."""
    return perform(action, action.form_class({**values, "reason": reason}, target=target), by=by)
