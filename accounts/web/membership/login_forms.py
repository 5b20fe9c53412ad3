"""Forms for log-in, sign-up and passkeys."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import RequestLoginCodeForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.contrib.auth import logout
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.web.membership import login_limits


def _consent() -> str:
    return format_html(
        _("I accept the {terms} and know what is kept about me ({privacy})."),
        terms=format_html('<a href="{}">{}</a>', reverse_lazy("page", args=["terms"]), _("terms of use")),
        privacy=format_html('<a href="{}">{}</a>', reverse_lazy("page", args=["privacy"]), _("privacy")),
    )


class LoginForm(AllauthLoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Name or email address")
        self.fields["login"].widget.attrs |= {"autocomplete": "username", "placeholder": ""}
        self.fields["password"].help_text = ""  # the page has the link


class LoginCodeForm(RequestLoginCodeForm):
    """Form for a code by mail. It answers the same whether or not the address is known."""

    def clean_email(self) -> str:
        """Find the member. Only confirmed addresses do: another may belong to somebody else."""
        email: str = self.cleaned_data["email"].lower()
        if login_limits.count_code_request(context.request, email) is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        found = EmailAddress.objects.filter(email=email, verified=True, user__is_active=True)
        address = found.select_related("user").first()
        self._user = address.user if address else None
        return email


class SignupForm(AllauthSignupForm):
    consent = forms.BooleanField(
        label=lazy(_consent, str)(),
        error_messages={"required": gettext_lazy("An account needs your consent.")},
    )
    field_order = ["username", "email", "password1", "password2", "consent"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.label = _("Name")
        name.help_text = _("3 to 20 letters (a to z), digits, hyphens or underscores. Everybody sees it.")
        if not email.required:
            email.help_text = _(
                "For mail when it is your turn, and for a new password should you forget yours."
            )
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)

    def save(self, request: HttpRequest) -> User:
        """Save the new member, or nothing at all.

        Ends the guest's session, which was opened without the password: otherwise the log-in that follows
        would be in a half-authenticated session.
        """
        with transaction.atomic():
            user = super().save(request)
            user.terms_accepted = timezone.now()
            user.save(update_fields=["terms_accepted"])
        if getattr(request, "guest", None):
            logout(request)
        return user

    def clean_email(self) -> str:
        """Return the address, whether or not it belongs to an account.

        Either way an account is made, which cannot be used before the address is confirmed. If the address
        belongs to an account, it cannot be confirmed, and its owner is told (see the adapter). So neither
        this page nor any that later asks for the new name or password reveals whether the address is known
        here.
        """
        email: str = super().clean_email()
        self.account_already_exists = False
        return email


class AddKeyForm(AddWebAuthnForm):
    """Form for a passkey or security key, explained for people who know neither."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
        self.fields["passwordless"].label = _("Log in with it alone, without a password")
        self.fields["passwordless"].help_text = _(
            "Your device then also asks for your finger, your face or a PIN each time."
        )
