from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0005_rating_ledger_method")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="answer_due_at",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="When the player's order or plan answers.",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=Q(("answer_due_at__isnull", False)),
                fields=["answer_due_at"],
                name="game_answer_due",
            ),
        ),
    ]
