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
from accounts.membership.name_changes import GUEST_PREFIX, free_code, free_name, save_with_code
from accounts.membership.sessions import end_sessions, keep_sessions
from accounts.models import BotAccount, User
from accounts.refusals import LastAdministrator
from accounts.signals import member_leaving, work_failed

GUEST_IDLE = timedelta(days=30)
GUEST_BATCH = 100

# An account that confirms no address keeps its name for this time.
UNCONFIRMED = timedelta(days=1)

# A deletion that has run for longer was cut short when the process died.
MAX_DELETION_TIME = timedelta(minutes=15)

# Prefix of the names of deleted accounts; no other name has a space in it.
FORMER_NAME_PREFIX = "former "

# Fields that are reset to the defaults of a new account.
_RESET_FIELDS = (
    *("email", "last_login", "terms_accepted", "time_zone", "theme", "patterns"),
    *("square_names", "sounds", "coach_marks", "read_coach_marks"),
    *("confirm_placing", "confirm_sending", "mail_mode", "mail_delay", "digest_hour", "quiet_nights"),
    *("codes_from_links", "mail_stopped"),
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


def delete_account(user: User, *, keep_name_free: bool = True) -> None:
    """Delete an account: hand over its seats, then remove the personal data.

    From the start nobody can log in to the account or take a seat with it. `keep_name_free` keeps the name
    from others for a while. Raises LastAdministrator, and any error of the hand-over, which leaves everything
    but the user's sessions as it was.
    """
    if _close(user):
        with _opened_again_on_failure(user):
            _release_holdings(user, keep_name_free=keep_name_free)


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
        except Exception as error:
            logger.exception("Account %s could not be deleted", user.pk)
            work_failed.send_robust(sender=None, work="deleting an account", error=error)
    return gone


def delete_unconfirmed(now: datetime, name: str | None = None, by: User | None = None) -> int:
    """Delete accounts that have confirmed no address for a day; return how many.

    Nobody can use them, but they keep their names from others; `name` chooses those in the way of a name that
    `by` wants to take. A guest who has registered stays a guest. Returns 0 where addresses need not be
    confirmed.
    """
    if not settings.EMAIL_MUST_BE_CONFIRMED:
        return 0
    found = User.objects.all() if name is None else User.objects.named_like(name)
    if by is not None:
        found = found.exclude(pk=by.pk)
    found = found.filter(is_active=True, is_staff=False, terms_accepted__lt=now - UNCONFIRMED)
    found = found.exclude(Exists(EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)))
    deleted = 0
    # Others have logged in since, because addresses need not be confirmed then.
    for user in found.filter(Q(is_guest=True) | Q(last_login=None) | Q(last_login__lt=F("terms_accepted"))):
        try:
            if user.is_guest:
                withdraw_registration(user)
            else:
                delete_account(user, keep_name_free=False)
            deleted += 1
        except Exception as error:
            logger.exception("Unconfirmed account %s could not be deleted", user.pk)
            work_failed.send_robust(sender=None, work="deleting an unconfirmed account", error=error)
    return deleted


@transaction.atomic
def withdraw_registration(guest: User) -> None:
    """Make a guest who has registered, and confirmed no address, a guest with a made-up name again."""
    guest = User.objects.select_for_update().get(pk=guest.pk)
    if not guest.is_guest:
        return  # the address was confirmed meanwhile
    EmailAddress.objects.filter(user=guest).delete()
    guest.email, guest.terms_accepted = "", None
    guest.set_unusable_password()
    save_with_code(guest, GUEST_PREFIX)
    keep_sessions(guest)


@transaction.atomic
def _close(user: User) -> bool:
    """Close the account and return whether it was open. Raises LastAdministrator."""
    # Lock first: two last administrators who leave at once must not count on each other.
    if user.is_superuser and locked_administrators() == [user.pk]:
        raise LastAdministrator
    still_open = User.objects.filter(pk=user.pk, is_active=True)
    return still_open.update(is_active=False, deletion_started_at=timezone.now()) > 0


def _release_holdings(user: User, *, keep_name_free: bool = True) -> None:
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
        if keep_name_free:
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
        except Exception as error:
            logger.exception("Guest %s could not be anonymised", guest.pk)
            work_failed.send_robust(sender=None, work="anonymising a guest", error=error)
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


def locked_administrators() -> list[int]:
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
