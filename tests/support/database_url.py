"""The database of a test, for another process."""

from urllib.parse import quote

from django.db import connection


def database_url() -> str:
    """The database of this test, for another process."""
    name, facts = connection.settings_dict["NAME"], connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    host = quote(facts["HOST"] or "", safe="")
    port = f":{facts['PORT']}" if facts["PORT"] else ""
    return f"postgres://{facts['USER'] or 'postgres'}@{host}{port}/{name}"
