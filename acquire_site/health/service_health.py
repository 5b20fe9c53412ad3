"""The services that the site runs on: its database with all migrations, and Redis."""

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.realtime import redis_addresses

# Seconds to wait for Redis.
PATIENCE = 0.5

OK = "ok"


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


def _redis_trouble(url: str) -> str:
    try:
        redis_addresses.client(url, PATIENCE).ping()
    except Exception as error:
        return f"does not answer ({type(error).__name__})"
    return ""
