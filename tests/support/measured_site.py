"""A site in a process of its own that fills an empty database and measures."""

import os
import sys

from tests.tools import available_services


def site_environment(folder: str, database_url: str = "", **more: str) -> dict[str, str]:
    """The environment of the process."""
    return {
        **available_services.environment(),
        "DATABASE_URL": database_url,
        "DATA_DIR": folder,
        "DB_LIMITS": "0",
        "REDIS_URL": "",
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
        "LOG_LEVEL": "ERROR",
        **more,
    }


def create_tables(*, only_postgres: bool = True) -> None:
    """Set Django up and create the tables; ends the process if the database is not empty.

    Called inside the process, before anything of the site is imported.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    if only_postgres and connection.vendor != "postgresql":
        sys.exit("This needs a PostgreSQL.")
    if connection.introspection.table_names():
        sys.exit("This fills the database, so it needs an empty one.")
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
