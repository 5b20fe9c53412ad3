from django.db import migrations, models


class Migration(migrations.Migration):
    # After the rows were filled, in a transaction of its own: PostgreSQL adds no index while changes wait.
    dependencies = [("games", "0026_reports_filled")]

    operations = [
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(
                condition=models.Q(("settled", None)),
                fields=("subject", "by"),
                name="one_open_report_a_subject",
            ),
        ),
    ]
