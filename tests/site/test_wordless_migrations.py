"""New words need no migration; a changed table does."""

from django.db import models
from django.db.migrations import Migration
from django.db.migrations.graph import MigrationGraph
from django.db.migrations.operations import AlterField
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.state import ModelState, ProjectState

from acquire_site.wordless_migrations import WordlessAutodetector


def state_with(field: "models.Field[str, str]", **options: object) -> ProjectState:
    state = ProjectState()
    key = ("id", models.BigAutoField(primary_key=True))
    state.add_model(ModelState("club", "Room", [key, ("name", field)], options))
    return state


def changes(before: ProjectState, after: ProjectState) -> dict[str, list[Migration]]:
    asking = MigrationQuestioner(specified_apps={"club"})
    return WordlessAutodetector(before, after, asking).changes(MigrationGraph())


OLD = state_with(
    models.CharField("what it is called", max_length=20, help_text="Short."),
    verbose_name="chamber",
    permissions=[("sweep", "May sweep")],
    constraints=[models.UniqueConstraint(fields=["name"], name="one", violation_error_message="Taken.")],
)


def with_length(length: int) -> ProjectState:
    return state_with(
        models.CharField("name", max_length=length, help_text="At most 20 characters."),
        verbose_name="room",
        permissions=[("sweep", "Can sweep")],
        constraints=[
            models.UniqueConstraint(fields=["name"], name="one", violation_error_message="Try another.")
        ],
    )


def test_new_labels_messages_and_help_need_no_migration() -> None:
    assert changes(OLD, with_length(20)) == {}


def test_longer_column_needs_a_migration() -> None:
    (migration,) = changes(OLD, with_length(30))["club"]
    (operation,) = migration.operations
    assert isinstance(operation, AlterField)
    assert "verbose_name" not in operation.field.deconstruct()[3]


def test_models_keep_their_words() -> None:
    changes(OLD, with_length(30))
    assert OLD.models["club", "room"].options["verbose_name"] == "chamber"
