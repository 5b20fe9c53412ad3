"""The services that the site runs on: its database with all migrations, and Redis."""

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.realtime import redis_addresses

# Seconds to wait for Redis.
PATIENCE = 0.5

OK = "ok"

# Redis may run and still be of no use; these are not mended by a restart.
CANNOT_SAVE = "cannot save to its disk and takes nothing new"
REFUSES_LOGIN = "refuses the password in the settings"


def database() -> str:
    """Return `OK` when the database answers, or a short reason."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:  # any error means that it does not answer
        return f"does not answer ({type(error).__name__})"
    return OK


def migrations() -> str:
    """Return `OK` when none is missing, or their number; cached, because applied ones stay so."""
    missing = missing_migrations()
    return OK if not missing else f"{missing} not applied. Apply them: manage.py migrate"


def missing_migrations() -> int:
    """The number of migrations that the database lacks."""
    if (known := _applied.get("known")) is not None:
        return known
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not missing:
        _applied["known"] = 0
    return missing


_applied: dict[str, int] = {}


def hints() -> str:
    """Return `OK` when every Redis of the site answers, or a short reason."""
    for url in dict.fromkeys([settings.BROKER_URL, *settings.CHANNEL_URLS]):
        if url and (trouble := _redis_trouble(url)):
            return trouble
    return OK if settings.BROKER_URL else "there is none"


def broker() -> str:
    """Return `OK` when the Redis of the tasks answers, or a short reason."""
    return (_redis_trouble(settings.BROKER_URL) or OK) if settings.BROKER_URL else "there is none"


def redis_command(answer: str) -> str:
    """Return the command that mends a Redis with this answer."""
    if answer == CANNOT_SAVE:
        # It would wait for the disk before it ends, so a restart hangs.
        return (
            "Make room on its disk (df -h /var/lib/redis), or let it go on without saving, which the site"
            " does not need: redis-cli config set stop-writes-on-bgsave-error no"
            " (docker compose exec redis redis-cli …)"
        )
    if answer == REFUSES_LOGIN:
        return (
            "Put the requirepass of /etc/redis/redis.conf into REDIS_URL (and BROKER_URL, CHANNEL_URLS),"
            " then: systemctl restart acquire (docker compose up --detach --force-recreate)"
        )
    return "Restart it: systemctl restart redis-server (docker compose restart redis)"


def _redis_trouble(url: str) -> str:
    try:
        redis_addresses.client(url, PATIENCE).ping()
    except redis.AuthenticationError:
        return REFUSES_LOGIN
    except Exception as error:
        if str(error).startswith("MISCONF"):
            return CANNOT_SAVE
        return f"does not answer ({type(error).__name__})"
    return ""
