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
        help_text=_("If empty, it stays on until someone turns it off."),
    )
    text = TextField(
        label=_("Message for everyone"),
        required=False,
        max_length=MAX_TEXT_LENGTH,
        help_text=_("For a notice, this is the whole message. Otherwise it follows the standard sentence."),
    )


def _turn_on(
    switch: SiteSwitch, *, by: User | None, reason: str, until: datetime | None, text: str | None
) -> dict[str, Any]:
    locked = _locked(switch)
    if locked.kind == Kind.NOTICE and not text:
        raise ValidationError({"text": _("Enter the text of the notice.")})
    if not locked.is_on():
        locked.since = timezone.now()
    locked.until, locked.text = until, text or ""
    _save(locked)
    return {"switch": locked.kind}


def _turn_off(switch: SiteSwitch, *, by: User | None, reason: str) -> dict[str, Any]:
    locked = _locked(switch)
    if not locked.is_on():
        raise Refusal(str(_("This switch is already off.")))
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
                "Turns the switch on, or changes its end and its message. All pages show this within seconds."
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
            against=lambda switch: None if switch.is_on() else _("This switch is off."),
            about=_about,
        ),
    )
}
