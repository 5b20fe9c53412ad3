"""System checks of allauth's settings."""

from typing import Any

from allauth.account import app_settings
from django.core.checks import CheckMessage, Error, register

# With these allauth makes a code for the page and hands it over with the mail. Our log-in by code does not.
_CODES = (
    "LOGIN_BY_CODE_ENABLED",
    "LOGIN_BY_CODE_REQUIRED",
    "EMAIL_VERIFICATION_BY_CODE_ENABLED",
    "PASSWORD_RESET_BY_CODE_ENABLED",
)


@register()
def mails_hold_no_codes(**_: Any) -> list[CheckMessage]:
    """Refuse log-in, confirmation and password reset by code: a waiting mail would have to hold the code."""
    return [
        Error(
            f"ACCOUNT_{name} is on, but the site cannot mail the codes of allauth.",
            hint="Codes are made when the mail is sent; see docs/decisions/links_are_made_when_sent.md.",
            id="accounts.E001",
        )
        for name in _CODES
        if getattr(app_settings, name)
    ]
