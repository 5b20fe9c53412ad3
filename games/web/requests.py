"""The request type of the views."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class Request(HttpRequest):
    """A request after all middleware; views that need a member use `login_required`."""

    htmx: HtmxDetails
    user: User


def whole_number(text: str, *, max_digits: int = 9) -> int | None:
    """Return the number that a parameter gives in plain digits, or None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= max_digits else None
