"""Kinds of settings: how the text of a variable is read, and which words explain it.

A parser raises `ValidationError` with words that begin with "it", such as "it has no host". It never quotes
the text, which may be a secret; `environment.py` shows the values of those that are not.
"""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parseaddr
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit
from zoneinfo import ZoneInfo

from environs import ValidationError, validate

from games.realtime import redis_addresses

# Far above every sensible value, and small enough for every library.
_MAX_COUNT = 10**9
# Advice on characters that would end a password in a URL too early.
_ESCAPES = "write @ : / ? # in a name or password as %40 %3A %2F %3F %23"
_HOST = re.compile(r"\*|\.?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?|\[[0-9a-f:.]+\]", re.I)
_PATH = re.compile(r"[\w-]+(/[\w-]+)*", re.ASCII)
_REDIS = {"redis", "rediss", "unix"}


@dataclass(frozen=True)
class Kind:
    """A kind of setting: the parser of environs that reads it, and the words for what it takes."""

    parser: str
    wants: str
    example: str = ""
    options: dict[str, Any] = field(default_factory=dict)


# Parsers that environs does not have, by name.
PARSERS: dict[str, Callable[[str], Any]] = {}


def _parser(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    PARSERS[parse.__name__] = parse
    return parse


def words(text: str) -> list[str]:
    """The parts of a list separated by commas or blanks."""
    return text.replace(",", " ").split()


def _split(text: str) -> SplitResult:
    """Return the parts of a URL, all of which can be read."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise ValidationError(f"it has a host or port that cannot be read; {_ESCAPES}") from None
    return parts


@_parser
def secret_keys(text: str) -> list[str]:
    return words(text)


@_parser
def hosts(text: str) -> list[str]:
    found = words(text)
    if any("/" in host or not _HOST.fullmatch(host) for host in found):
        raise ValidationError("it has a part that is no host name; leave out https://, ports and paths")
    return found


@_parser
def origins(text: str) -> list[str]:
    found = words(text)
    for origin in found:
        parts = _split(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise ValidationError("it has a part that does not begin with https:// and a host")
        if origin != f"{parts.scheme}://{parts.netloc}" or parts.username is not None:
            raise ValidationError(
                "it has a part with more than https://, host and port; end it after the host"
            )
    return found


@_parser
def web_url(text: str) -> str:
    parts = _split(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValidationError("it does not begin with https:// and a host")
    return text


@_parser
def site_url(text: str) -> str:
    parts = _split(web_url(text))
    if parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None:
        raise ValidationError("it has more than https://, host and port; the site is at the root of its host")
    return text.rstrip("/")


@_parser
def sentry_dsn(text: str) -> str:
    parts = _split(web_url(text))
    if not parts.username or not parts.path.strip("/"):
        raise ValidationError("it has no key before the host, or no project after it")
    return text


@_parser
def database_url(text: str) -> str:
    if text == "sqlite://:memory:":
        return text
    parts = _split(text)
    if parts.scheme not in {"postgres", "postgresql", "sqlite"}:
        raise ValidationError("it begins with neither postgres:// nor sqlite://")
    if not parts.path.strip("/"):
        raise ValidationError("it has no name of a database after the host")
    if parts.fragment:
        raise ValidationError(f"it has a # in it; {_ESCAPES}")
    return text


@_parser
def redis_url(text: str) -> str:
    if text.startswith("sentinel://"):
        if redis_addresses.check(text):
            raise ValidationError("it is not like sentinel://:password@host:26379,host:26379/name/0")
        return text
    parts = _split(text)
    if parts.scheme not in _REDIS:
        raise ValidationError("it does not begin with redis://, rediss:// or unix://")
    if parts.scheme == "unix":
        if not parts.path.strip("/"):
            raise ValidationError("it has no path of a socket")
        return text
    if not parts.hostname:
        raise ValidationError("it has no host")
    if not re.fullmatch(r"/?\d*", parts.path) or parts.fragment:
        raise ValidationError(f"it does not end with the number of a database, such as /0; {_ESCAPES}")
    return text


@_parser
def redis_urls(text: str) -> list[str]:
    return [redis_url(url) for url in redis_addresses.addresses(text)]


@_parser
def mail_url(text: str) -> str:
    parts = _split(text)
    if parts.scheme not in {"smtp", "smtps"}:
        raise ValidationError("it begins with neither smtp:// nor smtps://")
    if not parts.hostname:
        raise ValidationError("it has no host")
    options = parse_qsl(parts.query, keep_blank_values=True)
    if parts.path.strip("/") or parts.fragment or any(option not in _MAIL_OPTIONS for option in options):
        raise ValidationError(f"it has more after the host than a port and ?tls=1; {_ESCAPES}")
    return text


_MAIL_OPTIONS = {("tls", "0"), ("tls", "1")}


@_parser
def address(text: str) -> str:
    if not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", text):
        raise ValidationError("it is not a single email address")
    return text


@_parser
def sender(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise ValidationError("it has more than one line")
    if "@" not in (found := parseaddr(text)[1]):
        raise ValidationError("it has no email address")
    address(found)
    return text


@_parser
def contact_url(text: str) -> str:
    if text.startswith("mailto:"):
        address(text.removeprefix("mailto:"))
        return text
    if urlsplit(text).scheme != "https":
        raise ValidationError("it begins with neither mailto: nor https://")
    return web_url(text)


@_parser
def time_zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        raise ValidationError("it is not in the list of time zones") from None
    return text


@_parser
def url_path(text: str) -> str:
    path = text.strip("/")
    if not _PATH.fullmatch(path):
        raise ValidationError("it has other characters than letters, digits, - and _")
    return path


@_parser
def level_name(text: str) -> str:
    if text.upper() not in _LOG_LEVELS:
        raise ValidationError("unknown")
    return text.upper()


_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@_parser
def push_key(text: str) -> str:
    # Imported late: a site without this key needs neither library.
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
    from py_vapid import Vapid02

    try:
        base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ValidationError("it is not base64") from None
    try:
        key = Vapid02.from_string(text).private_key
    except Exception:  # the libraries raise errors of many kinds, which may quote the key
        raise ValidationError("it is no private key (is it the public one?)") from None
    if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
        raise ValidationError("it is a key of another kind than web push uses")
    return text


@_parser
def token(text: str) -> str:
    if not text.isascii() or len(text.split()) != 1:
        raise ValidationError("it has blanks, or letters outside ASCII")
    return text


TEXT = Kind("str", "any text")
SWITCH = Kind("bool", "1 for yes or 0 for no")
FOLDER = Kind("path", "the path of a folder")
SECRET_KEY = Kind("str", "a long random text")
SECRET_KEYS = Kind("secret_keys", "keys, separated by commas")
HOSTS = Kind("hosts", "host names, separated by commas", "acquire.example")
ORIGINS = Kind("origins", "addresses as browsers see them, separated by commas", "https://acquire.example")
WEB_URL = Kind("web_url", "an https address", "https://collector.example")
SITE_URL = Kind("site_url", "the address of the site", "https://acquire.example")
SENTRY_DSN = Kind("sentry_dsn", "the DSN of a Sentry project", "https://key@sentry.example/1")
DATABASE_URL = Kind(
    "database_url",
    "the URL of a PostgreSQL database, or of a SQLite file",
    "postgres://acquire@db.example/acquire",
)
REDIS_URL = Kind("redis_url", "the URL of a Redis database", "redis://127.0.0.1:6379/0")
REDIS_URLS = Kind(
    "redis_urls", "URLs of Redis databases, separated by commas", "redis://a:6379/0,redis://b:6379/0"
)
MAIL_URL = Kind("mail_url", "the URL of a mail server", "smtp://name:password@mail.example:587?tls=1")
ADDRESS = Kind("address", "an email address", "you@acquire.example")
SENDER = Kind("sender", "a name and an email address", "Acquire <acquire@acquire.example>")
CONTACT_URL = Kind("contact_url", "a mailto: or https: address", "mailto:you@acquire.example")
TIME_ZONE = Kind("time_zone", "the name of a time zone", "Europe/Berlin")
URL_PATH = Kind("url_path", "the path of a page", "back-room")
LOG_LEVEL = Kind("level_name", f"one of {', '.join(_LOG_LEVELS)}")
PUSH_KEY = Kind("push_key", "a key made by manage.py vapid_key")
TOKEN = Kind("token", "a long random text without blanks")


def count(least: int = 0, most: int = _MAX_COUNT) -> Kind:
    """Whole numbers within these bounds."""
    bounds = f"from {least} to {most}" if most < _MAX_COUNT else f"{least} or more"
    return Kind("int", f"a whole number, {bounds}", options={"validate": validate.Range(least, most)})


def number(least: float, most: float) -> Kind:
    """Numbers within these bounds."""
    wants = f"a number from {least:g} to {most:g}"
    return Kind("float", wants, options={"validate": validate.Range(least, most)})


def choice(*names: str) -> Kind:
    """A word from this list."""
    return Kind("str", " or ".join(names), options={"validate": validate.OneOf(names)})
