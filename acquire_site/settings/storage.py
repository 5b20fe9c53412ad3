"""Settings of the database, sessions, cache and static files."""

from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from acquire_site.settings.base import BASE_DIR, DATA_DIR
from acquire_site.settings.environment import DEVELOPMENT, setting

# DATABASE_URL leads to a PgBouncer in transaction mode.
PGBOUNCER = setting("PGBOUNCER")
# Such a pooler gives each transaction another connection, which does not know what the last one prepared.
PREPARED_STATEMENTS = setting("PREPARED_STATEMENTS") and not PGBOUNCER
# Uses of a statement before it is prepared: one that is used once is not worth it.
PREPARE_THRESHOLD = 5


def database(url: str, password: str = "", limits: bool = True, pool_size: int = 0) -> dict[str, Any]:
    """Django's settings for a database URL; options and password in the URL override ours."""
    settings: dict[str, Any] = dict(dj_database_url.parse(url, conn_health_checks=True))
    options: dict[str, Any] = {}
    if settings["ENGINE"].endswith("sqlite3"):
        # SQLite has no row locks: a writing transaction locks the file when it begins. In development a power
        # cut may lose the last seconds; production waits for the disk.
        synchronous = "NORMAL" if DEVELOPMENT else "FULL"
        if not DEVELOPMENT and not setting("ALLOW_SQLITE"):
            raise ImproperlyConfigured(
                "DATABASE_URL names SQLite, which is for one machine and few players. Name a PostgreSQL, or "
                "set ALLOW_SQLITE=1 if that is what you want."
            )
        options = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={synchronous}",
        }
    elif "postgresql" in settings["ENGINE"]:
        settings["PASSWORD"] = settings["PASSWORD"] or password
        options["connect_timeout"] = 5
        # Through PgBouncer a connection lasts for one transaction, so no cursor can outlive it, and options
        # are refused; deploy/pgbouncer.ini sets the limits.
        settings["DISABLE_SERVER_SIDE_CURSORS"] = PGBOUNCER
        if PREPARED_STATEMENTS:
            # Only statements whose values are sent beside them can be prepared.
            options |= {"server_side_binding": True, "prepare_threshold": PREPARE_THRESHOLD}
        # A frozen process must not keep a game's row locked. DB_LIMITS=0 is for long migrations.
        if limits and not PGBOUNCER:
            timeouts = {
                "lock_timeout": "3s",
                "statement_timeout": "10s",
                "idle_in_transaction_session_timeout": "15s",
            }
            options["options"] = " ".join(f"-c {name}={value}" for name, value in timeouts.items())
        # For web processes only: Celery's prefork children cannot share a pool.
        if pool_size:
            # Fail fast while the database is away. The pool's own reconnection attempts end soon, because the
            # next request makes a new pool; otherwise their pauses would grow to minutes.
            options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 4, "reconnect_timeout": 1}
    settings["OPTIONS"] = {**options, **settings.get("OPTIONS", {})}
    return settings


# Requests that a web process handles at once, with a connection each; two connections are left to sockets and
# probes. Only one thread runs at a time, so more than a few at once make every page slower.
MAX_CONCURRENT_REQUESTS = min(4, max(1, (setting("DB_POOL") or 8) - 2))

DATABASES = {
    "default": database(
        setting("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'acquire.sqlite3'}",
        password=setting("DATABASE_PASSWORD"),
        limits=setting("DB_LIMITS"),
        pool_size=setting("DB_POOL"),
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis holds nothing of value: sessions, rate limits and the cache are in the database. A large site may move
# the last two to a Redis of their own, which is then as essential as its database.
_in_database: dict[str, Any] = {
    "BACKEND": "acquire_site.database_cache.ReadOnlyReadsCache",
    "LOCATION": "site_cache",
    "OPTIONS": {"MAX_ENTRIES": 10_000},
}
# Cached bot moves reveal hands, so they stay in the database: "record".
CACHES: dict[str, dict[str, Any]] = {"default": _in_database, "record": _in_database}
if CACHE_URL := setting("CACHE_URL"):
    if CACHE_URL.startswith("sentinel://"):
        raise ImproperlyConfigured("CACHE_URL cannot name sentinels. Name a server: redis://host:6379/2")
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "acquire-cache",
        "OPTIONS": {"socket_timeout": 1.0, "socket_connect_timeout": 1.0},
    }
SESSION_ENGINE = "accounts.membership.session_store"
# Renewed on every day of use (member_middleware.py). A guest, who cannot log in again, has a session that
# outlasts the account.
SESSION_COOKIE_AGE = 14 * 24 * 3600
GUEST_SESSION_AGE = 60 * 24 * 3600

# -- Static files ----------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = setting("STATIC_ROOT") or BASE_DIR / "staticfiles"
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
