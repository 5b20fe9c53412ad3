"""Users with mailboxes."""

from allauth.account.models import EmailAddress

from accounts.models import User


def with_mailbox(user: User, **columns: object) -> User:
    """Give the user a confirmed address."""
    address = f"{user.username}@mail.example"
    EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
    return changed(user, email=address, **columns)


def changed(user: User, **columns: object) -> User:
    User.objects.filter(pk=user.pk).update(**columns)
    user.refresh_from_db()
    return user
