from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class AlterFieldBesidePlay(migrations.AlterField):
    """Drops the index of a foreign key, and nothing else, where the database can do so while play goes on.

    Django would also take the foreign key away and put it back, for which PostgreSQL reads the whole log and
    lets nobody move meanwhile.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        column = model._meta.get_field(self.name).column
        for name in schema_editor._constraint_names(model, [column], index=True, unique=False):
            schema_editor.execute(schema_editor._delete_index_sql(model, name, concurrently=True))

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        schema_editor.execute(schema_editor._create_index_sql(model, fields=[field], concurrently=True))


class Migration(migrations.Migration):
    # Both indexes are contained in others. They are dropped beside play, which is only done outside a transaction.
    atomic = False

    dependencies = [
        ("games", "0028_indexes_beside_play"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        AlterFieldBesidePlay(
            model_name="move",
            name="user",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        AlterFieldBesidePlay(
            model_name="move",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="moves",
                to="games.game",
            ),
        ),
    ]
