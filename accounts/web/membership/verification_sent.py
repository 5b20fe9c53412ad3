"""The page after sign-up and log-in that waits for an address to be confirmed, and lets it be corrected."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.internal.stagekit import clear_login
from allauth.account.stages import EmailVerificationStage, LoginStageController
from allauth.core import ratelimit
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.generic import FormView

from accounts.membership.unconfirmed_address import (
    correct_address,
    has_confirmed_address,
    is_registration_over,
)
from accounts.models import User


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("If the address is wrong, correct it here."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def clean_email(self) -> str:
        address: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        return address


class VerificationSentView(FormView):
    """Say that a link was sent; after the right password also show the address, with a form to correct it."""

    template_name = "account/verification_sent.html"
    form_class = AddressForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        member = _waiting_member(request)
        if member is not None and is_registration_over(member):
            clear_login(request)
            messages.info(
                request,
                _("This account was removed because its address was not confirmed in time. Sign up again."),
            )
            return redirect("account_signup")
        if member is not None and has_confirmed_address(member):
            return _address_is_confirmed(request)
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(member=_waiting_member(self.request), **kwargs)

    def get_initial(self) -> dict[str, Any]:
        member = _waiting_member(self.request)
        return {"email": member.email} if member else {}

    def form_valid(self, form: AddressForm) -> HttpResponse:
        member = _waiting_member(self.request)
        if member is None:
            messages.error(self.request, _("Log in with your name and password to get another email."))
            return redirect("account_login")
        address = form.cleaned_data["email"]
        if address != member.email and not ratelimit.consume(
            self.request, action="correct-address", user=member
        ):
            form.add_error("email", _("You have corrected the address too often. Try again in an hour."))
            return self.form_invalid(form)
        corrected = correct_address(member, address)
        if corrected is None:
            return _address_is_confirmed(self.request)
        if not send_verification_email_to_address(self.request, corrected):
            form.add_error("email", _("We sent the last email a moment ago. Wait 3 minutes, then try again."))
            return self.form_invalid(form)
        return redirect("account_email_verification_sent")


def _address_is_confirmed(request: HttpRequest) -> HttpResponse:
    messages.info(request, _("Your address is confirmed. Log in."))
    return redirect("account_login")


def _waiting_member(request: HttpRequest) -> User | None:
    """The member who has just given the right password in this browser and has to confirm an address."""
    stage = LoginStageController.enter(request, EmailVerificationStage.key)
    return stage.login.user if stage else None


verification_sent = VerificationSentView.as_view()
