"""Accounts linked by a browser, a network or invitations, to find several accounts of one person.

Access traces hold keyed hashes: they tell browsers and networks apart without revealing them, and addresses
cannot be guessed from a stolen copy without the site's key. A trace is deleted thirty days after its last
use.
"""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import cast

from django.conf import settings
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import AccessTrace, User
from accounts.signals import collect_account_links

Kind = AccessTrace.Kind

KEPT = timedelta(days=30)

# A household or telephone keeps this many bits of an IPv6 address; the rest changes.
_PREFIX = 64

# Many members may share one network (a company, a town): then it does not link them.
MAX_NETWORK_MEMBERS = 10


@dataclass(frozen=True)
class AccountLink:
    """A link to another account, described by a sentence."""

    other: User
    sentence: str


def new_browser_id() -> str:
    """A random id for a new browser cookie."""
    return secrets.token_urlsafe(16)


def is_browser(text: str) -> bool:
    """Return whether the text has the form of a browser id; anybody may send anything."""
    return re.fullmatch(r"[\w-]{22}", text, re.ASCII) is not None


def record_access(user: User, *, browser: str, address: str) -> None:
    """Record that the account is used from this browser and this network address; "" for unknown."""
    marks = {Kind.BROWSER: browser, Kind.NETWORK: _network(address)}
    now = timezone.now()
    AccessTrace.objects.bulk_create(
        [
            AccessTrace(member=user, kind=kind, mark=_mark(kind, told), first=now, last=now)
            for kind, told in marks.items()
            if told
        ],
        update_conflicts=True,
        unique_fields=["member", "kind", "mark"],
        update_fields=["last"],
    )


def account_links(user: User) -> list[AccountLink]:
    """The links of the account to others by browser, network and invitation, the strongest first."""
    found = [*_shared(user, Kind.BROWSER), *_shared(user, Kind.NETWORK)]
    told: list[tuple[int, str]] = []
    for _receiver, pairs in collect_account_links.send(sender=User, user=user):
        told += cast(list[tuple[int, str]], pairs)
    others = User.objects.in_bulk([key for key, _sentence in told])
    return found + [
        AccountLink(others[key], sentence.format(name=others[key].username))
        for key, sentence in told
        if key in others
    ]


def throw_away(now: datetime) -> int:
    """Delete expired traces and return how many."""
    return AccessTrace.objects.filter(last__lt=now - KEPT).delete()[0]


def _shared(user: User, kind: str) -> Iterable[AccountLink]:
    since = timezone.now() - KEPT
    mine = AccessTrace.objects.filter(member=user, kind=kind, last__gte=since).values("mark")
    traces = AccessTrace.objects.filter(kind=kind, mark__in=mine, last__gte=since).exclude(member=user)
    found = list(traces.values("member").annotate(at=Max("last")).order_by("-at", "member"))
    if kind == Kind.NETWORK and len(found) > MAX_NETWORK_MEMBERS:
        return
    others = User.objects.in_bulk([row["member"] for row in found])
    sentence = {
        Kind.BROWSER: _("Shares a browser with {name}, last seen on {day}."),
        Kind.NETWORK: _("Comes from the same network as {name}, last seen on {day}."),
    }[Kind(kind)]
    for row in found:
        other = others[row["member"]]
        day = date_format(timezone.localtime(row["at"]), "j F Y")
        yield AccountLink(other, sentence.format(name=other.username, day=day))


def _network(address: str) -> str:
    """The part of an address that a household keeps; "" if it is not an address."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return f"{int(found) >> (128 - _PREFIX):x}/{_PREFIX}"
    return str(found)


def _mark(kind: str, told: str) -> str:
    # A new site key makes new marks; old ones are no longer found and expire.
    return salted_hmac(f"accounts.trace.{kind}", told, settings.SECRET_KEY, algorithm="sha256").hexdigest()
