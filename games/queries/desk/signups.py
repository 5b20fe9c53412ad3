"""New accounts on the desk that look as if one person, or a program, had made several."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User

from .case import Case, Concern

# So long a sign-up is new, and of so many are looked at.
NEW: Final = timedelta(days=3)
LOOKED_AT: Final = 300

# So many new accounts with something in common are no chance any more.
NAMES_ALIKE = 3
OF_A_DOMAIN = 4

# Where anybody gets a mailbox: that many come from there says nothing.
COMMON: Final = frozenset(
    (
        *("gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com"),
        *("icloud.com", "me.com", "aol.com", "gmx.de", "gmx.net", "web.de", "t-online.de", "mail.com"),
        *("proton.me", "protonmail.com", "posteo.de", "mailbox.org", "fastmail.com", "yandex.ru", "mail.ru"),
    )
)

# Where a mailbox is there for some minutes, and read by whoever wants to.
DISPOSABLE: Final = frozenset(
    (
        *("mailinator.com", "guerrillamail.com", "10minutemail.com", "temp-mail.org", "yopmail.com"),
        *("trashmail.com", "dispostable.com", "maildrop.cc", "getnada.com", "sharklasers.com"),
        *("throwawaymail.com", "tempmail.com", "fakeinbox.com", "mintemail.com", "spamgourmet.com"),
    )
)

_NOT_LETTERS = re.compile(r"[\d_-]+")


@dataclass
class _Alike:
    """New members who have something in common, the latest first."""

    names: list[str] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    since: datetime | None = None


def suspicious(now: datetime) -> list[Case]:
    """A case for each group of new members who are alike in their names or in where their mail goes."""
    found = list(
        User.objects.filter(date_joined__gt=now - NEW, is_guest=False, is_staff=False, is_active=True)
        .order_by("-date_joined")
        .values_list("pk", "username", "email", "date_joined")[:LOOKED_AT]
    )
    return [*_by_domain(found), *_by_name(found)]


_Row = tuple[int, str, str, datetime]


def _by_domain(rows: Iterable[_Row]) -> Iterator[Case]:
    for domain, alike in _grouped(rows, lambda row: row[2].rpartition("@")[2].lower()).items():
        number = len(alike.keys)
        if domain in DISPOSABLE:
            sentence = _("{names}: mail goes to {domain}, where anybody can read it.")
        elif number >= OF_A_DOMAIN and domain not in COMMON:
            sentence = _("{n} new accounts have their mail at {domain}: {names}.")
        else:
            continue
        told = sentence.format(n=number, domain=domain, names=_listed(alike.names))
        yield _case(alike, told, search=f"q=@{domain}")


def _by_name(rows: Iterable[_Row]) -> Iterator[Case]:
    for stem, alike in _grouped(rows, lambda row: _NOT_LETTERS.sub("", row[1].lower())).items():
        if len(stem) >= 3 and len(alike.keys) >= NAMES_ALIKE:
            sentence = _("{n} new accounts have names alike: {names}.")
            told = sentence.format(n=len(alike.keys), names=_listed(alike.names))
            yield _case(alike, told, search=f"q={stem}")


def _grouped(rows: Iterable[_Row], common: Callable[[_Row], str]) -> dict[str, _Alike]:
    """The rows by what they have in common, less those that have nothing there."""
    groups: dict[str, _Alike] = defaultdict(_Alike)
    for row in rows:
        if shared := common(row):
            key, name, _mail, joined = row
            group = groups[shared]
            group.keys.append(key)
            group.names.append(name)
            group.since = joined
    return groups


def _case(alike: _Alike, sentence: str, search: str) -> Case:
    assert alike.since is not None
    return Case(Concern.SIGN_UP, sentence, alike.since, "accounts.user", search=search)


def _listed(names: list[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else _("{names} and {n} more").format(names=shown, n=len(names) - most)
