"""The site switches and their messages.

Each process caches them for some seconds, so that pages need no query.
"""

import time
from typing import Any

from django.apps import apps as installed
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import SiteSwitch
from accounts.refusals import RegistrationClosed

Kind = SiteSwitch.Kind

# The cached switches, and when they were read on the monotonic clock.
_read: tuple[dict[str, SiteSwitch], float] | None = None


def is_on(kind: Kind) -> bool:
    """Return whether the switch is on, according to the cache."""
    return get(kind).is_on()


def is_on_now(kind: Kind) -> bool:
    """Return whether the switch is on, according to the database."""
    clear_cache()
    return is_on(kind)


def get(kind: Kind) -> SiteSwitch:
    """The switch from the cache; an unsaved one that is off if the database has none."""
    global _read
    now, known = time.monotonic(), _read
    if known is None or now - known[1] > settings.SWITCH_CACHE_SECONDS:
        known = _read = {switch.kind: switch for switch in SiteSwitch.objects.all()}, now
    return known[0].get(kind) or SiteSwitch(kind=kind)


def clear_cache() -> None:
    global _read
    _read = None


def message(kind: Kind) -> str:
    """The message that pages show while a switch is on."""
    switch = get(kind)
    sentence = {
        Kind.NOTICE: "",
        Kind.REGISTRATION: _("Sign-up and guest play are closed right now. Try again later."),
        Kind.GAMES: _("No new games can be created right now. Existing games go on."),
        Kind.READING: _(
            "The site is read-only right now. Nothing is saved, clocks are paused and nobody loses time."
        ),
        Kind.PROGRAMS: _("Bots cannot play here right now."),
    }[kind]
    if sentence and switch.until:
        sentence = _("{sentence} This ends on {moment}.").format(
            sentence=sentence, moment=date_format(timezone.localtime(switch.until), "DATETIME_FORMAT")
        )
    return f"{sentence} {switch.text}".strip()


def seconds_left(kind: Kind) -> int | None:
    """Seconds until the switch turns off; None if it has no end."""
    until = get(kind).until
    return None if until is None else max(1, round((until - timezone.now()).total_seconds()))


def check_registration() -> None:
    """Raise RegistrationClosed while registration is closed."""
    if is_on(Kind.REGISTRATION):
        raise RegistrationClosed(message(Kind.REGISTRATION))


def create_missing(apps: Any = installed, using: str = "default", **_: Any) -> None:
    """Create the missing switches, all off; for migrations and the post_migrate signal."""
    try:
        rows = apps.get_model("accounts", "siteswitch").objects.using(using)
    except LookupError:
        return  # the database is at an older migration
    for kind in Kind.values:
        rows.get_or_create(kind=kind)
