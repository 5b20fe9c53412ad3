"""Posts to addresses that users have named: over https, to the public internet, and nowhere else.

A name is looked up once, every address behind it must be public, and the connection goes to one of the very
addresses that were looked at, so a name cannot change its meaning in between. The certificate must still be
that of the name. Redirects are not followed.
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

# Seconds: for a name, and for a post from the first look at the name to the answer.
DNS_TIMEOUT = 3.0
TIMEOUT = 8.0

LONGEST_URL = 1000

# What the internet of today gives out; all else of IPv6 is local, mapped from IPv4, or not in use.
_PUBLIC_IPV6 = IPv6Network("2000::/3")
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r]")
_MOST_OF_ANSWER = 4096


class ForbiddenAddress(Exception):
    """The address is not one that the site may post to."""


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post the body and return the status of the answer; of the answer nothing else is read.

    Raises Forbidden for an address that is not allowed, OSError when nobody answers in time.
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
    """Raise Forbidden unless the URL leads to the public internet now."""
    parts = _split(url)
    check_name(_host(parts), parts.port or 443)


def check_name(host: str, port: int) -> str:
    """An address of the host, if all that it has are public; else Forbidden."""
    found = _look_up(host, port)
    if not all(map(is_public, found)):
        raise ForbiddenAddress(f"{host} is not on the public internet.")
    return found[0]


def is_public(address: str) -> bool:
    """Whether an IP address is on the public internet: not inside a machine, a house or a provider."""
    ip = ip_address(address)
    if isinstance(ip, IPv6Address) and (ip not in _PUBLIC_IPV6 or ip.sixtofour or ip.teredo):
        return False
    return ip.is_global and not ip.is_multicast


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        allowed = (
            len(url) <= LONGEST_URL
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
    """All addresses of a name. The system may take its time; we wait for no more than our patience."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="look-up")
    try:
        found = pool.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM).result(DNS_TIMEOUT)
    except (TimeoutError, UnicodeError) as error:
        raise ConnectionError(f"{host} could not be looked up.") from error
    finally:
        pool.shutdown(wait=False)
    return [str(address[4][0]) for address in found]


class _Connection(http.client.HTTPSConnection):
    """To one address, with the certificate of the name, before the clock shows `until`."""

    def __init__(self, host: str, port: int, address: str, until: float) -> None:
        self._tls = tls()
        super().__init__(host, port, context=self._tls)
        self._address, self._until = address, until

    def connect(self) -> None:
        bare = socket.create_connection((self._address, self.port), _left(self._until))
        try:
            # For all steps of a handshake together.
            bare.settimeout(_left(self._until))
            self.sock = self._tls.wrap_socket(bare, server_hostname=self.host)
            self.sock.settimeout(_left(self._until))
        except BaseException:
            bare.close()
            raise


def tls() -> ssl.SSLContext:
    """How the other side must prove who it is."""
    return ssl.create_default_context()


def _left(until: float) -> float:
    """How many seconds are left; TimeoutError when none are."""
    if (left := until - time.monotonic()) <= 0:
        raise TimeoutError("The other side did not answer in time.")
    return left


def _status(answer: socket.socket, until: float) -> int:
    """The status of an answer, read here so that a server which talks slowly cannot hold us."""
    read = b""
    while b"\n" not in read and len(read) <= _MOST_OF_ANSWER:
        answer.settimeout(_left(until))
        if not (part := answer.recv(_MOST_OF_ANSWER)):
            break
        read += part
    if not (line := _STATUS_LINE.match(read)):
        raise ConnectionError("The other side did not answer in HTTP.")
    return int(line[1])
