"""The page of API tokens and bot accounts."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.api_access import api_tokens, bot_accounts
from accounts.models import BotAccount, User
from accounts.models.api_token import MAX_NAME_LENGTH
from accounts.models.bot_account import MAX_DESCRIPTION_LENGTH
from accounts.refusals import InvalidToken

# Prefix of the fields' ids: the token forms on the page have fields of the same names.
NEW_PROGRAM = "new-program-%s"


class TokenForm(forms.Form):
    """Form for a new token: its name and its lifetime in days."""

    name = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Valid for"),
        coerce=int,
        empty_value=None,
        required=False,
        initial="365",
        choices=[
            ("30", gettext_lazy("30 days")),
            ("365", gettext_lazy("a year")),
            ("", gettext_lazy("Until I revoke it")),
        ],
    )


class DescriptionForm(forms.Form):
    """Form for the description of a bot account."""

    description = forms.CharField(
        label=gettext_lazy("What does it do?"),
        max_length=MAX_DESCRIPTION_LENGTH,
        required=False,
        help_text=gettext_lazy("Everyone can read this on the bot’s page."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    address = forms.URLField(
        label=gettext_lazy("Web page"),
        max_length=200,
        required=False,
        assume_scheme="https",
        help_text=gettext_lazy("Optional. For example, where its code is."),
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if address and not address.startswith(("https://", "http://")):
            raise ValidationError(_("The address must begin with https://."))
        return address


class ProgramForm(DescriptionForm):
    """Form for a new bot account."""

    name = forms.CharField(
        label=gettext_lazy("Bot name"),
        max_length=20,
        help_text=gettext_lazy("It must end in “-bot”, so that everyone can see what it is."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    field_order = ["name", "description", "address"]


def form_of_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect requests to a form's address without a form to the page.

    This happens after a log-in or when a response is reloaded.
    """

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def sent(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs) if request.method == "POST" else redirect("account_tokens")

    return sent


@require_safe
@never_cache
@login_required
def programs(request: HttpRequest) -> HttpResponse:
    """The page of the member's tokens and bot accounts."""
    return page(request)


@form_of_page
@never_cache
@login_required
@reauthentication_required
def new_token(request: HttpRequest, name: str = "") -> HttpResponse:
    """Make a token for the member or the bot account of this name, and show it once."""
    owner = _member(request)
    account = _program(owner, name).user if name else owner
    form = TokenForm(request.POST, prefix=name)
    if not ratelimit.consume(request, action="new-token"):
        return ratelimit.respond_429(request)
    if form.is_valid():
        days = form.cleaned_data["days"]
        until = timezone.now() + timedelta(days=days) if days else None
        try:
            token, text = api_tokens.make_token(account, form.cleaned_data["name"], until=until, by=owner)
        except InvalidToken as error:
            form.add_error(None, error.message)
        else:
            return page(request, token=token, text=text)
    return page(request, {name: form}, status=422)


@form_of_page
@login_required
def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """Revoke a token of the member or of one of the member's bot accounts."""
    owner = _member(request)
    accounts = [owner, *(program.user for program in owner.programs.select_related("user"))]
    if not any(api_tokens.revoke_token(account, key) for account in accounts):
        raise Http404
    messages.success(request, _("The token is revoked and no longer works."))
    return redirect("account_tokens")


@form_of_page
@login_required
def new_program(request: HttpRequest) -> HttpResponse:
    """Register a bot account."""
    form = ProgramForm(request.POST, auto_id=NEW_PROGRAM)
    if not ratelimit.consume(request, action="new-program"):
        return ratelimit.respond_429(request)
    if form.is_valid():
        try:
            bot_accounts.register_program(_member(request), **form.cleaned_data)
        except ValidationError as error:
            form.add_error("name", error)
    if form.errors:
        return page(request, program_form=form, status=422)
    messages.success(request, _("The bot is created. Now create a token so it can play."))
    return redirect("account_tokens")


@form_of_page
@login_required
def describe_program(request: HttpRequest, name: str) -> HttpResponse:
    """Store the description of a bot account."""
    program = _program(_member(request), name)
    form = DescriptionForm(request.POST, prefix=name)
    if not form.is_valid():
        return page(request, described={name: form}, status=422)
    bot_accounts.describe_program(program, **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("account_tokens")


@form_of_page
@login_required
@reauthentication_required
def take_down_program(request: HttpRequest, name: str) -> HttpResponse:
    """Delete a bot account."""
    bot_accounts.take_down(_program(_member(request), name))
    messages.success(request, _("The bot is deleted. Computer players have taken over its seats."))
    return redirect("account_tokens")


def page(
    request: HttpRequest,
    sent: dict[str, forms.Form] | None = None,
    *,
    described: dict[str, forms.Form] | None = None,
    program_form: forms.Form | None = None,
    status: int = 200,
    **shown: Any,
) -> HttpResponse:
    """Render the page; `sent` holds invalid token forms and `described` description forms, by name."""
    member, sent, described = _member(request), sent or {}, described or {}
    found = member.programs.select_related("user").prefetch_related("user__tokens")
    context = {
        "tokens": _tokens_of(member),
        "token_form": sent.get("") or TokenForm(),
        "programs": [
            {
                "name": one.user.username,
                "tokens": _tokens_of(one.user),
                "token_form": sent.get(one.user.username) or TokenForm(prefix=one.user.username),
                "form": described.get(one.user.username) or _description(one),
                "is_open": one.user.username in described,
            }
            for one in found
        ],
        "program_form": program_form or ProgramForm(auto_id=NEW_PROGRAM),
        "may_register": len(found) < bot_accounts.MAX_PROGRAMS,
        **shown,
    }
    return render(request, "accounts/programs.html", context, status=status)


def _tokens_of(account: User) -> list[Any]:
    """The account's tokens, valid ones first; uses prefetched rows."""
    return sorted(account.tokens.all(), key=lambda token: token.is_over)


def _description(program: BotAccount) -> DescriptionForm:
    about = {"description": program.description, "address": program.address}
    return DescriptionForm(initial=about, prefix=program.user.username)


def _program(owner: User, name: str) -> BotAccount:
    program = owner.programs.select_related("user").filter(user__username=name).first()
    if program is None:
        raise Http404
    return program


def _member(request: HttpRequest) -> User:
    """The logged-in user; the views require one."""
    assert isinstance(request.user, User)
    return request.user
