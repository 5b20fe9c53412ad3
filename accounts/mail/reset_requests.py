"""Requests for a new password: who has an account is looked up by the sender, not by the page.

The page writes the same row for every address. The row is looked up when the mail server has answered, and is
then deleted, whether or not there is an account. So neither the page's answer, nor its time, nor how long the
row waits tells whether the address is known here.
"""

from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from accounts.mail import account_outbox
from accounts.mail.outbox import dropped
from accounts.models import AccountMail, User

Kind = AccountMail.Kind


@transaction.atomic
def answer_request(request: AccountMail) -> None:
    """Replace the request by a mail for each account with this address, if any.

    An address that was never confirmed gets a link to confirm it first.
    """
    for address in [] if "over" in request.facts else _addresses(request.address):
        AccountMail.objects.create(
            kind=Kind.PASSWORD_RESET if address.verified else Kind.CONFIRMATION,
            user=address.user,
            address=address.email,
            made=request.made,
            due=timezone.now(),
            first_due=request.first_due,
        )
    request.delete()


def end_resets(user: User) -> None:
    """Drop what waits for a new password of the user, who has one now."""
    mails = account_outbox.waiting()
    mails.filter(kind=Kind.PASSWORD_RESET, user=user).update(**dropped("the password was changed"), facts={})
    # Requests must wait like those for unknown addresses.
    addresses = [
        address.lower() for address in EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    ]
    mails.filter(kind=Kind.RESET_REQUEST, address__in=addresses).update(facts={"over": True})


def _addresses(typed: str) -> list[EmailAddress]:
    """The addresses, one for each account, that the typed one stands for: confirmed ones if there are any."""
    users = filter_users_by_email(typed, is_active=True, prefer_verified=True, for_login=True)
    return list(
        EmailAddress.objects.filter(user__in=users, email__iexact=typed).select_related("user").order_by("pk")
    )
