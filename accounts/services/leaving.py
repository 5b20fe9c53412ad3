"""How accounts end. The row stays, for the games it stands in; the person goes out of it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.signals import member_leaving

from .naming import free_code, free_name

GUEST_IDLE = timedelta(days=30)
GUEST_BATCH = 100

# How the names begin that are left; no other name has a space in it.
FORMER = "former "

# What is the person's own choice goes back to what a new account has.
_OWN = (
    *("email", "last_login", "terms_accepted", "time_zone", "theme", "patterns", "confirm_placing"),
    *("mail_mode", "mail_delay", "digest_hour", "mail_stopped", "is_staff", "is_superuser"),
)

log = logging.getLogger(__name__)


class LastAdministrator(Exception):
    """Without this account nobody could look after the site."""


def delete_account(user: User) -> None:
    """Let a user go: others take over what they hold, then nothing is left of the person.

    From the start nobody can log in by the account nor sit down with it. Raises LastAdministrator, and
    whatever keeps others from taking over; then nothing has ended but the user's sessions.
    """
    if user.is_superuser and not _other_administrators(user).exists():
        raise LastAdministrator
    if not User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
        return
    with _opened_again_on_failure(user):
        _end_sessions(user)
        # What others write down of the leaving is the name that stays.
        user.username = free_code(f"{FORMER}player ")
        member_leaving.send(sender=User, user=user)
        with transaction.atomic():
            leaving = User.objects.select_for_update().get(pk=user.pk)
            free_name(leaving)
            _forget(leaving, user.username)


def anonymise_idle_guests(now: datetime) -> int:
    """Forget guests who were not here for thirty days before `now`; returns how many.

    Others first hand on what they hold for the guest (`member_leaving`). At most a hundred at a time;
    one that fails is logged and tried again next time.
    """
    # Closed accounts too: of one whose forgetting was cut short, the rest is done.
    idle = User.objects.filter(is_guest=True, last_seen__lt=timezone.localdate(now - GUEST_IDLE))
    idle = idle.exclude(username__startswith=FORMER)
    forgotten = 0
    for guest in idle.order_by("last_seen")[:GUEST_BATCH]:
        try:
            # The guest may have come back, or become a member, since the look at all of them.
            if idle.filter(pk=guest.pk).update(is_active=False):
                _forget_guest(guest)
                forgotten += 1
        except Exception:
            log.exception("Guest %s could not be forgotten", guest.pk)
    return forgotten


def _forget_guest(guest: User) -> None:
    with _opened_again_on_failure(guest):
        member_leaving.send(sender=User, user=guest)
        with transaction.atomic():
            leaving = User.objects.select_for_update().get(pk=guest.pk)
            _forget(leaving, free_code(f"{FORMER}guest "))


@contextmanager
def _opened_again_on_failure(user: User) -> Iterator[None]:
    """When what follows the closing of the user's account fails, leave it as `user` was read before."""
    try:
        yield
    except BaseException:
        User.objects.filter(pk=user.pk).update(is_active=user.is_active)
        raise


def _other_administrators(user: User) -> QuerySet[User]:
    return User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)


def _end_sessions(user: User) -> None:
    for session in UserSession.objects.filter(user=user):
        session.end()


def _forget(user: User, name: str) -> None:
    """Empty the row: no address, password, choice or session is left of the person, and another name."""
    _end_sessions(user)
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    user.freed_names.update(user=None)
    user.groups.clear()
    user.user_permissions.clear()
    new = User()
    for column in _OWN:
        setattr(user, column, getattr(new, column))
    user.is_active = False
    user.set_unusable_password()
    user.username = name
    user.save()
