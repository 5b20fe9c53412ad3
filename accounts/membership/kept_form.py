"""The form that was sent after its log-in had ended, and is kept in the session."""

from typing import Final
from urllib.parse import urlsplit

from django.http import HttpRequest

SESSION_KEY: Final = "kept_form"


def take_back(request: HttpRequest, path: str = "") -> dict[str, str]:
    """Return once what was entered in the form of this path, the page's own by default.

    Only after its writer has gone back to it without sending; else empty.
    """
    kept = request.session.get(SESSION_KEY) or {}
    if not kept.get("goes_back") or kept["account"] != str(request.user.pk):
        return {}
    if urlsplit(kept["path"]).path != (path or request.path):
        return {}
    del request.session[SESSION_KEY]
    return {name: values[-1] for name, values in kept["fields"].items() if values}
