"""Processes of the version before go on for a moment after a migration, so they must be able to add rows."""

import pytest
from django.apps import apps
from django.db.migrations import AddField, CreateModel, Migration
from django.db.migrations.loader import MigrationLoader
from django.db.models import Field
from django.db.models.fields import NOT_PROVIDED

OURS = {"accounts", "games"}


def added_columns() -> list[tuple[str, str, str]]:
    """The app, model and name of each column that came after the table it is in, and is still there."""
    migrations = MigrationLoader(None).disk_migrations
    return sorted(
        (app, operation.model_name, operation.name)
        for (app, name), migration in migrations.items()
        if app in OURS and not name.startswith("0001")
        for operation in migration.operations
        if isinstance(operation, AddField)
        and has_field(app, operation)
        and operation.model_name not in new_tables(migration)
    )


def new_tables(migration: Migration) -> set[str]:
    """The models whose tables a migration makes: processes of the version before add no rows to them."""
    return {operation.name_lower for operation in migration.operations if isinstance(operation, CreateModel)}


def has_field(app: str, operation: AddField) -> bool:
    return operation.name in {field.name for field in apps.get_model(app, operation.model_name)._meta.fields}


@pytest.mark.parametrize(("app", "model", "name"), added_columns())
def test_row_can_be_added_by_a_process_that_does_not_know_the_column(app: str, model: str, name: str) -> None:
    field = apps.get_model(app, model)._meta.get_field(name)
    assert isinstance(field, Field)
    assert field.null or field.db_default is not NOT_PROVIDED
