"""What all pages of games in the admin keep to: they are read, and their lists asked for nothing hidden."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class ReadOnly:
    """Nothing is added, changed or removed here: a game changes through its one door."""

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, *args: Any) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False


class OwnColumnsOnly(admin.ModelAdmin):
    """Lists are filtered by their own columns: by those of a game one could ask for its secrets."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return lookup.split("__")[0] in self.list_filter
