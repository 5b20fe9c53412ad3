"""Forms that were sent after their log-in had ended: nothing is done with them, and nothing is lost.

Somebody logs out in one tab and presses a button in another. What was sent is kept in the session, over the
log-in, and then shown as a button that sends it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure as django_csrf_failure
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.membership.kept_form import SESSION_KEY
from accounts.web.membership.way_back import is_of_accounts, login_address, page_before

# Pages tell with each form for which account they were made: htmx by a header, others by a field.
ACCOUNT_HEADER, ACCOUNT_FIELD = "X-Account", "page_account"

# Fields for free text, which their writer reads and can change before it is sent.
_WRITTEN = ("text", "reason")

_NOT_KEPT = {"csrfmiddlewaretoken", ACCOUNT_FIELD}


def keep_forms(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that keeps a form whose sender is led to the log-in, and forgets it when it is sent."""

    def middleware(request: Any) -> HttpResponse:
        if request.htmx and request.method == "GET" and _is_of_another_account(request):
            # Not swapped in: the form on the page stays as it is.
            sentence = _("You have logged in or out since you opened this page. Reload it.")
            return HttpResponse(sentence, status=401, content_type="text/plain; charset=utf-8")
        response = get_response(request)
        if request.method != "POST" or not _is_pressed(request):
            return response
        if request.user.is_authenticated:
            is_sent = request.session.get(SESSION_KEY, {}).get("path") == request.get_full_path()
            if is_sent and not _leads_to(response, reverse("kept-form")):
                del request.session[SESSION_KEY]
            return response
        is_refused = _leads_to(response, reverse(settings.LOGIN_URL)) and not is_of_accounts(request)
        return _keep(request) if is_refused else response

    return middleware


def login_required_to_send(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Lead visitors who send the view's form to the log-in; its page is for everybody."""

    @wraps(view)
    def guarded(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)

    return guarded


def csrf_failure(request: Any, reason: str = "") -> HttpResponse:
    """Keep a form of our own pages that is older than the log-in; refuse all others.

    Each log-in changes the token.
    """
    is_ours = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    if is_ours and _is_pressed(request) and not is_of_accounts(request):
        return _keep(request)
    return django_csrf_failure(request, reason)


@require_safe
@never_cache
@login_required
def kept_form(request: HttpRequest) -> HttpResponse:
    """Show that a form was kept, with a button that sends it; another account learns nothing of it.

    With `back` in the address, go back to its page, which shows what was entered.
    """
    kept = request.session.get(SESSION_KEY)
    if kept is None:
        return redirect(settings.LOGIN_REDIRECT_URL)
    is_own = kept["account"] == str(request.user.pk)
    if is_own and "back" in request.GET:
        request.session[SESSION_KEY] = {**kept, "goes_back": True}
        return redirect(kept["page"])
    context = {
        "kept": kept if is_own else None,
        "written": _WRITTEN,
        "here": request.path,
    }
    return render(request, "account/kept_form.html", context)


def _keep(request: Any) -> HttpResponse:
    """Keep the posted form in the session, and lead its sender to the log-in or to the kept form."""
    account = request.headers.get(ACCOUNT_HEADER) or request.POST.get(ACCOUNT_FIELD, "")
    fields = {name: sent for name, sent in request.POST.lists() if name not in _NOT_KEPT}
    where = page_before(request) or request.get_full_path()
    # Without an account we do not know who entered it, and might show it to somebody else.
    if account and not request.FILES and not any("password" in name for name in fields):
        path = request.get_full_path()
        request.session[SESSION_KEY] = {"path": path, "fields": fields, "page": where, "account": account}
        where = reverse("kept-form")
    if not request.user.is_authenticated:
        messages.warning(request, _("You are logged out, so nothing was sent. Log in, then send it."))
        where = login_address(where)
    elif SESSION_KEY not in request.session:
        messages.warning(request, _("You logged in again after you opened that page, so nothing was sent."))
    return HttpResponseClientRedirect(where) if request.htmx else redirect(where)


def _leads_to(response: HttpResponse, path: str) -> bool:
    where = response.headers.get("HX-Redirect") or response.headers.get("Location", "")
    return where.partition("?")[0] == path


def _is_pressed(request: Any) -> bool:
    """Return whether the answer is shown to a person, who pressed a button, and not to a script."""
    return bool(request.htmx) or request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"


def _is_of_another_account(request: HttpRequest) -> bool:
    """Return whether the page that makes the request was made for an account that is not logged in now."""
    account = request.headers.get(ACCOUNT_HEADER, "")
    return account not in ("", str(request.user.pk))
