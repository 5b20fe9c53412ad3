"""Requests for a new password or a log-in code, whose accounts are looked up by the sender, not by the page.

The page writes the same row for every address. The row is looked up when the mail server has answered, and is
then deleted, whether or not there is an account. So neither the response, nor its time, nor how long the row
waits reveals whether the address is known here.
"""

from collections.abc import Iterator

from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from accounts.mail import account_outbox, login_codes
from accounts.mail.outbox import dropped
from accounts.models import AccountMail, User

Kind = AccountMail.Kind

# Kinds that name an address alone.
REQUESTS = (Kind.RESET_REQUEST, Kind.LOGIN_REQUEST)


@transaction.atomic
def answer_request(request: AccountMail) -> None:
    """Replace the request by a mail for each account with this address, if any."""
    answers = _login_answers if request.kind == Kind.LOGIN_REQUEST else _reset_answers
    for kind, address in answers(request):
        AccountMail.objects.create(
            kind=kind,
            user=address.user,
            address=address.email,
            facts=request.facts,
            made=request.made,
            due=timezone.now(),
            first_due=request.first_due,
        )
    request.delete()


def end_resets(user: User) -> None:
    """End the waiting requests and mails for a new password of this user, who has set one."""
    mails = account_outbox.waiting()
    mails.filter(kind=Kind.PASSWORD_RESET, user=user).update(**dropped("the password was changed"), facts={})
    # Requests must go on waiting, like those for unknown addresses.
    addresses = [
        address.lower() for address in EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    ]
    mails.filter(kind=Kind.RESET_REQUEST, address__in=addresses).update(facts={"over": True})


def end_login_request(nonce: str) -> None:
    """End the waiting request for the code of this nonce, which its browser does not take any more."""
    # Like those for unknown addresses, it goes on waiting.
    asked = account_outbox.waiting().filter(kind=Kind.LOGIN_REQUEST, facts__nonce=nonce)
    asked.update(facts={"over": True})


def _login_answers(request: AccountMail) -> Iterator[tuple[AccountMail.Kind, EmailAddress]]:
    if "over" in request.facts:
        return
    if address := login_codes.find_address(request.address):
        yield Kind.LOGIN_CODE, address


def _reset_answers(request: AccountMail) -> Iterator[tuple[AccountMail.Kind, EmailAddress]]:
    """An address that was never confirmed gets a link to confirm it first."""
    for address in [] if "over" in request.facts else _addresses(request.address):
        yield Kind.PASSWORD_RESET if address.verified else Kind.CONFIRMATION, address


def _addresses(typed: str) -> list[EmailAddress]:
    """The addresses, one for each account, that the typed one stands for: confirmed ones if there are any."""
    users = filter_users_by_email(typed, is_active=True, prefer_verified=True, for_login=True)
    return list(
        EmailAddress.objects.filter(user__in=users, email__iexact=typed).select_related("user").order_by("pk")
    )
