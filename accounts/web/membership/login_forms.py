"""Forms for log-in, sign-up, new passwords and passkeys."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.contrib.auth import HASH_SESSION_KEY, logout
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.mail import account_mails
from accounts.models import User
from accounts.web.membership import asked_mail


def _consent() -> str:
    return format_html(
        _("I accept the {terms} and have read the {privacy}."),
        terms=format_html('<a href="{}">{}</a>', reverse_lazy("page", args=["terms"]), _("terms of use")),
        privacy=format_html(
            '<a href="{}">{}</a>', reverse_lazy("page", args=["privacy"]), _("privacy notice")
        ),
    )


class LoginForm(AllauthLoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Name or email address")
        self.fields["login"].widget.attrs |= {"autocomplete": "username webauthn", "placeholder": ""}
        self.fields["password"].help_text = ""  # the page has the link


class LoginCodeRequestForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("Email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def clean_email(self) -> str:
        """Return the address; whether it belongs to an account is looked up when the mail is sent."""
        address: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        return address


class LoginCodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )


class SignupForm(AllauthSignupForm):
    consent = forms.BooleanField(
        label=lazy(_consent, str)(),
        error_messages={"required": gettext_lazy("To create an account, accept the terms of use.")},
    )
    field_order = ["username", "email", "password1", "password2", "consent"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.label = _("Name")
        name.help_text = _("3 to 20 letters (a to z), digits, hyphens or underscores. Everyone can see it.")
        if not email.required:
            email.help_text = _("We use it to tell you when it is your turn and to reset your password.")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)

    def save(self, request: HttpRequest) -> User:
        """Save the new member, or nothing at all.

        A guest who has to confirm an address first stays logged in. The session of one who is a member now
        ends, because it was opened without the password: otherwise the log-in that follows would be in a
        half-authenticated session.
        """
        with transaction.atomic():
            user = super().save(request)
            user.terms_accepted = timezone.now()
            user.save(update_fields=["terms_accepted"])
            if user.is_guest:
                # Together with the new password: other requests of this browser end a session that does not
                # fit the password.
                request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()
                request.session.save()
        if getattr(request, "guest", None) and not user.is_guest:
            logout(request)
        # As after a log-in: the password has just been chosen.
        record_authentication(request, user, method="password")
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


class ResetPasswordForm(AllauthResetPasswordForm):
    def clean_email(self) -> str:
        """Return the address; whether it belongs to an account is looked up when the mail is sent."""
        address: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        return address

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Write the request, whether or not anybody has the address."""
        address: str = self.cleaned_data["email"]
        asked_mail.remember_mail(request, account_mails.request_password_reset(address))
        return address


class AddKeyForm(AddWebAuthnForm):
    """Form for a passkey or security key, explained for people who know neither."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
        self.fields["passwordless"].label = _("Use this key on its own to log in, without a password")
        self.fields["passwordless"].help_text = _(
            "Your device then also asks for a fingerprint, face or PIN each time."
        )
