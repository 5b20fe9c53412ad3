"""How much one may ask of the API: so many requests a minute, counted in each web process for itself.

Reading writes nothing, so neither does this: the database has better things to do than to count who reads.
"""

import time
from ipaddress import IPv6Address, ip_address
from threading import Lock

from django.conf import settings
from django.http import HttpRequest

MINUTE = 60

# A house or a telephone has so much of an address of the newer kind.
_PREFIX = 64

_lock = Lock()
_counts: dict[str, int] = {}
_minute = 0


def seconds_to_wait(request: HttpRequest, member: int | None) -> int:
    """Count the request; 0 when it may pass, else after how many seconds the next one may.

    It counts for the `member` whose token it shows, by their key, else for the address that it comes from.
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
        _counts[key] = count = _counts.get(key, 0) + 1
    return 0 if count <= most else max(1, int(MINUTE - now % MINUTE))


def forget() -> None:
    """Begin to count anew."""
    with _lock:
        _counts.clear()


def _network(address: str) -> str:
    """The part of an address that a household keeps."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and not found.ipv4_mapped:
        return f"{int(found) >> (128 - _PREFIX):x}"
    return str(found)
