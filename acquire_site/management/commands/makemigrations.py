"""Django's makemigrations, with migrations that hold no wording."""

from django.core.management.commands import makemigrations

from acquire_site.wordless_migrations import WordlessAutodetector


class Command(makemigrations.Command):
    autodetector = WordlessAutodetector
