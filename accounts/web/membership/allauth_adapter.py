"""The allauth adapter of the site."""

from typing import Any, cast

from allauth.account.adapter import HTTP_USER_AGENT_MAX_LENGTH, DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.mail import account_mails, address_requests
from accounts.mail.account_letters import CHANGES
from accounts.membership.account_deletion import delete_unconfirmed
from accounts.membership.name_changes import check_name
from accounts.models import AccountMail, SiteSwitch, User
from accounts.operator import site_switches
from accounts.web.membership import asked_mail, known_browsers, login_limits
from accounts.web.membership.recent_login import has_recent_proof

_KINDS = {prefix: kind for kind, prefix in CHANGES.items()}


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _("The name, email address or password is wrong."),
        "username_password_mismatch": _("The name, email address or password is wrong."),
        "too_many_login_attempts": _("Too many attempts. Wait a few minutes, then try again."),
        "too_many_wrong_passwords": _(
            "There were too many wrong passwords. Log in with a code by email, or try again later."
        ),
    }

    # -- Log-in ----------------------------------------------------------------------------------------

    def get_login_stages(self) -> list[str]:
        ours = {
            "allauth.account.stages.EmailVerificationStage": (
                "accounts.web.membership.login_stages.EmailVerificationStage"
            )
        }
        return [ours.get(stage, stage) for stage in super().get_login_stages()]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether the password has to be given again: not soon after a log-in."""
        required = super().is_reauthentication_required(app=app, **kwargs)
        return required and not has_recent_proof(self.request)

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """The ways to prove who one is: with a passkey first, for members who have one."""
        ways = super().get_reauthentication_methods(user)
        return sorted(ways, key=lambda way: way["id"] != "mfa_reauthenticate:webauthn")

    # -- Names and passwords ---------------------------------------------------------------------------

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return not site_switches.is_on(SiteSwitch.Kind.REGISTRATION)

    def new_user(self, request: HttpRequest) -> User:
        """Return the row for sign-up to fill: the guest's own, so that its games stay, or a new one.

        A guest stays one until the address is confirmed, where that is required. The sign-up form calls this
        in a transaction.
        """
        guest = getattr(request, "guest", None)
        row = guest and User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
        if row is None:
            return User()
        # Of an earlier registration that was never confirmed.
        EmailAddress.objects.filter(user=row).delete()
        row.is_guest = settings.EMAIL_MUST_BE_CONFIRMED
        return cast(User, row)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name if a new member, or a guest who registers, may take it."""
        delete_unconfirmed(timezone.now(), username)
        check_name(username, by=getattr(self.request, "guest", None))
        return username

    def set_password(self, user: User, password: str) -> None:
        """Set the password, make a guest a member, and end what waits for a new password."""
        user.is_guest = False
        super().set_password(user, password)
        address_requests.end_resets(user)

    def clean_email(self, email: str) -> str:
        """Refuse an address longer than its column; the forms let longer ones pass."""
        most = EmailAddress._meta.get_field("email").max_length
        if len(email) > most:
            sentence = ngettext(
                "An email address can have at most {n} character.",
                "An email address can have at most {n} characters.",
                most,
            )
            raise ValidationError(sentence.format(n=most))
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
        """Put a confirmed address into use, make a guest a member, and tell the previous address."""
        before = confirmed_addresses(email_address.user)
        if not super().confirm_email(request, email_address):
            return False
        User.objects.filter(pk=email_address.user_id).update(mail_stopped="", is_guest=False)
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
