"""Cases of new accounts that one person or a program seems to have made."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import AccessTrace, User
from games.moderation.desk.desk_case import DeskCase, DeskTopic

# How long a sign-up counts as new, and how many are examined.
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


@dataclass
class _Alike:
    """New members that share a feature, the latest first."""

    names: list[str] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    since: datetime | None = None


def suspicious(now: datetime, reader: User) -> list[DeskCase]:
    """A case for each group of new members that share a name, a mail domain, a browser or a network.

    Browsers and networks are known only as hashes, so a case only says that they are the same.
    """
    found = list(_recent_signups(now))
    people = list({row[0]: row for row in found}.values())
    cases = [*_by_domain(people), *_by_name(people), *_by_mark(found)]
    return list({case.sentence: case for case in cases}.values())


def _recent_signups(now: datetime) -> Iterator[_Row]:
    """Recent sign-ups, the latest first; a row for each browser and network they used."""
    members = User.objects.filter(date_joined__gt=now - NEW, is_guest=False, is_staff=False, is_active=True)
    members = members.filter(Q(suspended_until=None) | Q(suspended_until__lte=now))
    rows = members.order_by("-date_joined", "-pk").values_list(
        "pk", "username", "email", "date_joined", "traces__kind", "traces__mark"
    )
    for key, name, mail, joined, kind, mark in rows[:LOOKED_AT]:
        yield key, name, mail, joined, f"{kind} {mark}" if mark else ""


def _by_domain(rows: Iterable[_Row]) -> Iterator[DeskCase]:
    for domain, alike in _grouped(rows, lambda row: row[2].rpartition("@")[2].lower()).items():
        number = len(alike.keys)
        if domain in DISPOSABLE:
            sentence = _("{names}: mail goes to {domain}, where anybody can read it.")
        elif number >= OF_A_DOMAIN and domain not in COMMON:
            sentence = _("{n} new accounts have their mail at {domain}: {names}.")
        else:
            continue
        told = sentence.format(n=number, domain=domain, names=_join_names(alike.names))
        yield _case(alike, told, search=f"@{domain}")


def _by_name(rows: Iterable[_Row]) -> Iterator[DeskCase]:
    for stem, alike in _grouped(rows, lambda row: _NOT_LETTERS.sub("", row[1].lower())).items():
        if len(stem) >= 3 and len(alike.keys) >= NAMES_ALIKE:
            sentence = _("{n} new accounts have names alike: {names}.")
            told = sentence.format(n=len(alike.keys), names=_join_names(alike.names))
            yield _case(alike, told, search=stem)


def _by_mark(rows: Iterable[_Row]) -> Iterator[DeskCase]:
    for mark, alike in _grouped(rows, lambda row: row[4]).items():
        names, number = _join_names(alike.names), len(alike.keys)
        if mark.startswith(AccessTrace.Kind.BROWSER) and number >= OF_A_BROWSER:
            sentence = _("{n} new accounts are used in one browser: {names}.")
        elif mark.startswith(AccessTrace.Kind.NETWORK) and number >= OF_A_NETWORK:
            sentence = _("{n} new accounts come from one network: {names}.")
        else:
            continue
        yield _case(alike, sentence.format(n=number, names=names), key=alike.keys[0])


def _grouped(rows: Iterable[_Row], common: Callable[[_Row], str]) -> dict[str, _Alike]:
    """The rows by shared feature, without those that lack it."""
    groups: dict[str, _Alike] = defaultdict(_Alike)
    for row in rows:
        if shared := common(row):
            key, name, _mail, joined, _mark = row
            group = groups[shared]
            group.keys.append(key)
            group.names.append(name)
            group.since = joined
    return groups


def _case(alike: _Alike, sentence: str, *, key: int | None = None, search: str = "") -> DeskCase:
    """A case about some members, with a link to the page of one of them or to a search."""
    assert alike.since is not None
    return DeskCase(
        DeskTopic.SIGN_UP, sentence, alike.since, "accounts.user", key, {"q": search} if search else {}
    )


def _join_names(names: list[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else _("{names} and {n} more").format(names=shown, n=len(names) - most)
