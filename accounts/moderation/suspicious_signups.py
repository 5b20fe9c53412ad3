"""Groups of new accounts that one person or a program seems to have made."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from accounts.models import AccessTrace, AuditEntry, User

# The staff action by which a group leaves the desk; the audit keeps whom it was about.
DISMISS: Final = "dismiss-sign-up"

# The time for which a sign-up counts as new, and the number of sign-ups examined.
NEW: Final = timedelta(days=3)
LOOKED_AT: Final = 300

# From these numbers on, shared features are unlikely to be chance.
NAMES_ALIKE = 3
OF_A_DOMAIN = 4
OF_A_BROWSER = 2
OF_A_NETWORK = 3

# Large public mail providers, whose domain means nothing.
COMMON: Final = frozenset(
    (
        *("gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com"),
        *("icloud.com", "me.com", "aol.com", "gmx.de", "gmx.net", "web.de", "t-online.de", "mail.com"),
        *("proton.me", "protonmail.com", "posteo.de", "mailbox.org", "fastmail.com", "yandex.ru", "mail.ru"),
    )
)

# Disposable mail providers, whose mailboxes anybody can read.
DISPOSABLE: Final = frozenset(
    (
        *("mailinator.com", "guerrillamail.com", "10minutemail.com", "temp-mail.org", "yopmail.com"),
        *("trashmail.com", "dispostable.com", "maildrop.cc", "getnada.com", "sharklasers.com"),
        *("throwawaymail.com", "tempmail.com", "fakeinbox.com", "mintemail.com", "spamgourmet.com"),
    )
)

_NOT_LETTERS = re.compile(r"[\d_-]+")


# Key, name, mail address, time of sign-up, and the mark of a browser or network or "".
_Row = tuple[int, str, str, datetime, str]


@dataclass(frozen=True, slots=True)
class SignupGroup:
    """New members that share a feature: a sentence, their names by key, the latest first, and since when."""

    sentence: str
    names: dict[int, str]
    since: datetime


def suspicious_groups(now: datetime) -> list[SignupGroup]:
    """The groups of new members that share a name, a mail domain, a browser or a network.

    Browsers and networks are known only as hashes, so a group only says that they are the same. A group that
    was dismissed is left out until another account joins it.
    """
    found = list(_recent_signups(now))
    people = list({row[0]: row for row in found}.values())
    groups = [*_by_domain(people), *_by_name(people), *_by_mark(found)]
    dismissed = _dismissed(now) if groups else frozenset()
    return list({group.sentence: group for group in groups if not dismissed >= group.names.keys()}.values())


def groups_with(member: User) -> list[SignupGroup]:
    """The suspicious groups that the member belongs to."""
    now = timezone.now()
    if member.date_joined <= now - NEW:
        return []
    return [group for group in suspicious_groups(now) if member.pk in group.names]


def _dismissed(now: datetime) -> frozenset[int]:
    """The keys of the new members whose sign-ups staff has dismissed."""
    entries = AuditEntry.objects.filter(action=DISMISS, made__gt=now - NEW).order_by()
    return frozenset(
        key for details in entries.values_list("details", flat=True) for key in details["members"]
    )


def _recent_signups(now: datetime) -> Iterator[_Row]:
    """Recent sign-ups, the latest first; a row for each browser and network they used."""
    members = User.objects.filter(date_joined__gt=now - NEW, is_guest=False, is_staff=False, is_active=True)
    members = members.filter(Q(suspended_until=None) | Q(suspended_until__lte=now))
    rows = members.order_by("-date_joined", "-pk").values_list(
        "pk", "username", "email", "date_joined", "traces__kind", "traces__mark"
    )
    for key, name, mail, joined, kind, mark in rows[:LOOKED_AT]:
        yield key, name, mail, joined, f"{kind} {mark}" if mark else ""


def _by_domain(rows: Iterable[_Row]) -> Iterator[SignupGroup]:
    for domain, alike in _grouped(rows, lambda row: row[2].rpartition("@")[2].lower()):
        if domain in DISPOSABLE:
            sentence: Any = _("Disposable email addresses at {domain}: {names}.")
        elif len(alike) >= OF_A_DOMAIN and domain not in COMMON:
            sentence = ngettext_lazy(
                "{n} new account uses email at {domain}: {names}.",
                "{n} new accounts use email at {domain}: {names}.",
                "n",
            )
        else:
            continue
        yield _group(alike, sentence, domain=domain)


def _by_name(rows: Iterable[_Row]) -> Iterator[SignupGroup]:
    for stem, alike in _grouped(rows, lambda row: _NOT_LETTERS.sub("", row[1].lower())):
        if len(stem) >= 3 and len(alike) >= NAMES_ALIKE:
            yield _group(
                alike,
                ngettext_lazy(
                    "{n} new account has a similar name: {names}.",
                    "{n} new accounts have similar names: {names}.",
                    "n",
                ),
            )


def _by_mark(rows: Iterable[_Row]) -> Iterator[SignupGroup]:
    for mark, alike in _grouped(rows, lambda row: row[4]):
        if mark.startswith(AccessTrace.Kind.BROWSER) and len(alike) >= OF_A_BROWSER:
            yield _group(
                alike,
                ngettext_lazy(
                    "{n} new account shares a browser: {names}.",
                    "{n} new accounts share a browser: {names}.",
                    "n",
                ),
            )
        elif mark.startswith(AccessTrace.Kind.NETWORK) and len(alike) >= OF_A_NETWORK:
            yield _group(
                alike,
                ngettext_lazy(
                    "{n} new account shares a network: {names}.",
                    "{n} new accounts share a network: {names}.",
                    "n",
                ),
            )


def _grouped(rows: Iterable[_Row], common: Callable[[_Row], str]) -> Iterable[tuple[str, list[_Row]]]:
    """The rows by shared feature, without those that lack it."""
    groups: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        if shared := common(row):
            groups[shared].append(row)
    return groups.items()


def _group(rows: list[_Row], sentence: Any, **words: str) -> SignupGroup:
    """The group with its sentence, an `ngettext_lazy` of `n` or a text without a count."""
    names = {key: name for key, name, *_rest in rows}
    told = str(sentence.format(n=len(names), names=_join_names(list(names.values())), **words))
    return SignupGroup(told, names, rows[-1][3])


def _join_names(names: list[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    others = len(names) - most
    if others <= 0:
        return shown
    return ngettext("{names} and {n} other", "{names} and {n} others", others).format(names=shown, n=others)
