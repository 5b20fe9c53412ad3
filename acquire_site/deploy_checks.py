"""Deployment checks: settings that are unsafe or do not work on a public site."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, Warning, register
from django.db import connections

Found = Iterator[tuple[int, str, str]]


@register(deploy=True)
def settings_of_a_public_site(**_: Any) -> list[CheckMessage]:
    """Return an error or a warning, with a number and a hint, for each unsafe setting."""
    parts: list[Callable[[], Found]] = [_hosts, _browsers, _requests, _passwords, _redis, _telling, _playing]
    return [
        Warning(what, hint=hint, id=f"acquire.W{number:03}")
        for part in parts
        for number, what, hint in part()
    ] + list(_worth_knowing())


def _hosts() -> Found:
    if any(host.strip() == "*" for host in settings.ALLOWED_HOSTS):
        yield (
            1,
            "ALLOWED_HOSTS lets in every name, so any other site may open this one's sockets.",
            "Name the hosts: ALLOWED_HOSTS=acquire.example",
        )
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        if not origin.startswith("https://") or urlsplit(origin).hostname in {"*", None}:
            yield (
                2,
                f"CSRF_TRUSTED_ORIGINS trusts {origin!r}, and with it whoever sits in between.",
                "Name the site as browsers see it: https://acquire.example",
            )
    if not settings.SITE_URL.startswith("https://"):
        yield (3, f"Links in mails begin with {settings.SITE_URL!r}.", "SITE_URL begins with https://.")


def _browsers() -> Found:
    cookies = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}
    if any(not name.startswith("__Host-") for name in cookies):
        yield (
            4,
            "The cookies can be planted by neighbouring hosts.",
            "Their names begin with __Host-, as DEBUG=0 sets them.",
        )
    rules = settings.CONTENT_SECURITY_POLICY.get("DIRECTIVES", {})
    if not rules or any(str(word).startswith("'unsafe") for words in rules.values() for word in words):
        yield (
            5,
            "The content security policy lets foreign scripts run.",
            "Leave CONTENT_SECURITY_POLICY as it is.",
        )
    if 0 < settings.SECURE_HSTS_SECONDS < 3600:
        yield (6, "HSTS_SECONDS is under an hour, which is as good as none.", "Leave HSTS_SECONDS out.")


def _requests() -> Found:
    if None in {settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.DATA_UPLOAD_MAX_NUMBER_FIELDS}:
        yield (7, "A form of any size is read.", "Leave DATA_UPLOAD_MAX_… as they are.")
    if settings.USE_X_FORWARDED_HOST:
        yield (8, "Whoever asks says under which name.", "Leave USE_X_FORWARDED_HOST off.")


def _passwords() -> Found:
    if "Argon2" not in settings.PASSWORD_HASHERS[0]:
        yield (9, "Passwords are not stored with Argon2.", "Leave PASSWORD_HASHERS as it is.")
    if not settings.STAFF_TOTP:
        yield (
            18,
            "Whoever learns the password of one of the staff has the admin.",
            "Leave STAFF_TOTP out: staff is then led to set up a second factor.",
        )
    if settings.EMAIL_URL and not settings.EMAIL_MUST_BE_CONFIRMED:
        yield (
            10,
            "Mail goes to addresses that nobody has confirmed: the site can be used to bother strangers.",
            "Leave EMAIL_MUST_BE_CONFIRMED out.",
        )


def _redis() -> Found:
    layer = settings.CHANNEL_LAYERS["default"]
    if "InMemory" in layer["BACKEND"]:
        yield (11, "Ticks stay in the process that sends them.", "Set REDIS_URL.")
    hosts = layer.get("CONFIG", {}).get("hosts", [])
    broker = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    if not broker.get("socket_timeout") or any(not host.get("socket_timeout") for host in hosts):
        yield (
            12,
            "A Redis that hangs would hold up pages for ever.",
            "Leave socket_timeout as it is.",
        )


def _telling() -> Found:
    if settings.LOG_LEVEL.upper() == "DEBUG":
        yield (13, "LOG_LEVEL=DEBUG writes queries into the log, and hands with them.", "LOG_LEVEL=INFO")
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < 20:
        yield (
            14,
            "METRICS_TOKEN can be guessed.",
            "Take 20 letters or more: python -c 'import secrets; print(secrets.token_urlsafe())'",
        )


def _playing() -> Found:
    if settings.BOT_DELAY_FACTOR < 1:
        yield (
            15,
            f"With BOT_DELAY_FACTOR={settings.BOT_DELAY_FACTOR:g} the time of an answer may tell what a"
            " computer holds.",
            "Leave BOT_DELAY_FACTOR out.",
        )
    options = settings.DATABASES["default"].get("OPTIONS", {})
    is_postgres = "postgresql" in settings.DATABASES["default"]["ENGINE"]
    if is_postgres and not settings.PGBOUNCER and "statement_timeout" not in str(options.get("options", "")):
        yield (
            16,
            "A query may hold a game for ever: the limits of the database are off.",
            "DB_LIMITS=0 is for one long migration, not for the site.",
        )


def _worth_knowing() -> Iterator[Info]:
    if not settings.EMAIL_URL:
        yield Info(
            "No mail is sent: nobody is told of a turn, and nobody who forgot a password gets in again.",
            hint="EMAIL_URL=smtp://name:password@host:587?tls=1",
            id="acquire.I001",
        )
    if settings.ADMIN_PATH == "admin":
        yield Info(
            "The admin is where everybody looks for one. It asks for a password and counts attempts.",
            hint="ADMIN_PATH=some-other-word moves it.",
            id="acquire.I002",
        )
    if not settings.CONTACT_EMAIL:
        yield Info(
            "The page about contact names nobody.",
            hint="CONTACT_EMAIL=you@acquire.example",
            id="acquire.I003",
        )


@register(Tags.database, deploy=True)
def a_database_that_keeps_what_it_took(databases: Any = None, **_: Any) -> list[CheckMessage]:
    """With `--database default`: check that a confirmed move survives a power cut."""
    if "default" not in (databases or ()) or connections["default"].vendor != "postgresql":
        return []
    found: list[CheckMessage] = []
    with connections["default"].cursor() as cursor:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            cursor.execute(f"SHOW {name}")
            if cursor.fetchone()[0] == "off":
                found.append(
                    Warning(
                        f"PostgreSQL runs with {name} off: a power cut loses moves, or the database.",
                        hint=f"Set {name} = on in postgresql.conf.",
                        id="acquire.W017",
                    )
                )
        cursor.execute("SHOW statement_timeout")
        if settings.PGBOUNCER and cursor.fetchone()[0] == "0":
            found.append(
                Warning(
                    "A query may hold a game for ever: PgBouncer does not set the limits of the database.",
                    hint="Take connect_query from deploy/pgbouncer.ini.",
                    id="acquire.W019",
                )
            )
    return found
