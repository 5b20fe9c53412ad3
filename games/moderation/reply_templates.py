"""Reply templates of a new site."""

from collections.abc import Sequence
from typing import Any

from django.apps import apps as installed
from django.db.migrations import Migration

FIRST_TEMPLATES = {
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
        "We looked at the log of the game. Each deal can be checked on the page of its game once that is"
        " over."
    ),
}


def create_first_templates(
    apps: Any = installed, using: str = "default", plan: Sequence[tuple[Migration, bool]] = (), **_: Any
) -> None:
    """Create the first reply templates when the tables of games have just been made.

    Only then: a template that staff delete must not come back.
    """
    if not any((migration.app_label, migration.name) == ("games", "0001_initial") for migration, _ in plan):
        return
    try:
        templates = apps.get_model("games", "replytemplate").objects.using(using)
    except LookupError:
        return  # the tables were removed
    for name, text in FIRST_TEMPLATES.items():
        templates.get_or_create(name=name, defaults={"text": text})
