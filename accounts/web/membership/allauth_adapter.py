"""The allauth adapter of the site."""

from typing import Any, cast

from allauth.account.adapter import HTTP_USER_AGENT_MAX_LENGTH, DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accounts.mail import account_mails, reset_requests
from accounts.mail.account_letters import CHANGES
from accounts.membership.name_changes import check_name
from accounts.models import AccountMail, SiteSwitch, User
from accounts.operator import site_switches
from accounts.web.membership import asked_mail

_KINDS = {prefix: kind for kind, prefix in CHANGES.items()}


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _("Name, address or password is wrong."),
        "username_password_mismatch": _("Name, address or password is wrong."),
        "too_many_login_attempts": _("Too many attempts. Wait a few minutes, then try again."),
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
        """Set the password, make a guest a member, and end what waits for a new password."""
        user.is_guest = False
        super().set_password(user, password)
        reset_requests.end_resets(user)

    def clean_email(self, email: str) -> str:
        """Refuse an address longer than its column; the forms let longer ones pass."""
        most = EmailAddress._meta.get_field("email").max_length
        if len(email) > most:
            raise ValidationError(_("A mail address has at most {n} characters.").format(n=most))
        return email

    # -- Mail ------------------------------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Refuse to send: a mail is a row of the outbox, and its text is made when it is sent."""
        raise NotImplementedError(f"There is no kind of account mail for {template_prefix}")

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Mail the confirmation link; if the address is another account's, its owner is told instead."""
        asked_mail.remember_mail(request, account_mails.mail_confirmation(emailconfirmation.email_address))

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User | AnonymousUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Mail a member about a change of the account, to the confirmed address, if any."""
        if template_prefix == CHANGES[AccountMail.Kind.ADDRESS_CHANGED]:
            return  # both addresses are told below
        kind = _KINDS[template_prefix]
        for address in confirmed_addresses(user):
            account_mails.mail_change(kind, cast(User, user), address, {**self._facts(), **(context or {})})

    def _facts(self) -> dict[str, Any]:
        """When, from where and with which browser the account is changed."""
        browser = self.get_http_user_agent(self.request)[:HTTP_USER_AGENT_MAX_LENGTH]
        return {
            "at": timezone.now().isoformat(),
            "ip": self.get_client_ip(self.request),
            "user_agent": browser,
        }

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Put a confirmed address into use and tell the previous one."""
        before = confirmed_addresses(email_address.user)
        if not super().confirm_email(request, email_address):
            return False
        User.objects.filter(pk=email_address.user_id).update(mail_stopped="")
        new = email_address.email
        for old in before:
            facts = {**self._facts(), "from_email": old, "to_email": new}
            for address in (old, new):
                account_mails.mail_change(
                    AccountMail.Kind.ADDRESS_CHANGED, email_address.user, address, facts
                )
        return True

    # -- Addresses -------------------------------------------------------------------------------------

    def is_safe_url(self, url: str) -> bool:
        """Return whether it is safe to redirect there after logging in: only to this very host."""
        request = self.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())


def confirmed_addresses(user: User | AnonymousUser) -> list[str]:
    return list(EmailAddress.objects.filter(user=user.pk, verified=True).values_list("email", flat=True))
