"""Databases in which backups are looked at."""

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper


def reach_databases_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test reach the databases beside the live one, which no test can name ahead."""
    guarded = BaseDatabaseWrapper.ensure_connection

    def ensure_connection(self: BaseDatabaseWrapper) -> None:
        if not self.alias.startswith(("aside_", "before_")):
            guarded(self)
        elif self.connection is None:
            with self.wrap_database_errors:
                self.connect()

    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", ensure_connection)
