from typing import Any

from django.db import migrations, models


class AddIndexBesidePlay(migrations.AddIndex):
    """Where the database can, play goes on while a table is indexed: the log is the largest by far."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        # One that was broken off has left an index behind that is never used.
        schema_editor.remove_index(model, self.index, concurrently=True)
        schema_editor.add_index(model, self.index, concurrently=True)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        schema_editor.remove_index(model, self.index, concurrently=True)


class Migration(migrations.Migration):
    # An index is made beside play only outside a transaction.
    atomic = False

    dependencies = [("games", "0027_reports_once")]

    operations = [
        AddIndexBesidePlay(
            model_name="game",
            index=models.Index(
                fields=["asked"], condition=models.Q(("remaining__isnull", False)), name="game_stopped"
            ),
        ),
        AddIndexBesidePlay(
            model_name="game",
            index=models.Index(
                fields=["id"], condition=models.Q(("status", "running")), name="game_running"
            ),
        ),
        AddIndexBesidePlay(
            model_name="move",
            index=models.Index(
                fields=["user", "made"],
                condition=models.Q(("user__isnull", False)),
                name="move_of_person",
            ),
        ),
    ]
