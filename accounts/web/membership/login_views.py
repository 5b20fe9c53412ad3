"""Log-in and sign-up views, open to guests."""

from typing import Any

from allauth.account.views import ConfirmLoginCodeView, RequestLoginCodeView
from allauth.account.views import LoginView as AllauthLoginView
from allauth.account.views import SignupView as AllauthSignupView
from allauth.core.internal import ratelimit
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.models import SiteSwitch
from accounts.operator import site_switches
from accounts.web.membership import login_limits
from accounts.web.membership.login_forms import LoginCodeForm, LoginForm, SignupForm


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


class RequestCodeView(GuestAsVisitorMixin, RequestLoginCodeView):
    form_class = LoginCodeForm


class ConfirmCodeView(GuestAsVisitorMixin, ConfirmLoginCodeView):
    pass


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
            form.add_error("username", _("This name is taken."))
            return self.form_invalid(form)


login = LoginView.as_view()
request_code = RequestCodeView.as_view()
confirm_code = ConfirmCodeView.as_view()
signup = SignupView.as_view()
