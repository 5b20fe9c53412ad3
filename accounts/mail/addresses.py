"""Mail addresses that the site may write to."""

from allauth.account.models import EmailAddress
from django.db.models import QuerySet


def confirmed_addresses() -> QuerySet[EmailAddress]:
    """The addresses that mail may go to: of each member the main one, once it is confirmed."""
    return EmailAddress.objects.filter(primary=True, verified=True)
