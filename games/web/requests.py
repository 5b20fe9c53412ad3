"""The request type of the views."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class Request(HttpRequest):
    """A request after all middleware; views that need a member use `login_required`."""

    htmx: HtmxDetails
    user: User
