"""The allauth adapter of the site."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accounts.mail import background_mail
from accounts.membership.name_changes import check_name
from accounts.models import SiteSwitch, User
from accounts.operator import site_switches
from accounts.web.membership import known_browsers, login_limits

ADDRESS_CHANGED = "account/email/email_changed"


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _("Name, address or password is wrong."),
        "username_password_mismatch": _("Name, address or password is wrong."),
        "too_many_login_attempts": _("Too many attempts. Wait a few minutes, then try again."),
        "too_many_wrong_passwords": _(
            "There were too many wrong passwords. Log in with a code by email, or try again in an hour."
        ),
    }

    # -- Names and passwords ---------------------------------------------------------------------------

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return not site_switches.is_on(SiteSwitch.Kind.REGISTRATION)

    def new_user(self, request: HttpRequest) -> User:
        """Return the row for sign-up to fill: the guest's own, so that its games stay, or a new one.

        The sign-up form calls this in a transaction.
        """
        guest = getattr(request, "guest", None)
        row = guest and User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
        user = row or User()
        user.is_guest = False
        return user

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name if a new member may take it."""
        check_name(username)
        return username

    def set_password(self, user: User, password: str) -> None:
        """Set the password and make a guest a member, whichever page it was set on."""
        user.is_guest = False
        super().set_password(user, password)

    def clean_email(self, email: str) -> str:
        """Refuse an address longer than its column; the forms let longer ones pass."""
        most = EmailAddress._meta.get_field("email").max_length
        if len(email) > most:
            raise ValidationError(_("A mail address has at most {n} characters.").format(n=most))
        return email

    # -- Logging in ------------------------------------------------------------------------------------

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt before the password is looked at. Raises ValidationError after too many."""
        login = credentials.get("email") or credentials.get("username", "")
        self._login_failed_rl_usage = login_limits.count_password(request, login)
        if self._login_failed_rl_usage is None:
            raise self.validation_error(
                "too_many_login_attempts" if request.user.is_authenticated else "too_many_wrong_passwords"
            )

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        login_limits.forget_passwords(request, credentials["email"])

    def post_login(self, request: HttpRequest, user: User, **facts: Any) -> HttpResponse:
        """Remember the browser: wrong passwords of others do not count here from now on."""
        response = super().post_login(request, user, **facts)
        known_browsers.remember(request, response, user)
        return response

    # -- Mail ------------------------------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Render a mail and send it."""
        facts = {"request": self.request, "email": email, "current_site": get_current_site(self.request)}
        background_mail.send_in_background(self.render_mail(template_prefix, email, {**facts, **context}))

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Mail the confirmation link; if the address is another account's, tell its owner instead."""
        address = emailconfirmation.email_address
        if address.can_set_verified():
            super().send_confirmation_mail(request, emailconfirmation, signup)
        else:
            self.send_account_already_exists_mail(address.email)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        """Mail the reset link; an address that was never confirmed gets a confirmation link first."""
        address = EmailAddress.objects.filter(user=user, email=email).first()
        if address and address.verified:
            super().send_password_reset_mail(user, email, context)
        elif address:
            send_verification_email_to_address(self.request, address)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User | AnonymousUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Mail a member about a change of the account, to the confirmed address, if any."""
        if template_prefix == ADDRESS_CHANGED:
            return  # both addresses are told below
        for address in confirmed_addresses(user):
            super().send_notification_mail(template_prefix, user, context, email=address)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Put a confirmed address into use and tell the previous one."""
        before = confirmed_addresses(email_address.user)
        if not super().confirm_email(request, email_address):
            return False
        User.objects.filter(pk=email_address.user_id).update(mail_stopped="")
        new = email_address.email
        for old in before:
            for address in (old, new):
                super().send_notification_mail(
                    ADDRESS_CHANGED, email_address.user, {"from_email": old, "to_email": new}, email=address
                )
        return True

    # -- Addresses -------------------------------------------------------------------------------------

    def is_safe_url(self, url: str) -> bool:
        """Return whether it is safe to redirect there after logging in: only to this very host."""
        request = self.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())


def confirmed_addresses(user: User | AnonymousUser) -> list[str]:
    return list(EmailAddress.objects.filter(user=user.pk, verified=True).values_list("email", flat=True))
