"""The address of an account that has not confirmed one yet."""

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.models import User


@transaction.atomic
def correct_address(user: User, address: str) -> EmailAddress | None:
    """Give the account this address to confirm, in place of another; None if one is confirmed already."""
    user = User.objects.select_for_update().get(pk=user.pk)
    addresses = EmailAddress.objects.filter(user=user)
    if addresses.filter(verified=True).exists():
        return None
    # Links to the former address are void with it.
    addresses.exclude(email=address).delete()
    user.email = address
    user.save(update_fields=["email"])
    return addresses.get_or_create(user=user, email=address, defaults={"primary": True})[0]


def has_confirmed_address(user: User) -> bool:
    return EmailAddress.objects.filter(user=user, verified=True).exists()


def is_registration_over(user: User) -> bool:
    """Return whether the account was removed, or is a guest's again, because no address was confirmed."""
    return not user.is_active or (user.is_guest and user.terms_accepted is None)
