"""Rate limit of the public API, counted per minute by all web processes together.

Counts are kept in Redis, and in memory while it does not answer, so that reading the API never writes to the
database.
"""

import time
from ipaddress import IPv6Address, ip_address
from threading import Lock

from django.conf import settings
from django.http import HttpRequest

from games.realtime import shared_counts

MINUTE = 60

# A household or a phone usually has an IPv6 prefix of this length.
_PREFIX = 64

_lock = Lock()
_counts: dict[str, int] = {}
_minute = 0


def seconds_to_wait(request: HttpRequest, member: int | None) -> int:
    """Count the request and return 0 if it may pass, else the seconds until the next one may.

    It counts for the member with the key `member`, whose token was sent, else for the IP address.
    """
    global _minute
    if member is None:
        key, most = _network(request.META.get("REMOTE_ADDR", "")), settings.API_PER_MINUTE
    else:
        key, most = f"member {member}", settings.API_PER_MINUTE_WITH_TOKEN
    now = time.time()
    with _lock:
        if _minute != now // MINUTE:
            _minute = int(now // MINUTE)
            _counts.clear()
        _counts[key] = own = _counts.get(key, 0) + 1
    # A client over the limit of this process alone need not be counted in Redis.
    count = own if own > most else max(own, _shared(key, int(now // MINUTE)))
    return 0 if count <= most else max(1, int(MINUTE - now % MINUTE))


def _shared(key: str, minute: int) -> int:
    """Count the request with those of all processes; 0 without Redis."""
    return shared_counts.count_up(f"api:{minute}:{key}", 2 * MINUTE) or 0


def forget() -> None:
    """Reset all counts."""
    with _lock:
        _counts.clear()


def _network(address: str) -> str:
    """Return the part of an IP address that identifies a household."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and not found.ipv4_mapped:
        return f"{int(found) >> (128 - _PREFIX):x}"
    return str(found)
