"""Mail addresses that the site may write to."""

from allauth.account.models import EmailAddress
from django.db.models import QuerySet


def confirmed_addresses() -> QuerySet[EmailAddress]:
    """The confirmed main address of each member."""
    return EmailAddress.objects.filter(primary=True, verified=True)
