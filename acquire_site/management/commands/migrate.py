"""Django's migrate, with migrations that hold no wording, and quick on an empty database."""

from typing import Any

from django.core.management.commands import migrate

from acquire_site.new_tables import make_tables
from acquire_site.wordless_migrations import WordlessAutodetector

# Options that ask for less than all tables.
_PARTIAL = ("app_label", "check_unapplied", "fake", "fake_initial", "plan", "prune")


class Command(migrate.Command):
    autodetector = WordlessAutodetector

    def handle(self, *args: Any, **options: Any) -> None:
        if not any(options[name] for name in _PARTIAL):
            make_tables(options["database"], options["verbosity"])
        super().handle(*args, **options)
