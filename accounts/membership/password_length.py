"""Password validator that limits the length."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


class LongestPassword:
    """Refuses passwords of more than `most` characters (AUTH_PASSWORD_VALIDATORS)."""

    def __init__(self, most: int) -> None:
        self.most = most

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError for a password that is too long."""
        if len(password) > self.most:
            raise ValidationError(
                _("This password is too long: it has {has} characters, at most {most} are taken.").format(
                    has=len(password), most=self.most
                ),
                code="password_too_long",
            )

    def get_help_text(self) -> str:
        """What is asked for, in a sentence."""
        return _("Your password has at most {most} characters.").format(most=self.most)
