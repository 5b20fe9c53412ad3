"""The settings page, and the export and deletion of the account."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.membership import account_deletion
from accounts.privacy import account_data
from accounts.refusals import LastAdministrator
from accounts.web.settings.settings_forms import BrowserForm, DisplayForm, MailForm, ProfileForm
from games.chat.conversation import blocked_by, muted_by
from games.web.requests import Request

# Each section has a form and a template settings/_<name>.html.
SECTIONS: dict[str, Any] = {"profile": ProfileForm, "display": DisplayForm, "mail": MailForm}
FOR_MEMBERS = {"mail"}


@require_safe
@never_cache
@login_required
def settings_page(request: Request) -> HttpResponse:
    """Show the settings page."""
    return page(request)


@require_POST
@login_required
def settings_section(request: Request, section: str) -> HttpResponse:
    """Save one section of the settings page."""
    if section not in _sections(request):
        raise Http404
    form = SECTIONS[section](request.POST, instance=request.user)
    status = _save(request, form) if form.is_valid() else 422
    if status != 200:
        request.user.refresh_from_db()
        return page(request, {section: form}, status=status)
    messages.success(request, _("Saved."))
    return redirect(f"{reverse('settings')}#{section}")


@require_POST
@login_required
def settings_browser(request: Request) -> HttpResponse:
    """Save the settings that the browser reports; 204, or 422 if they are invalid."""
    form = BrowserForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    form.save(request.user)
    return HttpResponse(status=204)


@require_POST
@login_required
def mail_again(request: Request) -> HttpResponse:
    """Send mail again to an address that had refused it."""
    request.user.mail_stopped = ""
    request.user.save(update_fields=["mail_stopped"])
    messages.success(request, _("Mail is sent to your address again."))
    return redirect(f"{reverse('settings')}#mail")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required
def export(request: Request) -> HttpResponse:
    """Return a zip of all personal data of the user (POST), or the page that offers it."""
    if request.method != "POST":
        return render(request, "games/settings/export.html")
    if not ratelimit.consume(request, action="export"):
        return ratelimit.respond_429(request)
    name = f"acquire-{request.user.username}-{timezone.localdate():%Y-%m-%d}.zip"
    return HttpResponse(
        account_data.personal_data_zip(request.user),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


class DeleteForm(forms.Form):
    sure = forms.BooleanField()


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required
def delete_account(request: Request) -> HttpResponse:
    """Ask for confirmation (GET) and delete the account (POST)."""
    problem = ""
    if request.method == "POST":
        if not DeleteForm(request.POST).is_valid():
            problem = _("Tick the box first, so that no account is deleted by mistake.")
        else:
            try:
                account_deletion.delete_account(request.user)
            except LastAdministrator as error:
                problem = str(error.message)
            else:
                logout(request)
                messages.success(request, _("Your account is deleted. Farewell!"))
                return redirect("home")
    return render(request, "games/settings/delete.html", {"problem": problem}, status=422 if problem else 200)


def _sections(request: Request) -> dict[str, Any]:
    guest = request.user.is_guest
    return {name: form for name, form in SECTIONS.items() if not (guest and name in FOR_MEMBERS)}


def _save(request: Request, form: Any) -> int:
    """Save a valid form and return the status; problems are added to the form."""
    if "username" in getattr(form, "changed_data", []) and not ratelimit.consume(request, action="rename"):
        form.add_error("username", _("You have changed your name often today. Try again tomorrow."))
        return 429
    try:
        form.save()
    except ValidationError as error:
        form.add_error("username", error)
        return 422
    return 200


def page(
    request: Request, bound: dict[str, Any] | None = None, status: int = 200, **context: Any
) -> HttpResponse:
    """Render the settings page; `bound` are posted forms by section, `context` is for other sections."""
    forms_ = {name: form(instance=request.user) for name, form in _sections(request).items()} | (bound or {})
    context["sections"] = [(name, f"games/settings/_{name}.html", form) for name, form in forms_.items()]
    context["muted"] = muted_by(request.user)
    context["blocked"] = blocked_by(request.user)
    return render(request, "games/settings/page.html", context, status=status)
