"""Views that plan and end vacations."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.refusals import Refusal
from games.play.deadlines import vacation_clocks
from games.web import requests
from games.web.clocks.vacation_form import VacationForm
from games.web.settings import settings_pages


@require_POST
@login_required
def go_away(request: requests.Request) -> HttpResponse:
    """Plan a vacation."""
    if request.user.is_guest:
        raise PermissionDenied
    form = VacationForm(request.POST, label_suffix="")
    if form.is_valid():
        first, last = form.days
        try:
            vacation_clocks.plan_vacation(user=request.user, first=first, last=last)
        except Refusal as error:
            form.add_error(None, error.message)
    if form.errors:
        return settings_pages.page(request, vacation_form=form, status=422)
    messages.success(request, _("Your vacation is scheduled. Your clocks will be paused."))
    return redirect(f"{reverse('settings')}#vacation")


@require_POST
@login_required
def come_home(request: requests.Request, vacation: int) -> HttpResponse:
    """End a vacation, or cancel one that has not begun."""
    match vacation_clocks.end_vacation(user=request.user, pk=vacation):
        case "ended":
            messages.success(request, _("Welcome back. Your clocks are running again."))
        case "called off":
            messages.success(request, _("Your vacation is cancelled."))
        case "":
            messages.info(request, _("This vacation is already over or cancelled."))
    return redirect(f"{reverse('settings')}#vacation")
