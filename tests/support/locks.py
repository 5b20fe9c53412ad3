"""Broken row locks, for tests that show what the locks are for."""

from typing import Any

import pytest
from django.db.models import Model, QuerySet

from accounts.models import User
from games.models import Game


def without_row_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read games and users without locking them."""
    select_for_update = QuerySet.select_for_update

    def unlocked(rows: QuerySet[Model], **options: Any) -> QuerySet[Model]:
        return rows if rows.model in (Game, User) else select_for_update(rows, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", unlocked)
