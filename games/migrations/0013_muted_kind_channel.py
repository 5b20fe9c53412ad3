from django.conf import settings
from django.db import migrations, models


def mute_by_all_channels(apps, schema_editor):
    """Let a kind that was muted stay muted by every channel."""
    muted_kind = apps.get_model("games", "MutedKind")
    for channel in ("browser", "webhook"):
        rows = muted_kind.objects.filter(channel="mail").order_by("pk")
        muted_kind.objects.bulk_create(
            (muted_kind(user_id=row.user_id, kind=row.kind, channel=channel) for row in rows.iterator()),
            batch_size=1000,
            ignore_conflicts=True,
        )


def forget_other_channels(apps, schema_editor):
    """Leave one row per kind."""
    apps.get_model("games", "MutedKind").objects.exclude(channel="mail").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0012_redeal'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='mutedkind',
            name='channel',
            field=models.CharField(db_default='mail', default='mail', max_length=10),
        ),
        migrations.RemoveConstraint(
            model_name='mutedkind',
            name='one_mute_a_kind',
        ),
        migrations.AddConstraint(
            model_name='mutedkind',
            constraint=models.UniqueConstraint(fields=('user', 'kind', 'channel'), name='one_mute_a_kind_and_channel'),
        ),
        migrations.RunPython(mute_by_all_channels, forget_other_channels),
    ]
