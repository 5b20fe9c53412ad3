"""Log-in and sign-up by allauth, open to guests as they are to strangers; and the operator's pages."""

from typing import Any

from allauth.account.views import LoginView as AllauthLoginView
from allauth.account.views import SignupView as AllauthSignupView
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.models import SiteSwitch
from accounts.operator import site_switches
from accounts.web.membership.login_forms import LoginForm, SignupForm


class GuestAsVisitorMixin:
    """Let guests do what allauth allows to strangers only; the guest is then `request.guest`."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        guest = request.user
        if not (guest.is_authenticated and guest.is_guest):
            return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        request.guest, request.user = guest, AnonymousUser()  # type: ignore[attr-defined]
        stranger = request.user
        response = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        if request.user is stranger:
            # Neither logged in nor out: the page, which is rendered later, shows the guest.
            request.user = guest
        return response


class LoginView(GuestAsVisitorMixin, AllauthLoginView):
    form_class = LoginForm


class SignupView(GuestAsVisitorMixin, AllauthSignupView):
    form_class = SignupForm

    def closed(self) -> HttpResponse:
        """The page that says that nobody can register just now."""
        facts = {"sentence": site_switches.message(SiteSwitch.Kind.REGISTRATION)}
        return render(self.request, "account/signup_closed.html", facts, status=403)

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:
            # Somebody took the name between our look and our writing.
            form.add_error("username", _("This name is taken."))
            return self.form_invalid(form)


login = LoginView.as_view()
signup = SignupView.as_view()
