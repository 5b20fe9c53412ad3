"""Prepared queries: querysets whose SQL is compiled once.

Django compiles the SQL of a queryset on every use, which takes several times the CPU time of the query
itself. A table page makes a dozen queries that differ only in the game and the user.

This replaces Django's compiler and fills its result caches, neither of which is documented. The measured
gain, and the steps for a new version of Django, are in docs/decisions/prepared_query.md.

    visits = PreparedQuery(lambda: GameVisit.objects.filter(game=Placeholder("game")))
    visits.first(game=7)
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import django
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from django.db.models import BigIntegerField, Expression, Model, QuerySet

from games.models.playable_systems import withheld_systems

CHECKED_DJANGO = {(5, 2)}

if django.VERSION[:2] not in CHECKED_DJANGO:
    raise ImproperlyConfigured(
        f"{__name__} uses internals of Django that nobody has checked in Django {django.get_version()}: "
        "see docs/decisions/prepared_query.md."
    )

Row = TypeVar("Row")


class Placeholder(Expression):
    """A named parameter of a prepared query: a key, or a value of type `field`."""

    def __init__(self, name: str, field: Any = None) -> None:
        super().__init__(output_field=field or BigIntegerField())
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


@dataclass(frozen=True)
class _Written:
    """Compiled SQL with its parameters, some of them placeholders, and the compiler that reads its rows."""

    compiler: Any
    sql: str
    params: tuple[Any, ...]

    def filled(self, connection: Any, values: dict[str, Any]) -> Any:
        """Return a compiler for this connection that already has its SQL."""
        compiler = copy(self.compiler)
        compiler.connection = connection
        params = tuple(
            param.output_field.get_db_prep_value(values[param.name], connection)
            if isinstance(param, Placeholder)
            else param
            for param in self.params
        )
        compiler.as_sql = lambda *_args, **_kwargs: (self.sql, params)
        return compiler


class PreparedQuery(Generic[Row]):
    """The query that `write` makes, with a Placeholder for every value that varies.

    `write` may depend on the withheld systems: the SQL is compiled once for each set of them.
    """

    def __init__(self, write: Callable[[], QuerySet[Any, Row]]) -> None:
        self._write = write
        self._known: dict[tuple[str, ...], tuple[QuerySet[Any, Row], _Written]] = {}

    def rows(self, **values: Any) -> list[Row]:
        """All rows of the result, with the placeholders filled in."""
        queryset, written = self._ready()
        asked = queryset.all()
        # Used only for the list: any query derived from `asked` would be this very query again.
        asked.query.get_compiler = partial(_filled, written, values)  # type: ignore[method-assign]
        return list(asked)

    def first(self, **values: Any) -> Row | None:
        """The first row of the result, or None."""
        return next(iter(self.rows(**values)), None)

    def _ready(self) -> tuple[QuerySet[Any, Row], _Written]:
        key = tuple(withheld_systems())
        if key not in self._known:
            queryset = self._write()
            compiler = queryset.query.get_compiler(using=queryset.db)
            sql, params = compiler.as_sql()
            compiler.connection = None  # it belongs to this thread
            self._known[key] = queryset, _Written(compiler, sql, tuple(params))
        return self._known[key]


def set_prefetched(rows: list[Any], owner: Model, name: str, back: str) -> None:
    """Set the rows as the prefetched `owner.name.all()`, and the owner as each `row.back`."""
    found = getattr(owner, name).all()
    found._result_cache, found._prefetch_done = rows, True
    owner.__dict__.setdefault("_prefetched_objects_cache", {})[name] = found
    for row in rows:
        setattr(row, back, owner)


def prefetched(owner: Model, name: str) -> list[Any] | None:
    """Return the rows that `set_prefetched` set, or None if there are none."""
    found = owner.__dict__.get("_prefetched_objects_cache", {}).get(name)
    return None if found is None else list(found)


def forget_prefetched(owner: Model, name: str) -> None:
    """Have `owner.name.all()` read its rows again."""
    owner.__dict__.get("_prefetched_objects_cache", {}).pop(name, None)


def _filled(written: _Written, values: dict[str, Any], using: str, *_: Any, **__: Any) -> Any:
    return written.filled(connections[using], values)
