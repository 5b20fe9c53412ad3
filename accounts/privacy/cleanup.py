"""Daily deletion of expired rows."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache, caches
from django.utils import timezone

from accounts.api_access import api_tokens
from accounts.mail import account_outbox
from accounts.membership.account_deletion import (
    GUEST_BATCH,
    anonymise_idle_guests,
    delete_unconfirmed,
    finish_deletions,
)
from accounts.membership.name_changes import FREED_FOR
from accounts.models import ReleasedName
from accounts.moderation.linked_accounts import throw_away
from accounts.signals import deleting_expired, work_failed

logger = logging.getLogger(__name__)

# The name under which operators see failures.
_WORK = "deleting expired rows"


def delete_expired(now: datetime) -> dict[str, int]:
    """Delete what has expired at `now` and return the number of rows by kind.

    Also sends `deleting_expired`. An error is logged and counted, and does not stop the rest.
    """
    done: dict[str, int] = {}
    for what, part in _PARTS.items():
        try:
            done[what] = part(now)
        except Exception as error:
            logger.exception("Expired %s could not be deleted", what)
            work_failed.send_robust(sender=None, work=_WORK, error=error)
    for _receiver, answer in deleting_expired.send_robust(sender=None, now=now):  # logs errors
        if isinstance(answer, dict):
            done |= answer
        elif isinstance(answer, Exception):
            work_failed.send_robust(sender=None, work=_WORK, error=answer)
    return done


def delete_expired_daily(now: datetime) -> dict[str, int] | None:
    """Delete expired rows unless already done today, then return None; one of several callers does it."""
    today, a_day = f"tidied:{timezone.localdate(now)}", timedelta(days=1).total_seconds()
    if cache.get(today) or not cache.add(today, True, timeout=a_day):
        return None
    return delete_expired(now)


def _sessions(now: datetime) -> int:
    return Session.objects.filter(expire_date__lt=now).delete()[0]


def _listed_sessions(now: datetime) -> int:
    """Delete allauth's rows (browser and address) of sessions that are over."""
    return UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()[0]


def _idle_guests(now: datetime) -> int:
    total = 0
    while forgotten := anonymise_idle_guests(now):
        total += forgotten
        if forgotten < GUEST_BATCH:
            break
    return total


def _freed_names(now: datetime) -> int:
    return ReleasedName.objects.filter(freed__lt=now - FREED_FOR).delete()[0]


def _cached_entries(now: datetime) -> int:
    # On every site this cache is in the database, and reading it does not delete expired entries.
    in_database: Any = caches["record"]
    return int(in_database.delete_expired(now))


_PARTS: dict[str, Callable[[datetime], int]] = {
    "expired sessions": _sessions,
    "entries of sessions that are over": _listed_sessions,
    "idle guests": _idle_guests,
    "accounts with no address ever confirmed": delete_unconfirmed,
    "accounts whose deletion was cut short": finish_deletions,
    "names kept free": _freed_names,
    "tokens that are over": api_tokens.delete_expired_tokens,
    "traces of browsers and networks": throw_away,
    "expired cache entries": _cached_entries,
    "settled account mails": account_outbox.delete_settled,
}
