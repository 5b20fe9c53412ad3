"""What a name may look like, and which time zones there are."""

from functools import cache
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.names import lookalikes

# Letters outside a to z can be other signs than they seem, or be written backwards, or have no width.
name_shape = RegexValidator(
    r"\A[A-Za-z0-9_-]{3,20}\Z",
    gettext_lazy("A name has 3 to 20 letters (a to z), digits, hyphens or underscores."),
)


def name_is_nobodys(name: str) -> None:
    """Refuse names that the site keeps for guests, programs, computer opponents and itself."""
    if lookalikes.is_bot_name(name):
        raise ValidationError(_("Names that end with “-bot” are kept for programs."))
    if lookalikes.is_guest_name(name):
        raise ValidationError(_("Names that begin with “Guest-” are kept for guests."))
    if lookalikes.is_reserved(name):
        raise ValidationError(_("This name, or one that looks like it, is kept for the site itself."))


def name_of_a_program(name: str) -> None:
    """Refuse names that do not tell that it is a program, or under which it might pass for the site's own."""
    if not name.lower().endswith(lookalikes.PROGRAM_ENDING) or len(name) < 3 + len(lookalikes.PROGRAM_ENDING):
        raise ValidationError(
            _("The name of a program ends with “-bot”, and has at least 3 letters before that.")
        )
    bare = lookalikes.without_ending(name)
    if lookalikes.is_guest_name(name) or lookalikes.is_reserved(name) or lookalikes.is_reserved(bare):
        raise ValidationError(_("This name, or one that looks like it, is kept for the site itself."))


# Read by allauth at sign-up (ACCOUNT_USERNAME_VALIDATORS).
username_validators = [name_shape, name_is_nobodys]


def known_time_zone(name: str) -> None:
    """Refuse what is no time zone of the IANA database, as this machine has it."""
    if name not in available_time_zones():
        raise ValidationError(_("This time zone is not known here."))


@cache
def available_time_zones() -> frozenset[str]:
    return frozenset(available_timezones())
