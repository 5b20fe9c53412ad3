"""Write account mails to the outbox, in the transaction of the event.

Whether a mail is still wanted, and its text, is decided when it is sent (`accounts.mail.account_letters`).
"""

from collections.abc import Mapping
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.mail.account_delivery import deliver_account_mail
from accounts.models import AccountMail, ApiToken, Sanction, User
from accounts.models.sanction import Appeal
from accounts.signals import mail_waiting

Kind = AccountMail.Kind

# The facts that a row may hold besides its user, address and kind; none of them opens an account.
FACTS = {
    *("at", "ip", "user_agent", "from_email", "to_email", "deleted_email", "codes_left"),
    *("sanction", "appeal", "token", "old_name", "reason"),
    "nonce",  # of a log-in code: worth nothing without SECRET_KEY
}

# Time to send the mails of a page where mail goes into files, so that no page waits for a mail server.
AT_ONCE_SECONDS = 5.0


def request_password_reset(address: str) -> AccountMail:
    """Write the request for a new password for this address, whether or not it belongs to an account."""
    return _write(Kind.RESET_REQUEST, None, address)


def request_login_code(address: str, nonce: str) -> AccountMail:
    """Write the request for a log-in code for this address, whether or not it belongs to an account."""
    return _write(Kind.LOGIN_REQUEST, None, address, {"nonce": nonce})


def mail_confirmation(address: EmailAddress) -> AccountMail:
    """Mail a link by which the address is confirmed."""
    return _write(Kind.CONFIRMATION, address.user, address.email)


def mail_change(kind: AccountMail.Kind, user: User, address: str, circumstances: Mapping[str, Any]) -> None:
    """Mail about a change of the account: when, from where, with which browser."""
    _write(kind, user, address, circumstances)


def mail_sanction_imposed(sanction: Sanction) -> None:
    """Mail a member about a new sanction and how to appeal."""
    _write(Kind.SANCTION_IMPOSED, sanction.member, facts={"sanction": sanction.pk})


def mail_sanction_lifted(sanction: Sanction) -> None:
    """Mail a member that a sanction was lifted early, and why."""
    _write(Kind.SANCTION_LIFTED, sanction.member, facts={"sanction": sanction.pk})


def mail_sanction_ended(sanction: Sanction) -> None:
    """Mail a member that a sanction has run out."""
    _write(Kind.SANCTION_ENDED, sanction.member, facts={"sanction": sanction.pk})


def mail_appeal_reply(member: User, appeal: Appeal) -> None:
    """Mail a member the reply to an appeal."""
    _write(Kind.APPEAL_REPLY, member, facts={"appeal": appeal.pk})


def mail_token_created(reader: User, token: ApiToken) -> None:
    """Mail the maker of a token, so that one made by an intruder is noticed."""
    _write(Kind.TOKEN_CREATED, reader, facts={"token": token.pk})


def mail_renamed(member: User, old: str, reason: str) -> None:
    """Mail a member that staff changed the name."""
    _write(Kind.RENAMED, member, facts={"old_name": old, "reason": reason})


def mail_factors_removed(member: User, reason: str) -> None:
    """Mail a member that staff removed the second factors."""
    _write(Kind.FACTORS_REMOVED, member, facts={"reason": reason})


def mail_address_confirmed(member: User, reason: str) -> None:
    """Mail a member that staff confirmed the address."""
    _write(Kind.ADDRESS_CONFIRMED, member, facts={"reason": reason})


def request_delivery() -> None:
    """Have the due mails sent: by a worker, or at once where mail goes into files."""
    if settings.SEND_MAIL_IN_BACKGROUND:
        mail_waiting.send_robust(sender=AccountMail)
    else:
        deliver_account_mail(AT_ONCE_SECONDS)


def _write(
    kind: AccountMail.Kind, user: User | None, address: str = "", facts: Mapping[str, Any] | None = None
) -> AccountMail:
    facts = dict(facts or {})
    if unknown := facts.keys() - FACTS:
        raise ValueError(f"An account mail must not hold {sorted(unknown)}")
    now = timezone.now()
    row = AccountMail.objects.create(kind=kind, user=user, address=address, facts=facts, made=now, due=now)
    transaction.on_commit(request_delivery, robust=True)
    return row
