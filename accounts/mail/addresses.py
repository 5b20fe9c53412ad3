"""Mail addresses that the site may write to."""

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts.models import User


def confirmed_addresses() -> QuerySet[EmailAddress]:
    """The confirmed main address of each member."""
    return EmailAddress.objects.filter(primary=True, verified=True)


def stop_mail_of_members(address: str, why: str) -> bool:
    """Stop notifications to an address that refuses mail; return whether it is a member's; they read why."""
    owners = User.objects.filter(emailaddress__in=confirmed_addresses().filter(email__iexact=address))
    return owners.update(mail_stopped=why[:300]) > 0
