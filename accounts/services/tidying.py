"""Throwing away what has grown old."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.utils import timezone

from accounts.models import FreedName
from accounts.signals import tidying

from . import tokens
from .leaving import GUEST_BATCH, anonymise_idle_guests, delete_unconfirmed, finish_leaving
from .naming import FREED_FOR
from .tracing import throw_away

log = logging.getLogger(__name__)


def tidy(now: datetime) -> dict[str, int]:
    """Throw away what is too old at `now`; returns how much of what.

    Others are asked to do the same (`tidying`). What fails is logged and keeps nobody else from it.
    """
    done: dict[str, int] = {}
    for what, part in _PARTS.items():
        try:
            done[what] = part(now)
        except Exception:
            log.exception("%s could not be tidied", what)
    for _receiver, answer in tidying.send_robust(sender=None, now=now):  # which logs what fails
        if isinstance(answer, dict):
            done |= answer
    return done


def tidy_once_a_day(now: datetime) -> dict[str, int] | None:
    """Tidy unless that was done on this day; None then. Several callers at once do it once."""
    today, a_day = f"tidied:{timezone.localdate(now)}", timedelta(days=1).total_seconds()
    if cache.get(today) or not cache.add(today, True, timeout=a_day):
        return None
    return tidy(now)


def _sessions(now: datetime) -> int:
    return Session.objects.filter(expire_date__lt=now).delete()[0]


def _listed_sessions(now: datetime) -> int:
    """What is kept of sessions besides themselves: browser and address, once the session is over."""
    return UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()[0]


def _idle_guests(now: datetime) -> int:
    total = 0
    while forgotten := anonymise_idle_guests(now):
        total += forgotten
        if forgotten < GUEST_BATCH:
            break
    return total


def _freed_names(now: datetime) -> int:
    return FreedName.objects.filter(freed__lt=now - FREED_FOR).delete()[0]


_PARTS: dict[str, Callable[[datetime], int]] = {
    "expired sessions": _sessions,
    "entries of sessions that are over": _listed_sessions,
    "idle guests": _idle_guests,
    "accounts with no address ever confirmed": delete_unconfirmed,
    "accounts whose deletion was cut short": finish_leaving,
    "names kept free": _freed_names,
    "tokens that are over": tokens.throw_away,
    "traces of browsers and networks": throw_away,
}
