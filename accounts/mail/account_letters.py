"""The text of account mails, with links and codes that are made when the mail is sent."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.mail import login_codes, staff_letters
from accounts.mail.letter import Letter, NotWanted
from accounts.models import AccountMail, User

Kind, State = AccountMail.Kind, AccountMail.State

# A mail that was asked for longer ago is not sent: anybody who still wants it has asked again.
WANTED_FOR = {
    Kind.PASSWORD_RESET: timedelta(days=1),
    Kind.LOGIN_CODE: login_codes.LIFETIME,
    Kind.CONFIRMATION: timedelta(days=3),
}

# The templates of allauth for mails about changes.
CHANGES = {
    Kind.PASSWORD_CHANGED: "account/email/password_changed",
    Kind.PASSWORD_REPLACED: "account/email/password_reset",
    Kind.PASSWORD_SET: "account/email/password_set",
    Kind.ADDRESS_CHANGED: "account/email/email_changed",
    Kind.ADDRESS_REMOVED: "account/email/email_deleted",
    Kind.RECOVERY_CODES: "mfa/email/recovery_codes_generated",
    Kind.RECOVERY_CODE_USED: "mfa/email/recovery_code_used",
    Kind.TOTP_ON: "mfa/email/totp_activated",
    Kind.TOTP_OFF: "mfa/email/totp_deactivated",
    Kind.KEY_ADDED: "mfa/email/webauthn_added",
    Kind.KEY_REMOVED: "mfa/email/webauthn_removed",
}


def compose(row: AccountMail) -> EmailMultiAlternatives:
    """Write the mail of a row, in the site's language and the reader's time zone.

    Raises NotWanted if its time is over.
    """
    if row.user is None or not row.user.is_active:
        raise NotWanted("the account is closed")
    with translation.override(settings.LANGUAGE_CODE), timezone.override(_reader(row.user).tzinfo):
        letter = _writer(Kind(row.kind))(row)
        html = letter.html
    headers = {"Message-ID": row.message_id, "Auto-Submitted": "auto-generated"}
    mail = EmailMultiAlternatives(letter.subject, letter.text, to=[letter.address], headers=headers)
    mail.attach_alternative(html, "text/html")
    return mail


def _writer(kind: AccountMail.Kind) -> Callable[[AccountMail], Letter]:
    if kind in CHANGES:
        return _change
    asked = {
        Kind.PASSWORD_RESET: _password_reset,
        Kind.LOGIN_CODE: _login_code,
        Kind.CONFIRMATION: _confirmation,
    }
    return asked.get(kind, staff_letters.write)


def _reader(user: User) -> User:
    return user.program.owner if user.is_bot_account else user


def _password_reset(row: AccountMail) -> Letter:
    _check_still_wanted(row)
    _check_address(row)
    assert row.user
    if row.user.last_login and row.user.last_login > row.made:
        raise NotWanted("logged in since")
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(row.user)
    path = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(row.user), key])
    link = _absolute(path)
    context = {"username": row.user.username, "password_reset_url": link}
    links = {link: _("Choose a new password")}
    return _from_templates(row.address, "account/email/password_reset_key", context, links)


def _login_code(row: AccountMail) -> Letter:
    """The code. Each request has one of its own, so that others who ask for one keep nobody from theirs."""
    _check_age(row)
    _check_address(row)
    assert row.user
    code = login_codes.make_code(row.address, row.facts["nonce"])
    # No server gets what stands behind the "#", so no log has it.
    link = f"{_absolute(reverse('account_confirm_login_code'))}#{code}"
    context = {"username": row.user.username, "code": code, "code_url": link}
    return _from_templates(
        row.address, "account/email/login_code", context, {link: _("Enter the code")}, code
    )


def _confirmation(row: AccountMail) -> Letter:
    """The mail with the link; if the address belongs to another account by now, a notice to its owner."""
    _check_still_wanted(row)
    address = EmailAddress.objects.filter(user=row.user, email=row.address).first()
    if address is None:
        raise NotWanted("the address is no longer that of the account")
    if address.verified:
        raise NotWanted("the address is confirmed")
    if not address.can_set_verified():
        reset = _absolute(reverse("account_reset_password"))
        again = {"password_reset_url": reset}
        links = {reset: _("Reset your password")}
        return _from_templates(row.address, "account/email/account_already_exists", again, links)
    link = _absolute(reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key]))
    context: dict[str, Any] = {"user": row.user, "activate_url": link}
    return _from_templates(
        row.address, "account/email/email_confirmation", context, {link: _("Confirm address")}
    )


def _change(row: AccountMail) -> Letter:
    """A notice of a change, with when and where it was made, and what to do if somebody else made it."""
    link = _absolute(reverse("account_not_you"))
    context = {
        **row.facts,
        "timestamp": datetime.fromisoformat(row.facts["at"]),
        "zone": timezone.get_current_timezone_name(),
        "not_you_url": link,
    }
    return _from_templates(row.address, CHANGES[Kind(row.kind)], context, {link: _("Secure your account")})


def _check_still_wanted(row: AccountMail) -> None:
    """Raise NotWanted if the link was asked for long ago, or again since."""
    _check_age(row)
    newer = _asked_since(row)
    waits = newer.filter(state=State.WAITING).update(first_due=row.first_due)
    if waits or newer.filter(state=State.SENT).exists():
        raise NotWanted("asked for again since")


def _asked_since(row: AccountMail) -> QuerySet[AccountMail]:
    """The mails, and requests that were not looked up yet, by which the link was asked for after this one."""
    # By the time of the request: rows that were put off are looked up and sent in any order.
    later = Q(made__gt=row.made, made__lte=timezone.now()) | Q(made=row.made, pk__gt=row.pk)
    same = Q(kind=row.kind, user=row.user, address=row.address)
    if row.kind == Kind.PASSWORD_RESET:
        same |= Q(kind=Kind.RESET_REQUEST, address__iexact=row.address) & ~Q(facts__has_key="over")
    return AccountMail.objects.filter(later, same)


def _check_age(row: AccountMail) -> None:
    if row.made < timezone.now() - WANTED_FOR[Kind(row.kind)]:
        raise NotWanted("too old")


def _check_address(row: AccountMail) -> None:
    if not EmailAddress.objects.filter(user=row.user, email=row.address, verified=True).exists():
        raise NotWanted("the address is no longer that of the account")


def _from_templates(
    address: str, prefix: str, context: dict[str, Any], links: dict[str, str], code: str = ""
) -> Letter:
    host = urlsplit(settings.SITE_URL).netloc
    context = {**context, "current_site": {"domain": host, "name": host}}
    subject = " ".join(render_to_string(f"{prefix}_subject.txt", context).split())
    text = render_to_string(f"{prefix}_message.txt", context).strip() + "\n"
    return Letter(address, subject, text, links, code)


def _absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
