"""The services that the site runs on: its database with all migrations, and Redis."""

import time
from dataclasses import dataclass

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from games.realtime import redis_addresses

# Seconds to wait for Redis.
PATIENCE = 0.5

# A probe may come every second, so the migrations are not read for each.
AGAIN_AFTER_SECONDS = 30.0

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
    """Return `OK` when none is missing, or their number."""
    missing = missing_migrations()
    return OK if not missing else f"{missing} not applied. Apply them: manage.py migrate"


def missing_migrations() -> int:
    """The number of migrations that the database lacks, of those that this process needs.

    It needs those that were there when it first found none missing. Newer ones that are deployed meanwhile
    are for the processes that start after them; old ones must stay ready until they are replaced.
    """
    found = _found.get("complete")
    if found is None:
        return _missing_from_disk()
    if time.monotonic() - found.at < AGAIN_AFTER_SECONDS:
        return 0
    # A rollback or a restored backup may have taken some back.
    missing = len(found.needed - _recorded())
    if not missing:
        _found["complete"] = _Complete(found.needed, time.monotonic())
    return missing


def _missing_from_disk() -> int:
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not missing:
        needed = _recorded() & set(executor.loader.disk_migrations)
        _found["complete"] = _Complete(needed, time.monotonic())
    return missing


def _recorded() -> set[tuple[str, str]]:
    """The migrations that the database has, as pairs of app and name."""
    return set(MigrationRecorder(connection).applied_migrations())


@dataclass(frozen=True)
class _Complete:
    """The migrations that this process needs, and when the database last had all, by the steady clock."""

    needed: set[tuple[str, str]]
    at: float


_found: dict[str, _Complete] = {}


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
