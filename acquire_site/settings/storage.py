"""Settings of the database, sessions, cache and static files."""

import os
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from acquire_site.settings.base import BASE_DIR, DATA_DIR
from acquire_site.settings.environment import DEVELOPMENT, env, env_count, env_in_production

# DATABASE_URL leads to a PgBouncer in transaction mode.
PGBOUNCER = env.bool("PGBOUNCER", False)


def database(url: str) -> dict[str, Any]:
    """Django's settings for a database URL; options in the URL override ours."""
    settings: dict[str, Any] = dict(dj_database_url.parse(url, conn_health_checks=True))
    options: dict[str, Any] = {}
    if settings["ENGINE"].endswith("sqlite3"):
        # SQLite has no row locks: a writing transaction locks the file when it begins. In development a power
        # cut may lose the last seconds; production waits for the disk.
        synchronous = "NORMAL" if DEVELOPMENT else "FULL"
        if not DEVELOPMENT and not env.bool("ALLOW_SQLITE", False):
            raise ImproperlyConfigured(
                "DATABASE_URL names SQLite, which is for one machine and few players. Name a PostgreSQL, or "
                "set ALLOW_SQLITE=1 if that is what you want."
            )
        options = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={synchronous}",
        }
        # Threads share a test database only if it is a file; the process id separates runs.
        settings["TEST"] = {"NAME": str(DATA_DIR / f"test-{os.getpid()}.sqlite3")}
    elif "postgresql" in settings["ENGINE"]:
        options["connect_timeout"] = 5
        # Through PgBouncer a connection lasts for one transaction, so no cursor can outlive it, and options
        # are refused; deploy/pgbouncer.ini sets the limits.
        settings["DISABLE_SERVER_SIDE_CURSORS"] = PGBOUNCER
        # A frozen process must not keep a game's row locked. DB_LIMITS=0 is for long migrations.
        if env.bool("DB_LIMITS", True) and not PGBOUNCER:
            limits = {
                "lock_timeout": "3s",
                "statement_timeout": "10s",
                "idle_in_transaction_session_timeout": "15s",
            }
            options["options"] = " ".join(f"-c {name}={value}" for name, value in limits.items())
        # For web processes only: Celery's prefork children cannot share a pool.
        if pool_size := env_count("DB_POOL", 0):
            # Fail fast while the database is away. The pool's own reconnection attempts end soon, because the
            # next request makes a new pool; otherwise their pauses would grow to minutes.
            options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 4, "reconnect_timeout": 1}
    settings["OPTIONS"] = {**options, **settings.get("OPTIONS", {})}
    return settings


# Requests that a web process handles at once, with a connection each; two are left to sockets and probes.
MAX_CONCURRENT_REQUESTS = max(1, (env_count("DB_POOL", 0) or 8) - 2)

DATABASES = {
    "default": database(env_in_production("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'acquire.sqlite3'}")
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis holds nothing of value: sessions, rate limits and the cache are in the database. A large site may move
# the last two to a Redis of their own, which is then as essential as its database.
_in_database: dict[str, Any] = {
    "BACKEND": "django.core.cache.backends.db.DatabaseCache",
    "LOCATION": "site_cache",
    "OPTIONS": {"MAX_ENTRIES": 10_000},
}
# Cached bot moves reveal hands, so they stay in the database: "record".
CACHES: dict[str, dict[str, Any]] = {"default": _in_database, "record": _in_database}
if CACHE_URL := env.str("CACHE_URL", ""):
    if urlsplit(CACHE_URL).scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured(
            "CACHE_URL looks like redis://host:6379/2; without it the database is used."
        )
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "acquire-cache",
        "OPTIONS": {"socket_timeout": 1.0, "socket_connect_timeout": 1.0},
    }
SESSION_ENGINE = "django.contrib.sessions.backends.db"
# Renewed on every day of use (member_middleware.py). A guest, who cannot log in again, has a session that
# outlasts the account.
SESSION_COOKIE_AGE = 14 * 24 * 3600
GUEST_SESSION_AGE = 60 * 24 * 3600

# -- Static files ----------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", BASE_DIR / "staticfiles")
WHITENOISE_USE_FINDERS = DEVELOPMENT
WHITENOISE_AUTOREFRESH = DEVELOPMENT
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEVELOPMENT
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
