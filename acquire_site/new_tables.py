"""Tables of an empty database, made at once instead of by all migrations one after the other.

The result is the same, and takes a tenth of the time; tests/site/test_new_tables.py compares both.
"""

from typing import Any

from django.core.management.sql import emit_post_migrate_signal
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration, RunPython
from django.db.migrations.executor import MigrationExecutor


def make_tables(alias: str, verbosity: int = 0) -> None:
    """Make the tables of all apps if this database is empty, and record their migrations as applied.

    Code of the migrations runs too, because some of it makes triggers. So do the receivers of `post_migrate`.
    """
    connection = connections[alias]
    if connection.introspection.table_names():
        return
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    apps = executor.loader.project_state().apps
    # All or nothing: no later run could tell what is missing.
    with connection.constraint_checks_disabled(), transaction.atomic(using=alias):
        _make_models(connection, apps)
        _run_code(connection, apps, [migration for migration, _ in plan])
        executor.recorder.ensure_schema()
        for migration, _ in plan:
            executor.recorder.record_applied(migration.app_label, migration.name)
        emit_post_migrate_signal(verbosity, interactive=False, db=alias, apps=apps, plan=plan)


def _make_models(connection: BaseDatabaseWrapper, apps: Any) -> None:
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)


def _run_code(connection: BaseDatabaseWrapper, apps: Any, migrations: list[Migration]) -> None:
    for migration in migrations:
        for operation in migration.operations:
            if isinstance(operation, RunPython):
                with connection.schema_editor() as editor:
                    operation.code(apps, editor)
