"""The switches of the site: which are on, what people are told, and how they are turned.

Pages must not ask the database for them each time, so a process believes what it has read for some seconds.
"""

import time
from datetime import datetime
from typing import Any, Final

from django.apps import apps as installed
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Switch, User

from .actions import Action, WrongInput
from .fields import Field
from .refusals import Refusal

Kind = Switch.Kind

TEXT_LENGTH = 300

# What this process has read, and when by a clock that nobody sets.
_read: tuple[dict[str, Switch], float] | None = None


class RegistrationClosed(Refusal):
    """The operator has closed the site to new members and guests."""

    status = 403

    @property
    def message(self) -> str:
        return told(Kind.REGISTRATION)


# -- Asking ----------------------------------------------------------------------------------------


def is_on(kind: Kind) -> bool:
    """Whether the switch is on, as far as this process knows."""
    return found(kind).is_on()


def is_on_now(kind: Kind) -> bool:
    """Whether the switch is on, by the database itself."""
    forget()
    return is_on(kind)


def found(kind: Kind) -> Switch:
    """The switch as this process knows it; one that is off where the database has none."""
    global _read
    now, known = time.monotonic(), _read
    if known is None or now - known[1] > settings.SWITCHES_KEPT:
        known = _read = {switch.kind: switch for switch in Switch.objects.all()}, now
    return known[0].get(kind) or Switch(kind=kind)


def forget() -> None:
    """Ask the database again at the next question."""
    global _read
    _read = None


def told(kind: Kind) -> str:
    """What people are told of a switch that is on."""
    switch = found(kind)
    sentence = {
        Kind.NOTICE: "",
        Kind.REGISTRATION: _("Nobody can register or play as a guest just now."),
        Kind.GAMES: _("No new games can be opened just now. Those that there are go on."),
        Kind.READING: _(
            "The site can only be read just now: nothing is recorded, no clock runs, and nobody loses time."
        ),
        Kind.PROGRAMS: _("Programs cannot play here just now."),
    }[kind]
    if sentence and switch.until:
        sentence = _("{sentence} It is open again from {moment}.").format(
            sentence=sentence, moment=date_format(timezone.localtime(switch.until), "DATETIME_FORMAT")
        )
    return f"{sentence} {switch.text}".strip()


def seconds_left(kind: Kind) -> int | None:
    """How long the switch stays on; None when nobody knows."""
    until = found(kind).until
    return None if until is None else max(1, round((until - timezone.now()).total_seconds()))


def check_registration() -> None:
    """Raise RegistrationClosed while nobody new may come."""
    if is_on(Kind.REGISTRATION):
        raise RegistrationClosed


def make_rows(apps: Any = installed, using: str = "default", **_: Any) -> None:
    """Make the switches that are missing, all off: for a migration, and for what follows every migration."""
    try:
        rows = apps.get_model("accounts", "Switch").objects.using(using)
    except LookupError:
        return  # a database that stands at an older migration
    for kind in Kind.values:
        rows.get_or_create(kind=kind)


# -- Turning ---------------------------------------------------------------------------------------


def _turn_on(
    switch: Switch, *, by: User | None, reason: str, until: datetime | None, text: str | None
) -> dict[str, Any]:
    locked = _locked(switch)
    if locked.kind == Kind.NOTICE and not text:
        raise WrongInput(_("Write what the notice says."), "text")
    if not locked.is_on():
        locked.since = timezone.now()
    locked.until, locked.text = until, text or ""
    _save(locked)
    return {"switch": locked.kind}


def _turn_off(switch: Switch, *, by: User | None, reason: str) -> dict[str, Any]:
    locked = _locked(switch)
    if not locked.is_on():
        raise Refusal(_("It is off already."))
    # It ends now, as it would have ended by itself: what it has stopped goes on from here.
    locked.until = timezone.now()
    _save(locked)
    return {"switch": locked.kind}


def _locked(switch: Switch) -> Switch:
    return Switch.objects.select_for_update().get(pk=switch.pk)


def _save(switch: Switch) -> None:
    switch.save()
    forget()
    # Another thread may have read meanwhile what was stored before.
    transaction.on_commit(forget)


def _about(switch: Switch) -> dict[str, Any]:
    """A switch is about no member and no game; the details name it."""
    return {}


SWITCH_ACTIONS: Final[dict[str, Action]] = {
    action.name: action
    for action in (
        Action(
            name="turn-on",
            label=gettext_lazy("Turn on"),
            sentence=gettext_lazy(
                "Turns the switch on, or changes its end and its text. All pages know within some seconds."
            ),
            permission="accounts.turn_switch",
            run=_turn_on,
            fields=(
                Field(
                    "until",
                    gettext_lazy("Until"),
                    "moment",
                    required=False,
                    help=gettext_lazy("Left empty, it stays on until somebody turns it off."),
                ),
                Field(
                    "text",
                    gettext_lazy("What people are told"),
                    "text",
                    required=False,
                    most=TEXT_LENGTH,
                    help=gettext_lazy("A notice consists of it; else it follows the usual sentence."),
                ),
            ),
            about=_about,
        ),
        Action(
            name="turn-off",
            label=gettext_lazy("Turn off"),
            sentence=gettext_lazy("Turns the switch off before its end."),
            permission="accounts.turn_switch",
            run=_turn_off,
            against=lambda switch: None if switch.is_on() else gettext_lazy("It is off."),
            about=_about,
        ),
    )
}
