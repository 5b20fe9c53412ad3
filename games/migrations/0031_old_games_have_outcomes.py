from typing import Any

from django.db import migrations
from django.utils import timezone

ROWS = 1000


def wait_to_be_read(apps: Any, schema_editor: Any) -> None:
    """Games that ended before there were outcomes are read like all others, as soon as somebody has time."""
    game, outcome = apps.get_model("games", "Game"), apps.get_model("games", "Outcome")
    over = game.objects.filter(status="finished", practice=False, outcome=None).order_by("pk")
    rows, now = [], timezone.now()
    for found in over.values_list("pk", "system", "taken", "finished").iterator(chunk_size=ROWS):
        pk, system, players, finished = found
        rows.append(outcome(game_id=pk, system=system, players=players, finished=finished, due=now))
    outcome.objects.bulk_create(rows, batch_size=ROWS)


class Migration(migrations.Migration):
    dependencies = [("games", "0030_outcomes_and_ratings")]

    operations = [migrations.RunPython(wait_to_be_read, migrations.RunPython.noop)]
