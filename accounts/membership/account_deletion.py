"""How accounts end. The row stays, for the games it stands in; the person goes out of it."""

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
from django.utils.translation import gettext_lazy

from accounts.membership.name_changes import free_code, free_name
from accounts.membership.sessions import end_sessions
from accounts.models import BotAccount, User
from accounts.refusals import Refusal
from accounts.signals import member_leaving

GUEST_IDLE = timedelta(days=30)
GUEST_BATCH = 100

# So long a name is kept for whoever has not confirmed the address yet.
UNCONFIRMED = timedelta(days=30)

# Whoever is still leaving after this long: the process died over it.
LONGEST_LEAVING = timedelta(minutes=15)

# How the names begin that are left; no other name has a space in it.
FORMER_NAME_PREFIX = "former "

# What is the person's own choice goes back to what a new account has.
_OWN = (
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

log = logging.getLogger(__name__)


class LastAdministrator(Refusal):
    """The account is that of the only administrator."""

    status = 422
    message = gettext_lazy(
        "Nobody could look after the site without you. Make somebody else an administrator first."
    )


def delete_account(user: User) -> None:
    """Let a user go: others take over what they hold, then nothing is left of the person.

    From the start nobody can log in by the account nor sit down with it. Raises LastAdministrator, and
    whatever keeps others from taking over; then nothing has ended but the user's sessions.
    """
    if _close(user):
        with _opened_again_on_failure(user):
            _release_holdings(user)


def finish_deletions(now: datetime) -> int:
    """Let go, at last, whoever was leaving when the process died over it; returns how many.

    One who still cannot be let go is logged, stays closed and is tried again next time.
    """
    begun = User.objects.filter(is_active=False, deletion_started_at__lt=now - LONGEST_LEAVING)
    gone = 0
    for user in begun:
        try:
            _release_holdings(user)
            gone += 1
        except Exception:
            log.exception("User %s could not be let go", user.pk)
    return gone


def delete_unconfirmed(now: datetime) -> int:
    """Delete accounts that nobody could ever enter, for want of a confirmed address; returns how many.

    They keep names, and guests' games, from others. None where addresses need not be confirmed.
    """
    if not settings.EMAIL_MUST_BE_CONFIRMED:
        return 0
    found = User.objects.filter(is_active=True, is_guest=False, is_staff=False)
    found = found.filter(terms_accepted__lt=now - UNCONFIRMED)
    # Who was a guest before logged in as one.
    found = found.filter(Q(last_login=None) | Q(last_login__lt=F("terms_accepted")))
    found = found.exclude(Exists(EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)))
    deleted = 0
    for user in found:
        try:
            delete_account(user)
            deleted += 1
        except Exception:
            log.exception("User %s, who confirmed no address, could not be deleted", user.pk)
    return deleted


@transaction.atomic
def _close(user: User) -> bool:
    """Close the account; whether it was open. Raises LastAdministrator."""
    # Locked, so that of the last two who leave at once neither counts on the other.
    if user.is_superuser and _locked_administrators() == [user.pk]:
        raise LastAdministrator
    still_open = User.objects.filter(pk=user.pk, is_active=True)
    return still_open.update(is_active=False, deletion_started_at=timezone.now()) > 0


def _release_holdings(user: User) -> None:
    """Have others take over what the user of a closed account holds, then empty it."""
    end_sessions(user)
    for program in User.objects.filter(program__owner=user):
        _close(program)
        _release_holdings(program)
    # What others write down of the leaving is the name that stays.
    user.username = free_code(f"{FORMER_NAME_PREFIX}player ")
    member_leaving.send(sender=User, user=user)
    with transaction.atomic():
        leaving = User.objects.select_for_update().get(pk=user.pk)
        free_name(leaving)
        _anonymise(leaving, user.username)


def anonymise_idle_guests(now: datetime) -> int:
    """Forget guests who were not here for thirty days before `now`; returns how many.

    Others first hand on what they hold for the guest (`member_leaving`). At most a hundred at a time;
    one that fails is logged and tried again next time.
    """
    # Closed accounts too: of one whose forgetting was cut short, the rest is done.
    idle = User.objects.filter(is_guest=True, last_seen__lt=timezone.localdate(now - GUEST_IDLE))
    idle = idle.exclude(username__startswith=FORMER_NAME_PREFIX)
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
            _anonymise(leaving, free_code(f"{FORMER_NAME_PREFIX}guest "))


@contextmanager
def _opened_again_on_failure(user: User) -> Iterator[None]:
    """When what follows the closing of the user's account fails, leave it as `user` was read before."""
    try:
        yield
    except BaseException:
        User.objects.filter(pk=user.pk).update(is_active=user.is_active, deletion_started_at=None)
        raise


def _locked_administrators() -> list[int]:
    """The keys of all who look after the site, whose rows stay locked until the transaction ends."""
    administrators = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    return list(administrators.select_for_update().values_list("pk", flat=True))


def _anonymise(user: User, name: str) -> None:
    """Empty the row: no address, password, choice or session is left of the person, and another name."""
    end_sessions(user)
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
    for column in _OWN:
        setattr(user, column, getattr(new, column))
    user.is_active = False
    user.set_unusable_password()
    user.username = name
    user.save()
