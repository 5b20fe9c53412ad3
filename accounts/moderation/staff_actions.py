"""Staff actions with their permissions and audit entries, for the admin and for commands."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import AuditEntry, User
from accounts.moderation.action_forms import ActionForm
from accounts.refusals import ActionNotAllowed, Refusal

Text = str | Promise

# The actor of actions performed by a command; no member's name has a space in it.
SHELL_USER = "the shell"


def subject(target: Any) -> dict[str, Any]:
    """Return the columns of an audit entry that name the target, a member or a game."""
    if isinstance(target, User):
        return {"member": target}
    return {"game": getattr(target, "public_id", "")}


@dataclass(frozen=True, slots=True)
class Preset:
    """A common use of an action, with a button of its own.

    values(target): what the form begins with, the reason included; None where the preset does not fit.
    """

    name: str
    label: Text
    values: Callable[[Any], Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Action:
    """An action of staff on a target.

    name: its identifier in addresses, commands and the audit.
    label: the text of the button.
    permission: a Django permission such as "games.moderate_game".
    form_class: the form to fill in; its fields without the reason are the details of the audit.
    perform(target, *, by, **cleaned_data): performs it, in a transaction. Locks and rereads the target.
        Returns public facts for the audit as JSON, or None. Raises Refusal, and ValidationError for
        what only shows once the target is locked.
    sentence: what it does, for readers who do not know it yet.
    against(target): why it is not possible now, in a sentence; None if it is.
    bars(target, by): why this person may not do it, in a sentence; None if they may.
    foresee(target, **values): what will happen, in a sentence, where `sentence` does not say it all.
    about(target): the audit columns that name whom it is about: `member`, `game`.
    read_by: who reads the reason besides the staff, in a sentence; "" if only the audit has it.
    presets: its common uses.
    """

    name: str
    label: Text
    permission: str
    form_class: type[ActionForm]
    perform: Callable[..., Mapping[str, Any] | None]
    _: KW_ONLY
    sentence: Text
    against: Callable[[Any], Text | None] | None = None
    bars: Callable[[Any, User], Text | None] | None = None
    foresee: Callable[..., Text] | None = None
    about: Callable[[Any], dict[str, Any]] = subject
    read_by: Text = ""
    presets: tuple[Preset, ...] = ()


def has_permission(action: Action, by: User | None) -> bool:
    """Return whether this person has the permission for the action; None is the server's shell."""
    return by is None or (by.is_active and by.is_staff and by.has_perm(action.permission))


def check_actor(action: Action, target: Any, by: User | None) -> None:
    """Raise ActionNotAllowed unless this person may perform the action on this target."""
    if not has_permission(action, by):
        raise ActionNotAllowed(_("You do not have permission to do this. Ask another member of staff."))
    if by is not None and (sentence := action.bars and action.bars(target, by)):
        raise ActionNotAllowed(str(sentence))


def check_action(action: Action, target: Any, by: User | None) -> None:
    """Raise ActionNotAllowed, or Refusal if the action is not possible on this target now."""
    check_actor(action, target, by)
    if sentence := action.against and action.against(target):
        raise Refusal(str(sentence))


def perform(action: Action, form: ActionForm, *, by: User | None, key: UUID | None = None) -> AuditEntry:
    """Perform an action on the form's target with its audit entry, both or neither; return the entry.

    `by` is None for the server's shell. `key` identifies the submitted form: submitted again, it returns the
    first entry and does nothing. Raises Refusal, or ValidationError for errors of the form.
    """
    if key is not None and (done := _performed(key, action, form.target, by)):
        return done
    try:
        with transaction.atomic():
            return _perform(action, form, by, key)
    except (IntegrityError, Refusal, ValidationError):
        # The same form may have been submitted at the same moment: then this transaction is undone.
        if key is not None and (done := _performed(key, action, form.target, by)):
            return done
        if key is not None and AuditEntry.objects.filter(form=key).exists():
            raise Refusal(_("This form was already used for something else. Open it again.")) from None
        raise


def is_performed(key: UUID, action: Action, target: Any, by: User | None) -> bool:
    """Return whether this form was performed before."""
    return _performed(key, action, target, by) is not None


def perform_part(action: Action, target: Any, *, by: User | None, values: Mapping[str, Any]) -> AuditEntry:
    """Perform an action as a part of another one, in its transaction, with an audit entry of its own.

    `values` holds the cleaned values of its form, and may hold more. Raises Refusal and ValidationError.
    """
    check_action(action, target, by)
    cleaned = {name: values[name] for name in action.form_class.base_fields}
    return _carry_out(action, target, by, cleaned, None)


def _perform(action: Action, form: ActionForm, by: User | None, key: UUID | None) -> AuditEntry:
    check_action(action, form.target, by)
    if not form.is_valid():
        raise ValidationError(form.errors.as_data())
    try:
        return _carry_out(action, form.target, by, form.cleaned_data, key)
    except ValidationError as error:
        form.add_error(None, error)
        raise


def _carry_out(
    action: Action, target: Any, by: User | None, cleaned: Mapping[str, Any], key: UUID | None
) -> AuditEntry:
    """Perform an action with the cleaned values of its form, and write the audit entry."""
    own = {name: cleaned[name] for name in action.form_class.own_fields()}
    details = {name: _as_json(value) for name, value in own.items() if value is not None}
    about = action.about(target)
    facts = action.perform(target, by=by, **cleaned)
    return AuditEntry.objects.create(
        by=by,
        by_name=by.username if by else SHELL_USER,
        action=action.name,
        reason=cleaned["reason"],
        details={**details, **(facts or {})},
        form=key,
        **about,
    )


def _performed(key: UUID, action: Action, target: Any, by: User | None) -> AuditEntry | None:
    return AuditEntry.objects.filter(form=key, action=action.name, by=by, **action.about(target)).first()


def _as_json(value: Any) -> Any:
    if isinstance(value, User):
        return {"member": value.pk}  # the name is deleted with the member
    return value.isoformat() if isinstance(value, date) else value
