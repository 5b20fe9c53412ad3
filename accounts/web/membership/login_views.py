"""Views of log-in, sign-up and confirmation, open to guests."""

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.account.mixins import NextRedirectMixin, RedirectAuthenticatedUserMixin
from allauth.account.models import EmailConfirmationHMAC
from allauth.account.utils import perform_login
from allauth.account.views import ConfirmEmailView as AllauthConfirmEmailView
from allauth.account.views import LoginView as AllauthLoginView
from allauth.account.views import PasswordResetFromKeyView, PasswordResetView
from allauth.account.views import SignupView as AllauthSignupView
from allauth.core.internal import ratelimit
from allauth.mfa.webauthn.views import LoginWebAuthnView
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.generic import FormView, View

from accounts.mail import login_links
from accounts.models import SiteSwitch
from accounts.operator import site_switches
from accounts.web.membership import known_browsers, login_by_code, login_limits
from accounts.web.membership.login_forms import (
    LoginCodeForm,
    LoginCodeRequestForm,
    LoginForm,
    ResetPasswordForm,
    SignupForm,
)
from accounts.web.membership.way_back import asked_way_back, login_address


class GuestAsVisitorMixin:
    """Treat guests as anonymous, as allauth requires; the guest is then `request.guest`."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        guest = request.user
        if not (guest.is_authenticated and guest.is_guest):
            return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        request.guest, request.user = guest, AnonymousUser()  # type: ignore[attr-defined]
        stranger = request.user
        response = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        if request.user is stranger:
            # The page is rendered later and must show the guest again.
            request.user = guest
        return response


class LoginView(GuestAsVisitorMixin, AllauthLoginView):
    form_class = LoginForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not login_limits.is_page_open(request):
            return ratelimit.respond_429(request)
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        is_first = known_browsers.is_passkey_known(self.request)
        return super().get_context_data(**kwargs) | {"is_passkey_first": is_first}


class PasskeyLoginView(GuestAsVisitorMixin, LoginWebAuthnView):
    """Log in with a passkey alone, also as a guest; a key that is refused leads back to the log-in page."""

    def form_invalid(self, form: Any) -> HttpResponse:
        super().form_invalid(form)
        return redirect(login_address(asked_way_back(self.request)))


class RequestCodeView(GuestAsVisitorMixin, RedirectAuthenticatedUserMixin, NextRedirectMixin, FormView):
    """Ask for a code by mail. The answer is the same whether or not the address is known."""

    form_class = LoginCodeRequestForm
    template_name = "account/request_login_code.html"

    def form_valid(self, form: LoginCodeRequestForm) -> HttpResponse:
        address = form.cleaned_data["email"]
        if login_limits.count_code_request(self.request, address) is None:
            form.add_error("email", _("There were too many requests for codes. Try again later."))
            return self.form_invalid(form)
        login_by_code.ask_for_code(self.request, address, page=self.get_next_url() or "")
        return redirect(self.passthrough_next_url(reverse("account_confirm_login_code")))


class MailCodeView(GuestAsVisitorMixin, RedirectAuthenticatedUserMixin, NextRedirectMixin, View):
    """Mail a code to the member whose link was opened, who has allowed it; the log-in leads to the link."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponse:
        address = login_links.find_address(request.POST.get("name", ""), request.POST.get("key", ""))
        page = self.get_next_url() or ""
        if address is None:
            messages.warning(
                request, _("This link cannot log you in, so we sent no code. Log in here instead.")
            )
            return redirect(login_address(page))
        if login_limits.count_code_request(request, address.email) is None:
            messages.warning(
                request, _("There were too many requests for codes, so we sent none. Try again later.")
            )
            return redirect(login_address(page))
        login_by_code.ask_for_code(request, address.email, page=page, name=address.user.username)
        return redirect(self.passthrough_next_url(reverse("account_confirm_login_code")))


class ConfirmCodeView(GuestAsVisitorMixin, RedirectAuthenticatedUserMixin, NextRedirectMixin, FormView):
    """Log in with the code that was asked for in this browser; a second factor is still wanted."""

    form_class = LoginCodeForm
    template_name = "account/confirm_login_code.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not login_by_code.open_nonce(request):
            if request.method == "GET":
                messages.info(
                    request, _("This browser is not waiting for a code. Request one and enter it here.")
                )
            return redirect(self.passthrough_next_url(reverse("account_request_login_code")))
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"name": login_by_code.asked_name(self.request)}

    def form_valid(self, form: LoginCodeForm) -> HttpResponse:
        if not login_limits.count_code(self.request, login_by_code.open_nonce(self.request)):
            form.add_error("code", _("There were too many wrong codes. Request another one."))
            return self.form_invalid(form)
        next_url = self.get_next_url() or login_by_code.asked_page(self.request) or None
        address = login_by_code.use_code(self.request, form.cleaned_data["code"])
        if address is None:
            form.add_error("code", _("This code is wrong. Check it, or request another one."))
            return self.form_invalid(form)
        record_authentication(self.request, address.user, method="code", email=address.email)
        return perform_login(self.request, address.user, redirect_url=next_url, email=address.email)


class ResetPasswordView(GuestAsVisitorMixin, PasswordResetView):
    """Ask for a new password. The answer is the same whether or not the address is known."""

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        if login_limits.count_reset_request(self.request, form.cleaned_data["email"]) is None:
            form.add_error("email", _("There were too many requests for emails. Try again later."))
            return self.form_invalid(form)
        return super().form_valid(form)


class NewPasswordView(GuestAsVisitorMixin, PasswordResetFromKeyView):
    """Choose a new password after following the link. A guest stays logged in as one."""


class SignupView(GuestAsVisitorMixin, AllauthSignupView):
    form_class = SignupForm

    def closed(self) -> HttpResponse:
        """The page that registration is closed."""
        facts = {"sentence": site_switches.message(SiteSwitch.Kind.REGISTRATION)}
        return render(self.request, "account/signup_closed.html", facts, status=403)

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:
            # Another request took the name after it was checked.
            form.add_error("username", _("This name is taken. Choose another one."))
            return self.form_invalid(form)


class ConfirmEmailView(GuestAsVisitorMixin, AllauthConfirmEmailView):
    """Confirm an address, and log in whoever has just registered in this browser."""

    def logout_other_user(self, confirmation: EmailConfirmationHMAC) -> None:
        """Log nobody out: a link by mail must not end a log-in, and the page names the account."""


confirm_email = ConfirmEmailView.as_view()
login = LoginView.as_view()
login_by_passkey = PasskeyLoginView.as_view()
mail_code = MailCodeView.as_view()
request_code = RequestCodeView.as_view()
confirm_code = ConfirmCodeView.as_view()
reset_password = ResetPasswordView.as_view()
new_password = NewPasswordView.as_view()
signup = SignupView.as_view()
