"""Password validator that limits the length."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


class LongestPassword:
    """Password validator that refuses more than `most` characters."""

    def __init__(self, most: int) -> None:
        self.most = most

    def validate(self, password: str, user: Any = None) -> None:
        if len(password) > self.most:
            raise ValidationError(
                _("This password is too long: it has {has} characters, at most {most} are taken.").format(
                    has=len(password), most=self.most
                ),
                code="password_too_long",
            )

    def get_help_text(self) -> str:
        return _("Your password has at most {most} characters.").format(most=self.most)
