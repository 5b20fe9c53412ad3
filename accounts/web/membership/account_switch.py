"""Changing to another account of the same person."""

from allauth.account.adapter import get_adapter
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.membership.kept_form import SESSION_KEY
from accounts.web.membership.way_back import asked_way_back, login_address


@require_POST
@login_required
def switch(request: HttpRequest) -> HttpResponse:
    """Log out and show the log-in, for a page that belongs to another account of the reader.

    A form that was kept for that account stays.
    """
    kept = request.session.get(SESSION_KEY)
    get_adapter().logout(request)
    if kept is not None:
        request.session[SESSION_KEY] = kept
    return redirect(login_address(asked_way_back(request)))
