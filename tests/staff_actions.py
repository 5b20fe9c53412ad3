"""Staff actions performed by tests, as the admin and the commands do."""

from typing import Any

from accounts.models import Audit, User
from accounts.services.actions import Action, carry_out


def perform_action(action: Action, target: Any, by: User | None, reason: str, **values: Any) -> Audit:
    """Perform an action on a target; `values` fill in the fields of its form."""
    return carry_out(action, action.form_class({**values, "reason": reason}, target=target), by=by)
