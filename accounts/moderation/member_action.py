"""The common parts of staff actions on members: their permissions, bars and checks."""

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import ActionForm
from accounts.moderation.staff_actions import Action, Preset, Text

PERMISSION: Final = "accounts.manage_member"

# A permission that nobody can be given: superusers have every one.
SUPERUSERS: Final = "accounts.superuser"

READ_BY_MEMBER: Final = _("The member reads this word for word, by email and on their account status page.")
READ_IN_MAIL: Final = _("The member reads this word for word in the email.")


def bars(member: User, by: User) -> Text | None:
    """Return why this person may not act on the member, or None.

    Nobody acts on their own account; only administrators act on the accounts of staff.
    """
    if member.pk == by.pk:
        return _("You cannot act on your own account. Ask another member of staff.")
    if (member.is_staff or member.is_superuser) and not by.is_superuser:
        return _("This member is staff too. Only a superuser can act on their account.")
    return None


def gone(member: User) -> Text | None:
    return None if member.is_active else _("This account is already closed.")


def member_action(
    name: str,
    label: Text,
    sentence: Text,
    perform: Callable[..., Any],
    form_class: type[ActionForm] = ActionForm,
    *,
    against: Callable[[User], Text | None] = gone,
    permission: str = PERMISSION,
    foresee: Callable[..., Text] | None = None,
    read_by: Text = "",
    presets: tuple[Preset, ...] = (),
) -> Action:
    """Return an action on members; by default for those who manage members."""
    return Action(
        name,
        label,
        permission,
        form_class,
        perform,
        sentence=sentence,
        against=against,
        bars=bars,
        foresee=foresee,
        read_by=read_by,
        presets=presets,
    )
