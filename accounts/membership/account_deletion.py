"""Account deletion: the row stays for the games of the account, without personal data."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from accounts.mail.account_outbox import delete_account_mails
from accounts.membership.name_changes import free_code, free_name
from accounts.membership.sessions import end_sessions
from accounts.models import BotAccount, User
from accounts.refusals import LastAdministrator
from accounts.signals import member_leaving

GUEST_IDLE = timedelta(days=30)
GUEST_BATCH = 100

# How long the name of an account without a confirmed address is kept.
UNCONFIRMED = timedelta(days=30)

# A deletion that has run for longer was cut short when the process died.
MAX_DELETION_TIME = timedelta(minutes=15)

# Prefix of the names of deleted accounts; no other name has a space in it.
FORMER_NAME_PREFIX = "former "

# Fields that are reset to the defaults of a new account.
_RESET_FIELDS = (
    *("email", "last_login", "terms_accepted", "time_zone", "theme", "patterns"),
    *("confirm_placing", "confirm_sending", "mail_mode", "mail_delay", "digest_hour", "mail_stopped"),
    *(
        "is_staff",
        "is_superuser",
        "deletion_started_at",
        "has_unread_warning",
        "muted_until",
        "suspended_until",
    ),
)

logger = logging.getLogger(__name__)


def delete_account(user: User) -> None:
    """Delete an account: hand over its seats, then remove the personal data.

    From the start nobody can log in to the account or take a seat with it. Raises LastAdministrator, and any
    error of the hand-over, which leaves everything but the user's sessions as it was.
    """
    if _close(user):
        with _opened_again_on_failure(user):
            _release_holdings(user)


def finish_deletions(now: datetime) -> int:
    """Finish deletions that were cut short when the process died; return how many.

    An account that still cannot be deleted is logged, stays closed and is tried again next time.
    """
    begun = User.objects.filter(is_active=False, deletion_started_at__lt=now - MAX_DELETION_TIME)
    gone = 0
    for user in begun:
        try:
            _release_holdings(user)
            gone += 1
        except Exception:
            logger.exception("Account %s could not be deleted", user.pk)
    return gone


def delete_unconfirmed(now: datetime) -> int:
    """Delete accounts that never confirmed an address and so cannot be used; return how many.

    They keep names, and guests' games, from others. Returns 0 where addresses need not be confirmed.
    """
    if not settings.EMAIL_MUST_BE_CONFIRMED:
        return 0
    found = User.objects.filter(is_active=True, is_guest=False, is_staff=False)
    found = found.filter(terms_accepted__lt=now - UNCONFIRMED)
    # A former guest has logged in as a guest before.
    found = found.filter(Q(last_login=None) | Q(last_login__lt=F("terms_accepted")))
    found = found.exclude(Exists(EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)))
    deleted = 0
    for user in found:
        try:
            delete_account(user)
            deleted += 1
        except Exception:
            logger.exception("Unconfirmed account %s could not be deleted", user.pk)
    return deleted


@transaction.atomic
def _close(user: User) -> bool:
    """Close the account and return whether it was open. Raises LastAdministrator."""
    # Lock first: two last administrators who leave at once must not count on each other.
    if user.is_superuser and _locked_administrators() == [user.pk]:
        raise LastAdministrator
    still_open = User.objects.filter(pk=user.pk, is_active=True)
    return still_open.update(is_active=False, deletion_started_at=timezone.now()) > 0


def _release_holdings(user: User) -> None:
    """Hand over what the user of a closed account holds, then remove the personal data."""
    end_sessions(user)
    for program in User.objects.filter(program__owner=user):
        _close(program)
        _release_holdings(program)
    # Log entries about the departure must show the name that stays.
    user.username = free_code(f"{FORMER_NAME_PREFIX}player ")
    member_leaving.send(sender=User, user=user)
    with transaction.atomic():
        leaving = User.objects.select_for_update().get(pk=user.pk)
        free_name(leaving)
        _anonymise(leaving, user.username)


def anonymise_idle_guests(now: datetime) -> int:
    """Anonymise guests idle for thirty days before `now`; return how many.

    Receivers of `member_leaving` first hand over their seats. At most a hundred at a time; a guest that fails
    is logged and tried again next time.
    """
    # Includes closed accounts, to finish those that were cut short.
    idle = User.objects.filter(is_guest=True, last_seen__lt=timezone.localdate(now - GUEST_IDLE))
    idle = idle.exclude(username__startswith=FORMER_NAME_PREFIX)
    forgotten = 0
    for guest in idle.order_by("last_seen")[:GUEST_BATCH]:
        try:
            # The guest may have returned or become a member since the query.
            if idle.filter(pk=guest.pk).update(is_active=False):
                _forget_guest(guest)
                forgotten += 1
        except Exception:
            logger.exception("Guest %s could not be anonymised", guest.pk)
    return forgotten


def _forget_guest(guest: User) -> None:
    with _opened_again_on_failure(guest):
        member_leaving.send(sender=User, user=guest)
        with transaction.atomic():
            leaving = User.objects.select_for_update().get(pk=guest.pk)
            _anonymise(leaving, free_code(f"{FORMER_NAME_PREFIX}guest "))


@contextmanager
def _opened_again_on_failure(user: User) -> Iterator[None]:
    """Restore the account as `user` was read before if the block fails."""
    try:
        yield
    except BaseException:
        User.objects.filter(pk=user.pk).update(is_active=user.is_active, deletion_started_at=None)
        raise


def _locked_administrators() -> list[int]:
    """The keys of all administrators, locked until the transaction ends."""
    administrators = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    return list(administrators.select_for_update().values_list("pk", flat=True))


def _anonymise(user: User, name: str) -> None:
    """Remove addresses, password, settings, sessions and all other personal data, and rename the user."""
    end_sessions(user)
    delete_account_mails(user)
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    user.freed_names.update(user=None)
    user.sanctions.all().delete()
    user.traces.all().delete()
    user.tokens.all().delete()
    BotAccount.objects.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    new = User()
    for column in _RESET_FIELDS:
        setattr(user, column, getattr(new, column))
    user.is_active = False
    user.set_unusable_password()
    user.username = name
    user.save()
