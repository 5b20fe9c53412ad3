"""What a request changes in the database: which tables were written, and whether they differ after it."""

import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from django.db import connection

_WRITES = re.compile(r'\s*(?:INSERT (?:OR IGNORE )?INTO|UPDATE|DELETE FROM)\s+[`"]?(\w+)', re.I)

# A page that is read notes what its reader has seen by it, also one that says why something was refused.
# Codes for a lost second factor, which allauth shows once only, note that they were shown.
NOTED_BY_READING = {"games_gamevisit", "mfa_authenticator"}

# Sessions, and the counts of the rate limits: they follow every visitor, whatever is asked for.
EVERYDAY = {"django_session", "site_cache", "usersessions_usersession"}


def tables(names: Iterable[str] = ()) -> dict[str, str]:
    """What these tables hold, or all that there are: a hash by its name."""
    found = {}
    with connection.cursor() as cursor:
        for name in names or connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")  # noqa: S608
            rows = sorted(map(repr, cursor.fetchall()))
            found[name] = sha256("\n".join(rows).encode()).hexdigest()
    return found


class Watch:
    """Tells after a request which tables differ from what they held when the watch was made.

    Only tables that were written since `begin` are looked at, which costs nothing for most requests.
    """

    def __init__(self) -> None:
        self._before = tables()
        self._written: set[str] = set()

    def begin(self) -> None:
        self._written.clear()

    def changed(self) -> set[str]:
        """The tables that differ, but for the everyday ones."""
        written = sorted((self._written & set(self._before)) - EVERYDAY)
        after = tables(written) if written else {}
        return {name for name in written if after[name] != self._before[name]}

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        """For `connection.execute_wrapper`."""
        result = execute(sql, params, many, context)
        if found := _WRITES.match(sql):
            self._written.add(found[1])
        return result
