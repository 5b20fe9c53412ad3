"""Broken row locks, for tests that show what the locks are for."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, QuerySet

from accounts.models import User
from games.models import Game


def without_row_locks(monkeypatch: pytest.MonkeyPatch, *models: type[Model]) -> None:
    """Read rows of these models, by default games and users, without locking them.

    Skips the test on SQLite, where the transaction itself is the lock.
    """
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    select_for_update = QuerySet.select_for_update

    def unlocked(rows: QuerySet[Model], **options: Any) -> QuerySet[Model]:
        return rows if rows.model in (models or (Game, User)) else select_for_update(rows, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", unlocked)
