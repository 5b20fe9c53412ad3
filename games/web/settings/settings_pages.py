"""The settings page, and the export and deletion of the account."""

import json
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
from accounts.models import User
from accounts.privacy import account_data
from accounts.refusals import LastAdministrator
from accounts.web.settings.settings_forms import BrowserForm, ChoicesForm, NameForm
from games.chat.conversation import blocked_by, muted_by
from games.lessons.coach_marks import show_all_again
from games.notifications import preferences
from games.web.page_links import PageLink
from games.web.requests import Request
from games.web.settings.kind_choices import KindsForm

# Forms of the page by name; guests have only the choices.
FORMS: dict[str, Any] = {"name": NameForm, "choices": ChoicesForm}


@require_safe
@never_cache
@login_required
def settings_page(request: Request) -> HttpResponse:
    """Show the settings page."""
    return page(request)


@require_POST
@login_required
def settings_name(request: Request) -> HttpResponse:
    """Change the name of a member."""
    if request.user.is_guest:
        raise Http404
    form = NameForm(request.POST, instance=request.user)
    status = _rename(request, form) if form.is_valid() else 422
    if status != 200:
        request.user.refresh_from_db()
        return page(request, {"name": form}, status=status)
    messages.success(request, _("Saved."))
    return redirect(f"{reverse('settings')}#profile")


@require_POST
@login_required
def settings_choices(request: Request) -> HttpResponse:
    """Save the choice that was just made, or all of them without scripts."""
    form = ChoicesForm(request.POST, instance=request.user)
    kinds = KindsForm(request.POST)
    is_one = bool(request.POST.get("changed"))
    if not form.is_valid() or not kinds.is_valid():
        request.user.refresh_from_db()
        if is_one:
            return render(request, "games/settings/_choice_refused.html", status=422)
        return page(request, {"choices": form}, status=422)
    form.save()
    if "coach_marks" in form.changed_data and form.cleaned_data["coach_marks"] == User.CoachMarks.ON:
        show_all_again(request.user)
    if is_one:
        add_requests(form)
        restored = form.made.as_widget(attrs={"hx-swap-oob": "true"})
        context = {"form": form, "restored": restored}
        return render(request, "games/settings/_choice_saved.html", context)
    if not request.user.is_guest:
        preferences.set_wanted_kinds(request.user, kinds.cleaned_data["kinds"])
    messages.success(request, _("Saved."))
    return redirect("settings")


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
    messages.success(request, _("We will email this address again."))
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
            problem = _("Tick the box to confirm that you want to delete your account.")
        else:
            try:
                account_deletion.delete_account(request.user)
            except LastAdministrator as error:
                problem = str(error.message)
            else:
                logout(request)
                messages.success(request, _("Your account is deleted. Goodbye."))
                return redirect("home")
    return render(request, "games/settings/delete.html", {"problem": problem}, status=422 if problem else 200)


def _rename(request: Request, form: NameForm) -> int:
    """Rename the member and return the status; problems are added to the form."""
    if form.has_changed() and not ratelimit.consume(request, action="rename"):
        form.add_error("username", _("You have changed your name too often today. Try again tomorrow."))
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
    """Render the settings page; `bound` are posted forms by name, `context` is for other sections."""
    forms_ = {name: form(instance=request.user) for name, form in FORMS.items()} | (bound or {})
    add_requests(forms_["choices"])
    context["forms"] = forms_
    context["parts"] = _parts(request.user)
    context["muted"] = muted_by(request.user)
    context["blocked"] = blocked_by(request.user)
    return render(request, "games/settings/page.html", context, status=status)


def _parts(user: User) -> list[PageLink]:
    """Links to the parts of the page that the user has."""
    of_members = {
        "kinds": _("Notifications"),
        "vacation": _("Vacation"),
        "security": _("Login and security"),
    }
    names = {
        "profile": _("Profile"),
        "display": _("Table"),
        **({} if user.is_guest else of_members),
        "data": _("Your data"),
    }
    return [PageLink(name, f"#{part}", False) for part, name in names.items()]


def add_requests(form: ChoicesForm) -> None:
    """Let each choice save itself with scripts, and belong to the one form for all choices without them."""
    for field in form.visible_fields():
        field.field.widget.attrs |= {
            "form": "choices",
            "hx-post": reverse("settings-choices"),
            "hx-trigger": "change",
            "hx-vals": json.dumps({"changed": field.name}),
            "data-setting": field.name,
        }
