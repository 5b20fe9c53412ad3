"""Password validator that limits the length."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import ngettext


class LongestPassword:
    """Password validator that refuses more than `most` characters."""

    def __init__(self, most: int) -> None:
        self.most = most

    def validate(self, password: str, user: Any = None) -> None:
        if len(password) > self.most:
            sentence = ngettext(
                "This password has {has} character. It can have at most {most}.",
                "This password has {has} characters. It can have at most {most}.",
                len(password),
            )
            raise ValidationError(
                sentence.format(has=len(password), most=self.most), code="password_too_long"
            )

    def get_help_text(self) -> str:
        return ngettext(
            "Your password can have at most {most} character.",
            "Your password can have at most {most} characters.",
            self.most,
        ).format(most=self.most)
