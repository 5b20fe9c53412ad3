"""Reports of lines say now about what, where and of whom they are; and there are words to answer with."""

from typing import Any

from django.db import migrations
from django.db.models import CharField, F, OuterRef, Subquery, Value
from django.db.models.functions import Cast, Concat

ANSWERS = {
    "Thank you": "What you wrote helped us.",
    "Mute or block": (
        "If you do not want to read this person any more, mute them beside a line of theirs, or block them on"
        " their page: then you are not seated together either."
    ),
    "Late players": (
        "The table decides what follows when somebody’s time is over. When you open a game you can choose a"
        " pace, and ask for players who decide in time."
    ),
    "Luck is no cheating": (
        "We looked at the log of the game. Each deal can be checked on the page of its game once that is over."
    ),
}


def fill(apps: Any, schema_editor: Any) -> None:
    """So far all reports were about lines."""
    Report, Line = apps.get_model("games", "Report"), apps.get_model("games", "Line")
    said = Line.objects.filter(pk=OuterRef("line"))
    Report.objects.filter(line__isnull=False).update(
        subject=Concat(Value("line "), Cast(F("line_id"), CharField())),
        game=Subquery(said.values("game")[:1]),
        person=Subquery(said.values("user")[:1]),
    )
    answers = apps.get_model("games", "ReportAnswer")
    for name, text in ANSWERS.items():
        answers.objects.get_or_create(name=name, defaults={"text": text})


class Migration(migrations.Migration):
    dependencies = [("games", "0025_reports")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
