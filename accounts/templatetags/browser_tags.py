"""Template filter that names browsers."""

import re

from django import template
from django.utils.translation import gettext as _

register = template.Library()

# The order matters: most browsers' user agents also contain the names of others.
_BROWSERS = {
    "Firefox": "Firefox|FxiOS",
    "Edge": "Edg",
    "Opera": "OPR",
    "Chrome": "Chrome|CriOS",
    "Safari": "Safari",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "macOS": "Mac OS X|Macintosh",
    "Linux": "Linux|X11",
}


@register.filter
def browser(user_agent: str) -> str:
    """Return "Firefox on Linux" for a user agent; an unknown one is returned unchanged."""
    name, system = _first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent)
    if name and system:
        return _("{browser} on {system}").format(browser=name, system=system)
    return name or user_agent


def _first(names: dict[str, str], text: str) -> str:
    return next((name for name, pattern in names.items() if re.search(pattern, text)), "")
