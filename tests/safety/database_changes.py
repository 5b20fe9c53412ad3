"""Changes that a request makes in the database: tables written, and whether they differ afterwards."""

import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from django.db import connection

_WRITES = re.compile(r'\s*(?:INSERT (?:OR IGNORE )?INTO|UPDATE|DELETE FROM)\s+[`"]?(\w+)', re.I)

# A page that is read notes what its reader has seen, even one that only explains a refusal.
# allauth shows recovery codes once and notes that it did.
NOTED_BY_READING = {"games_gamevisit", "mfa_authenticator"}

# Sessions and counts of rate limits change with every visit, whatever is asked for.
EVERYDAY = {"django_session", "site_cache", "usersessions_usersession"}


def tables(names: Iterable[str] = ()) -> dict[str, str]:
    """Return a hash of each of these tables, or of all tables, by name."""
    found = {}
    with connection.cursor() as cursor:
        for name in names or connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")  # noqa: S608
            rows = sorted(map(repr, cursor.fetchall()))
            found[name] = sha256("\n".join(rows).encode()).hexdigest()
    return found


class Watch:
    """Tells which tables a request changed since the watch was made.

    Only tables that were written since `begin` are looked at, which costs nothing for most requests.
    """

    def __init__(self) -> None:
        self._before = tables()
        self._written: set[str] = set()

    def begin(self) -> None:
        self._written.clear()

    def changed(self) -> set[str]:
        """Return the tables that differ, except those that change with every visit."""
        written = sorted((self._written & set(self._before)) - EVERYDAY)
        after = tables(written) if written else {}
        return {name for name in written if after[name] != self._before[name]}

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        """Note written tables; for `connection.execute_wrapper`."""
        result = execute(sql, params, many, context)
        if found := _WRITES.match(sql):
            self._written.add(found[1])
        return result
