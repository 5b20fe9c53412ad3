"""Authentication backend."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from allauth.account.utils import has_verified_email
from django.conf import settings
from django.http import HttpRequest

from accounts.models import User


class AuthenticationBackend(AllauthBackend):
    """Log-in by name or by address, which must be confirmed where the site requires it.

    An unconfirmed address may belong to somebody else. If it opened an account, a person who has just signed
    up with it would learn from the response whether the address is known here.
    """

    def user_can_authenticate(self, user: User) -> bool:
        """Refuse bot accounts at log-in and in existing sessions."""
        return bool(super().user_can_authenticate(user)) and not user.is_bot_account

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        email = credentials.get("email")
        if email:
            # No name looks like an address. If both were tried, the password for a known address would be
            # hashed twice, and the response time would reveal that it is known.
            credentials.pop("username", None)
        user = super().authenticate(request, **credentials)
        if user and email and settings.EMAIL_MUST_BE_CONFIRMED and not has_verified_email(user, email):
            return None
        return user
