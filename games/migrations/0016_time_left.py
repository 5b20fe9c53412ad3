from django.db import migrations, models
from django.db.models import DurationField, ExpressionWrapper, F


def from_deadlines(apps, schema_editor):
    """What was left of moves that can still be taken back."""
    moves = apps.get_model("games", "Move").objects.filter(deadline__isnull=False, game__status="running")
    moves.update(left=ExpressionWrapper(F("deadline") - F("made"), output_field=DurationField()))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0015_endings"),
    ]

    operations = [
        migrations.AddField(
            model_name="move",
            name="left",
            field=models.DurationField(
                blank=True,
                editable=False,
                help_text="What was left of the time when it was made.",
                null=True,
            ),
        ),
        migrations.RunPython(from_deadlines, migrations.RunPython.noop),
        migrations.RemoveField(model_name="move", name="deadline"),
    ]
