"""Drafts of staff actions: entered in a form, not done yet, and kept in the session.

A page that answers a form directly cannot be reloaded or reached by Back without sending the form again.
So the action pages keep what was entered, lead to an address that shows it, and show it again after Back.
"""

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils import timezone

SESSION_KEY: Final = "action_drafts"

# In the address of a page that shows what was just sent.
SENT: Final = "sent"

_KEPT: Final = timedelta(minutes=15)
_MOST: Final = 5
_NOT_KEPT: Final = {"csrfmiddlewaretoken", "confirm", "form", "seen", "shown"}


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields as entered; after they were sent also the answer: a sentence and the status of the page."""

    fields: dict[str, str]
    problem: str = ""
    status: int = 200
    is_refused: bool = False


def keep(request: HttpRequest, problem: str = "", status: int = 200, *, is_refused: bool = False) -> str:
    """Keep what was sent, with the answer to it; return the address that shows both."""
    fields = {name: value for name, value in request.POST.dict().items() if name not in _NOT_KEPT}
    drafts = _drafts(request)
    drafts.pop(_page(request), None)
    draft = asdict(Draft(fields, problem, status, is_refused))
    drafts[_page(request)] = {**draft, "at": timezone.now().timestamp()}
    request.session[SESSION_KEY] = dict(list(drafts.items())[-_MOST:])
    return f"{request.path}?{urlencode({**_asked(request), SENT: '1'})}"


def kept(request: HttpRequest) -> Draft | None:
    """Return what was entered on this page; the answer to it only at the address that shows it."""
    found = _drafts(request).get(_page(request))
    if found is None:
        return None
    draft = Draft(**{name: value for name, value in found.items() if name != "at"})
    return draft if SENT in request.GET else Draft(draft.fields)


def forget(request: HttpRequest, pages: str = "") -> None:
    """Forget what was entered on this page, or on all pages whose address begins so."""
    drafts = _drafts(request)
    left = {
        page: draft
        for page, draft in drafts.items()
        if not (page.startswith(pages) if pages else page == _page(request))
    }
    if len(left) != len(drafts):
        request.session[SESSION_KEY] = left


def _drafts(request: HttpRequest) -> dict[str, Any]:
    since = (timezone.now() - _KEPT).timestamp()
    found = request.session.get(SESSION_KEY, {})
    return {page: draft for page, draft in found.items() if draft["at"] > since}


def _page(request: HttpRequest) -> str:
    """The address of the page whatever it shows: with what it was filled in with, and without `SENT`."""
    return f"{request.path}?{urlencode(_asked(request))}"


def _asked(request: HttpRequest) -> dict[str, Any]:
    return {name: value for name, value in request.GET.items() if name != SENT}
