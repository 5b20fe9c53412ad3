"""The base class of every refusal, and the refusals of accounts."""

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Refusal(Exception):
    """An action that is not allowed now; pages, the APIs and commands answer with its status and message.

    A subclass has a message of its own. A message used in only one place is the only argument of a Refusal,
    or of one of the subclasses that are documented to take one.
    """

    status: int = 409
    # The time until the action is allowed; None if waiting does not help.
    wait: timedelta | None = None

    @property
    def message(self) -> "StrOrPromise":
        """The sentence for the reader, translated when it is read."""
        message: StrOrPromise = self.args[0]
        return message

    @property
    def retry_after(self) -> int:
        """The seconds to wait, at least one; 0 if waiting does not help."""
        return 0 if self.wait is None else max(1, math.ceil(self.wait.total_seconds()))


class ActionNotAllowed(Refusal):
    """This person may not act, or not on this target; raised with its message."""

    status = 403


class TargetChanged(Refusal):
    """The target has changed since the confirmation was shown; raised with its message."""


class AppealRejected(Refusal):
    """An appeal that is not accepted; raised with its message."""

    status = 422


class RegistrationClosed(Refusal):
    """The operator has closed the site to new members and guests; raised with its message."""

    status = 403


class TooManyGuests(Refusal):
    """This address has made as many guests as are allowed in an hour."""

    status = 429
    wait = timedelta(hours=1)
    message = gettext_lazy(
        "Too many guests have come from your network. Log in, sign up, or try again in an hour."
    )


class LastAdministrator(Refusal):
    """The account is that of the only administrator."""

    status = 422
    message = gettext_lazy(
        "The site would have no administrator without you. Make someone else an administrator first."
    )


class InvalidToken(Refusal):
    """A token that is not valid or cannot be made; raised with its message.

    The status is 403 for a token that is `known` but does not allow the request.
    """

    def __init__(self, message: str, *, known: bool = False) -> None:
        super().__init__(message)
        self.status = 403 if known else 401
