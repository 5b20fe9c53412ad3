"""Staff actions that turn the site switches on and off."""

from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import SiteSwitch, User
from accounts.moderation.action_forms import ActionForm, MomentField, TextField
from accounts.moderation.staff_actions import Action
from accounts.operator import site_switches
from accounts.refusals import Refusal

Kind = SiteSwitch.Kind

MAX_TEXT_LENGTH: Final = 300


class TurnOnForm(ActionForm):
    until = MomentField(
        label=_("Until"),
        required=False,
        help_text=_("Left empty, it stays on until somebody turns it off."),
    )
    text = TextField(
        label=_("What people are told"),
        required=False,
        max_length=MAX_TEXT_LENGTH,
        help_text=_("A notice consists of it; else it follows the usual sentence."),
    )


def _turn_on(
    switch: SiteSwitch, *, by: User | None, reason: str, until: datetime | None, text: str | None
) -> dict[str, Any]:
    locked = _locked(switch)
    if locked.kind == Kind.NOTICE and not text:
        raise ValidationError({"text": _("Write what the notice says.")})
    if not locked.is_on():
        locked.since = timezone.now()
    locked.until, locked.text = until, text or ""
    _save(locked)
    return {"switch": locked.kind}


def _turn_off(switch: SiteSwitch, *, by: User | None, reason: str) -> dict[str, Any]:
    locked = _locked(switch)
    if not locked.is_on():
        raise Refusal(str(_("It is off already.")))
    # Ends as it would have by itself: whatever it stopped goes on from here.
    locked.until = timezone.now()
    _save(locked)
    return {"switch": locked.kind}


def _locked(switch: SiteSwitch) -> SiteSwitch:
    return SiteSwitch.objects.select_for_update().get(pk=switch.pk)


def _save(switch: SiteSwitch) -> None:
    switch.save()
    site_switches.clear_cache()
    # Another thread may have cached the old state meanwhile.
    transaction.on_commit(site_switches.clear_cache)


def _about(switch: SiteSwitch) -> dict[str, Any]:
    """Name no member or game in the audit entry: the details name the switch."""
    return {}


SWITCH_ACTIONS: Final[dict[str, Action]] = {
    action.name: action
    for action in (
        Action(
            name="turn-on",
            label=_("Turn on"),
            permission="accounts.turn_switch",
            form_class=TurnOnForm,
            perform=_turn_on,
            sentence=_(
                "Turns the switch on, or changes its end and its text. All pages know within some seconds."
            ),
            about=_about,
        ),
        Action(
            name="turn-off",
            label=_("Turn off"),
            permission="accounts.turn_switch",
            form_class=ActionForm,
            perform=_turn_off,
            sentence=_("Turns the switch off before its end."),
            against=lambda switch: None if switch.is_on() else _("It is off."),
            about=_about,
        ),
    )
}
