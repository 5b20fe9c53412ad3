"""What the sweeper remembers of its clock."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.AddField("heartbeat", "steady_seconds", models.FloatField(null=True)),
        migrations.AddField("heartbeat", "boot", models.CharField(default="", max_length=40)),
        migrations.AddField("heartbeat", "detail", models.CharField(default="", max_length=200)),
    ]
