"""The switches of the site: which are on, and what people are told.

Pages must not ask the database for them each time, so a process believes what it has read for some seconds.
"""

import time
from typing import Any

from django.apps import apps as installed
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import SiteSwitch
from accounts.refusals import Refusal

Kind = SiteSwitch.Kind

# What this process has read, and when by a clock that nobody sets.
_read: tuple[dict[str, SiteSwitch], float] | None = None


class RegistrationClosed(Refusal):
    """The operator has closed the site to new members and guests."""

    status = 403

    @property
    def message(self) -> str:
        return message(Kind.REGISTRATION)


def is_on(kind: Kind) -> bool:
    """Whether the switch is on, as far as this process knows."""
    return get(kind).is_on()


def is_on_now(kind: Kind) -> bool:
    """Whether the switch is on, by the database itself."""
    clear_cache()
    return is_on(kind)


def get(kind: Kind) -> SiteSwitch:
    """The switch as this process knows it; one that is off where the database has none."""
    global _read
    now, known = time.monotonic(), _read
    if known is None or now - known[1] > settings.SWITCH_CACHE_SECONDS:
        known = _read = {switch.kind: switch for switch in SiteSwitch.objects.all()}, now
    return known[0].get(kind) or SiteSwitch(kind=kind)


def clear_cache() -> None:
    """Ask the database again at the next question."""
    global _read
    _read = None


def message(kind: Kind) -> str:
    """What people are told of a switch that is on."""
    switch = get(kind)
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
    until = get(kind).until
    return None if until is None else max(1, round((until - timezone.now()).total_seconds()))


def check_registration() -> None:
    """Raise RegistrationClosed while nobody new may come."""
    if is_on(Kind.REGISTRATION):
        raise RegistrationClosed


def create_missing(apps: Any = installed, using: str = "default", **_: Any) -> None:
    """Make the switches that are missing, all off: for a migration, and for what follows every migration."""
    try:
        rows = apps.get_model("accounts", "siteswitch").objects.using(using)
    except LookupError:
        return  # a database that stands at an older migration
    for kind in Kind.values:
        rows.get_or_create(kind=kind)
