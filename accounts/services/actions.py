"""What staff does: one way for the admin's pages and for commands, and no way around the audit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import Audit, User

from .fields import Field, Text, read_all
from .refusals import NotForYou, Refusal, WrongInput

__all__ = ["Action", "Field", "WrongInput", "carry_out", "prepare"]

# Who it was when a command did it on the server; no member's name has a space in it.
SHELL = "the shell"

REASON_LENGTH = 1000


def subject(target: Any) -> dict[str, Any]:
    """What an audit entry says of whom or what it is about: a member, or something with a public id."""
    if isinstance(target, User):
        return {"member": target}
    return {"game": getattr(target, "public_id", "")}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that staff can do to a target.

    name: its word in addresses, commands and the audit.
    label: on the button. sentence: what it does, for whom does not know it yet.
    permission: as "games.moderate_game".
    run(target, *, by, reason, **values): does it, in a transaction; `values` are the fields, as what they
        stand for, None where one was left out. Whatever it locks, it reads again. Returns public facts for
        the audit as JSON, or None. Raises Refusal.
    against(target): why it is not offered as things are, in a sentence; None when it is.
    bars(target, by): why this person must leave it to others, in a sentence; None when nothing does.
    foresee(target, **values): what will happen, in a sentence, where `sentence` does not say it all.
    about(target): the columns of the audit that say whom it is about: `member`, `game`.
    read_by: who reads the reason besides the staff, in a sentence; "" where the audit alone keeps it.
    version(target): as what the target is now, where others may change what will happen by it. `run` is
        then given as `seen` what it was when that was shown, None when nobody was shown it, and raises
        MovedOn unless it is still so.
    """

    name: str
    label: Text
    sentence: Text
    permission: str
    run: Callable[..., Mapping[str, Any] | None]
    fields: Sequence[Field] = ()
    against: Callable[[Any], Text | None] | None = None
    bars: Callable[[Any, User], Text | None] | None = None
    foresee: Callable[..., Text] | None = None
    about: Callable[[Any], dict[str, Any]] = subject
    read_by: Text = ""
    version: Callable[[Any], int] | None = None


def may(action: Action, by: User | None) -> bool:
    """Whether this person has the right to do such things at all; None is whoever has the server's shell."""
    return by is None or (by.is_active and by.is_staff and by.has_perm(action.permission))


def check_person(action: Action, target: Any, by: User | None) -> None:
    """Raise NotForYou unless this person may do this, and may do it to this target."""
    if not may(action, by):
        raise NotForYou(_("You have no right to do this. Ask somebody who looks after the site."))
    if by is not None and (sentence := action.bars and action.bars(target, by)):
        raise NotForYou(str(sentence))


def prepare(
    action: Action, *, target: Any, by: User | None, reason: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    """All that is looked at before something is done; returns the values as what they stand for.

    Raises NotForYou, WrongInput, or another Refusal when it cannot be done as things are.
    """
    check_person(action, target, by)
    if sentence := action.against and action.against(target):
        raise Refusal(str(sentence))
    return read_all(action.fields, values, target, list(_wrong_reason(reason)))


def _wrong_reason(reason: str) -> Iterator[WrongInput]:
    if not reason.strip():
        yield WrongInput(_("Say why: the audit keeps the reason."), "reason")
    if len(reason) > REASON_LENGTH:
        yield WrongInput(_("The reason has at most {n} characters.").format(n=REASON_LENGTH), "reason")


def carry_out(
    action: Action,
    *,
    target: Any,
    by: User | None,
    reason: str,
    values: Mapping[str, Any],
    form: UUID | None = None,
    seen: int | None = None,
) -> Audit:
    """Do it and write it into the audit, both or neither; returns the entry.

    `by` is None for whoever has the server's shell. `form` names the form that was filled in: sent again it
    does nothing again, and the first entry is returned. `seen` is the version for which the form told what
    will happen, where the action has one. Raises Refusal.
    """
    if form is not None and (done := _done(form, action, target, by)):
        return done
    try:
        with transaction.atomic():
            return _carry_out(action, target, by, reason, values, form, seen)
    except (IntegrityError, Refusal):
        # The same form, sent at the same moment, may have been faster; then what was done here is undone.
        if form is not None and (done := _done(form, action, target, by)):
            return done
        if form is not None and Audit.objects.filter(form=form).exists():
            raise Refusal(_("This form was sent for something else before. Open it again.")) from None
        raise


def _carry_out(
    action: Action,
    target: Any,
    by: User | None,
    reason: str,
    values: Mapping[str, Any],
    form: UUID | None,
    seen: int | None,
) -> Audit:
    read = prepare(action, target=target, by=by, reason=reason, values=values)
    about = action.about(target)
    shown = {"seen": seen} if action.version else {}
    facts = action.run(target, by=by, reason=reason.strip(), **shown, **read)
    told = {name: _as_json(value) for name, value in read.items() if value is not None}
    return Audit.objects.create(
        by=by,
        by_name=by.username if by else SHELL,
        action=action.name,
        reason=reason.strip(),
        details={**told, **(facts or {})},
        form=form,
        **about,
    )


def _done(form: UUID, action: Action, target: Any, by: User | None) -> Audit | None:
    return Audit.objects.filter(form=form, action=action.name, by=by, **action.about(target)).first()


def _as_json(value: Any) -> Any:
    if isinstance(value, User):
        return {"member": value.pk}  # the name goes when the member goes
    return value.isoformat() if isinstance(value, date) else value
