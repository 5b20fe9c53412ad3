"""Posts to URLs given by users: over https, and to the public internet only.

A name is resolved once, all its addresses must be public, and the connection goes to one of these very
addresses, so the name cannot resolve differently in between. The certificate must be that of the name.
Redirects are not followed.
"""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

# Seconds: to resolve the name, and for the whole post including that.
DNS_TIMEOUT = 3.0
TIMEOUT = 8.0

MAX_URL_LENGTH = 1000

# The global unicast range in use today; the rest of IPv6 is local, mapped from IPv4, or unassigned.
_PUBLIC_IPV6 = IPv6Network("2000::/3")
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r]")
_MAX_ANSWER_BYTES = 4096


class ForbiddenAddress(Exception):
    """The site may not post to this URL."""


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post the body and return the status of the answer; nothing else of it is read.

    Raises ForbiddenAddress for a URL that is not allowed, OSError when there is no answer in time.
    """
    until = time.monotonic() + TIMEOUT
    parts = _split(url)
    host, port = _host(parts), parts.port or 443
    connection = _Connection(host, port, check_name(host, port), until)
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    try:
        connection.request("POST", target, body, {"User-Agent": "Acquire", **headers})
        return _status(connection.sock, until)
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


def check(url: str) -> None:
    """Raise ForbiddenAddress unless the URL leads to the public internet now."""
    parts = _split(url)
    check_name(_host(parts), parts.port or 443)


def check_name(host: str, port: int) -> str:
    """Resolve the host to an address. Raises ForbiddenAddress unless all its addresses are public."""
    found = _look_up(host, port)
    if not all(map(is_public, found)):
        raise ForbiddenAddress(f"{host} is not on the public internet.")
    return found[0]


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet, not local to a machine or a network."""
    ip = ip_address(address)
    if isinstance(ip, IPv6Address) and (ip not in _PUBLIC_IPV6 or ip.sixtofour or ip.teredo):
        return False
    return ip.is_global and not ip.is_multicast


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        allowed = (
            len(url) <= MAX_URL_LENGTH
            and url.isascii()
            and url.isprintable()
            and " " not in url
            and parts.scheme == "https"
            and parts.hostname
            and parts.port != 0
            and not parts.username
            and not parts.password
        )
    except ValueError:
        allowed = False
    if not allowed:
        raise ForbiddenAddress(
            "An address begins with https:// and names a host, without a user or a password."
        )
    return parts


def _host(parts: SplitResult) -> str:
    assert parts.hostname
    return parts.hostname


def _look_up(host: str, port: int) -> list[str]:
    """All addresses of a name; gives up after DNS_TIMEOUT, however long the system takes."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="look-up")
    try:
        found = pool.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM).result(DNS_TIMEOUT)
    except (TimeoutError, UnicodeError) as error:
        raise ConnectionError(f"{host} could not be looked up.") from error
    finally:
        pool.shutdown(wait=False)
    return [str(address[4][0]) for address in found]


class _Connection(http.client.HTTPSConnection):
    """A connection to one address, with the certificate of the name, within a time limit."""

    def __init__(self, host: str, port: int, address: str, until: float) -> None:
        self._tls = tls()
        super().__init__(host, port, context=self._tls)
        self._address, self._until = address, until

    def connect(self) -> None:
        bare = socket.create_connection((self._address, self.port), _left(self._until))
        try:
            # One limit for all steps of the handshake together.
            bare.settimeout(_left(self._until))
            self.sock = self._tls.wrap_socket(bare, server_hostname=self.host)
            self.sock.settimeout(_left(self._until))
        except BaseException:
            bare.close()
            raise


def tls() -> ssl.SSLContext:
    """The TLS settings by which servers are verified."""
    return ssl.create_default_context()


def _left(until: float) -> float:
    """Return how many seconds are left. Raises TimeoutError when none are."""
    if (left := until - time.monotonic()) <= 0:
        raise TimeoutError("The other side did not answer in time.")
    return left


def _status(answer: socket.socket, until: float) -> int:
    """Read the status of the answer; done by hand so that a slow server cannot exceed the limit."""
    read = b""
    while b"\n" not in read and len(read) <= _MAX_ANSWER_BYTES:
        answer.settimeout(_left(until))
        if not (part := answer.recv(_MAX_ANSWER_BYTES)):
            break
        read += part
    if not (line := _STATUS_LINE.match(read)):
        raise ConnectionError("The other side did not answer in HTTP.")
    return int(line[1])
