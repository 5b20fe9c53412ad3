"""The database of the tests leaves nothing behind and is nobody else's."""

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def test_flush_after_a_test_empties_the_cache_too() -> None:
    cache.set("kept", 1, 3600)
    call_command("flush", interactive=False, verbosity=0)
    assert cache.get("kept") is None


def test_sqlite_has_a_folder_of_its_own() -> None:
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        assert name.endswith("/database0/acquire.sqlite3")
