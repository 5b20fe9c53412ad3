"""Requests as they come out of the middleware."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class Request(HttpRequest):
    """A request of whoever it is; views that need a member say so by `login_required`."""

    htmx: HtmxDetails
    user: User
