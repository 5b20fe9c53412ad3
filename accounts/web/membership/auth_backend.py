"""Who may log in by what."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from allauth.account.utils import has_verified_email
from django.conf import settings
from django.http import HttpRequest

from accounts.models import User


class AuthenticationBackend(AllauthBackend):
    """By name, or by an address that was confirmed where addresses must be.

    An address that is not confirmed may be somebody else's: if it opened an account all the same,
    whoever has just signed up with it would learn from the answer whether it is known here.
    """

    def user_can_authenticate(self, user: User) -> bool:
        """Nobody logs in by the account of a program, nor goes on with a session of it."""
        return bool(super().user_can_authenticate(user)) and not user.is_bot_account

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        email = credentials.get("email")
        if email:
            # No name looks like an address. Tried as both, the password of an address that is known here
            # would be hashed twice, which takes twice as long as for one that is not.
            credentials.pop("username", None)
        user = super().authenticate(request, **credentials)
        if user and email and settings.EMAIL_MUST_BE_CONFIRMED and not has_verified_email(user, email):
            return None
        return user
