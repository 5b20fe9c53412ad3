"""Validators for names and time zones."""

from functools import cache
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.names import lookalikes

# Other letters may be confused with these, be written from right to left or have no width.
name_shape = RegexValidator(
    r"\A[A-Za-z0-9_-]{3,20}\Z",
    gettext_lazy("Use 3 to 20 letters (a to z), digits, hyphens or underscores."),
)

_RESERVED = gettext_lazy(
    "This name, or one that looks like it, is reserved for the site. Choose another one."
)


def name_is_nobodys(name: str) -> None:
    """Refuse names reserved for guests, bot accounts, bots and the site."""
    if lookalikes.is_bot_name(name):
        raise ValidationError(_("Names that end in “-bot” are reserved for bots. Choose another name."))
    if lookalikes.is_guest_name(name):
        raise ValidationError(
            _("Names that begin with “Guest-” are reserved for guests. Choose another name.")
        )
    if lookalikes.is_reserved(name):
        raise ValidationError(_RESERVED)


def name_of_a_program(name: str) -> None:
    """Refuse names of bot accounts without the ending, or that look like a name of the site."""
    if not name.lower().endswith(lookalikes.PROGRAM_ENDING) or len(name) < 3 + len(lookalikes.PROGRAM_ENDING):
        raise ValidationError(_("A bot’s name must end in “-bot”, with at least 3 characters before it."))
    bare = lookalikes.without_ending(name)
    if lookalikes.is_reserved(name) or lookalikes.is_reserved(bare):
        raise ValidationError(_RESERVED)


# Used by allauth at sign-up (ACCOUNT_USERNAME_VALIDATORS).
username_validators = [name_shape, name_is_nobodys]


def known_time_zone(name: str) -> None:
    """Refuse names that are not in this machine's IANA time zone database."""
    if name not in available_time_zones():
        raise ValidationError(_("This time zone is unknown. Choose one from the list."))


@cache
def available_time_zones() -> frozenset[str]:
    return frozenset(available_timezones())
