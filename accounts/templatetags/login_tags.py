"""Template tags that lead to the log-in and back."""

from typing import Any

from django import template
from django.urls import reverse

from accounts.web.membership.way_back import login_address, way_back, with_way_back

register = template.Library()


@register.simple_tag(takes_context=True)
def login_url(context: dict[str, Any], anchor: str = "") -> str:
    """The address of the log-in, which leads back to this page, or to this anchor in it."""
    return login_address(_way_back(context) + anchor)


@register.simple_tag(takes_context=True)
def signup_url(context: dict[str, Any]) -> str:
    """The address of the sign-up, which leads back to this page."""
    return with_way_back(reverse("account_signup"), _way_back(context))


def _way_back(context: dict[str, Any]) -> str:
    request = context.get("request")  # error pages are drawn without one
    return way_back(request) if request else ""
