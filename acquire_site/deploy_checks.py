"""Checks of settings: mistyped names, and what is unsafe or does not work on a public site."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, Warning, register
from django.db import connections
from django.http.request import validate_host
from django.urls import get_resolver

from acquire_site.settings.environment import doubtful_names, names_set_twice

Found = Iterator[tuple[int, str, str]]

# Browsers refuse to ship a host whose own rule is shorter.
PRELOAD_SECONDS = 365 * 24 * 3600


@register()
def names_of_settings(**_: Any) -> list[CheckMessage]:
    """Return a warning for each variable that looks like a setting and has no effect."""
    found: list[CheckMessage] = []
    for name, meant in doubtful_names(os.environ):
        hint = f"Did you mean {meant}?" if meant else "docs/settings.md lists all settings."
        found.append(Warning(f"{name} is not a setting and has no effect.", hint=hint, id="acquire.W019"))
    for name in names_set_twice(os.environ):
        text = f"{name} and {name}_FILE are both set; the file is not read."
        found.append(Warning(text, hint=f"Remove one of them, usually {name}.", id="acquire.W020"))
    return found


@register(deploy=True)
def settings_of_a_public_site(**_: Any) -> list[CheckMessage]:
    """Return an error or a warning, with a number and a hint, for each unsafe setting."""
    parts: list[Callable[[], Found]] = [
        *(_hosts, _browsers, _requests, _passwords, _mail, _admin, _redis, _files, _telling, _playing)
    ]
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
        host = urlsplit(origin).hostname or ""
        if "*" not in host and not validate_host(host, settings.ALLOWED_HOSTS):
            yield (
                21,
                f"CSRF_TRUSTED_ORIGINS has {origin!r}, but ALLOWED_HOSTS does not have {host!r}.",
                "Name the same host in both.",
            )
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
    preloads = settings.SECURE_HSTS_PRELOAD
    if preloads and not (
        settings.SECURE_HSTS_INCLUDE_SUBDOMAINS and settings.SECURE_HSTS_SECONDS >= PRELOAD_SECONDS
    ):
        yield (
            22,
            "Browsers ignore HSTS_PRELOAD for a part of a domain, or for less than a year.",
            "Set HSTS_SUBDOMAINS=1 and leave HSTS_SECONDS out, or leave HSTS_PRELOAD out.",
        )
    if 0 < settings.SECURE_HSTS_SECONDS < 3600:
        yield (6, "HSTS_SECONDS is under an hour, which is as good as none.", "Leave HSTS_SECONDS out.")


def _requests() -> Found:
    if None in {settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.DATA_UPLOAD_MAX_NUMBER_FIELDS}:
        yield (7, "A form of any size is read.", "Leave DATA_UPLOAD_MAX_… as they are.")
    if settings.USE_X_FORWARDED_HOST:
        yield (8, "Whoever asks says under which name.", "Leave USE_X_FORWARDED_HOST off.")


def _passwords() -> Found:
    if settings.SECRET_KEY in settings.SECRET_KEY_FALLBACKS:
        yield (
            23,
            "SECRET_KEY is also in SECRET_KEY_FALLBACKS, so the key has not changed.",
            "SECRET_KEY is the new key, SECRET_KEY_FALLBACKS has the former ones.",
        )
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


def _mail() -> Found:
    mail = urlsplit(settings.EMAIL_URL)
    is_encrypted = mail.scheme == "smtps" or "tls=1" in mail.query
    if mail.password and not is_encrypted and mail.hostname not in {"localhost", "127.0.0.1", "::1"}:
        yield (
            24,
            "The password of EMAIL_URL goes to the mail server unencrypted.",
            "End EMAIL_URL with ?tls=1, or begin it with smtps://.",
        )


def _admin() -> Found:
    taken = {
        str(pattern.pattern).split("/")[0]
        for above in get_resolver().url_patterns
        for pattern in ([above] if str(above.pattern) else getattr(above, "url_patterns", []))
        # The admin's own two.
        if getattr(pattern, "app_name", "") != "admin" and getattr(pattern, "name", "") != "desk"
    }
    if (first := settings.ADMIN_PATH.split("/")[0]) in taken:
        yield (
            25,
            f"The admin hides other pages whose address begins with /{first}/.",
            "ADMIN_PATH=some-other-word",
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


def _files() -> Found:
    folder = Path(settings.DATA_DIR)
    if not folder.is_dir():
        yield (
            27,
            f"DATA_DIR names {folder}, which is not a folder: backups and signs of life have no place.",
            f"Create it for the user of the site: install -d -m 700 -o acquire {folder}",
        )
    elif not os.access(folder, os.W_OK | os.X_OK):
        yield (
            28,
            f"This user may not write into {folder}, which DATA_DIR names.",
            f"Give it to the user of the site: chown acquire {folder}. Run this check as that user.",
        )


def _telling() -> Found:
    if settings.LOG_LEVEL.upper() == "DEBUG":
        yield (13, "LOG_LEVEL=DEBUG writes queries into the log, and hands with them.", "LOG_LEVEL=INFO")
    for name in ("METRICS_TOKEN", "MAIL_BOUNCE_KEY"):
        if 0 < len(getattr(settings, name)) < 20:
            yield (
                14,
                f"{name} can be guessed.",
                "Take 20 letters or more: python3 -c 'import secrets; print(secrets.token_urlsafe())'",
            )


def _playing() -> Found:
    if settings.BOT_DELAY_FACTOR < 1:
        yield (
            15,
            f"With BOT_DELAY_FACTOR={settings.BOT_DELAY_FACTOR:g} the time of an answer may tell what a"
            " computer holds.",
            "Leave BOT_DELAY_FACTOR out.",
        )
    if settings.ANSWER_DELAY_SECONDS < 2:
        yield (
            29,
            f"With ANSWER_DELAY_SECONDS={settings.ANSWER_DELAY_SECONDS:g} everybody sees which moves were"
            " planned.",
            "Leave ANSWER_DELAY_SECONDS out.",
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
def a_database_that_holds_every_text(databases: Any = None, **_: Any) -> list[CheckMessage]:
    """With `--database default`: check that names and messages of any language can be stored."""
    if "default" not in (databases or ()) or connections["default"].vendor != "postgresql":
        return []
    with connections["default"].cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        encoding = cursor.fetchone()[0]
    if encoding == "UTF8":
        return []
    return [
        Warning(
            f"The database has the encoding {encoding}: it refuses some names and messages.",
            hint="Back it up, make a new one (createdb --encoding UTF8 --template template0), and restore.",
            id="acquire.W031",
        )
    ]


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
                    id="acquire.W026",
                )
            )
        cursor.execute("SELECT pg_backend_pid()")
        is_behind_pooler = cursor.fetchone()[0] != connections["default"].connection.info.backend_pid
        if is_behind_pooler and settings.PREPARED_STATEMENTS:
            found.append(
                Warning(
                    "DATABASE_URL leads to a pooler, which may lose prepared statements.",
                    hint="Set PGBOUNCER=1 for PgBouncer, PREPARED_STATEMENTS=0 for another pooler in"
                    " transaction mode.",
                    id="acquire.W030",
                )
            )
    return found
