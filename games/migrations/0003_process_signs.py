"""Signs of life of processes, and failures of tasks."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_heartbeat_clock")]

    operations = [
        migrations.CreateModel(
            name="ProcessSign",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("web", "web process"), ("worker", "worker"), ("sweeper", "sweeper")],
                        max_length=10,
                    ),
                ),
                ("queues", models.CharField(blank=True, default="", max_length=100)),
                ("host", models.CharField(max_length=255)),
                ("pid", models.PositiveIntegerField()),
                ("started", models.DateTimeField()),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("version", models.CharField(max_length=40)),
                ("build", models.CharField(max_length=16)),
                ("key_mark", models.CharField(max_length=16)),
                ("clock_ahead_seconds", models.FloatField(null=True)),
                ("memory_bytes", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="TaskFailure",
            fields=[
                ("task", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("times", models.PositiveIntegerField(default=1)),
                ("error", models.CharField(max_length=100)),
                ("last", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
