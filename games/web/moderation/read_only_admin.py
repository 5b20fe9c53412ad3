"""Base classes of the admin pages of games."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class ReadOnly:
    """An admin without adding, changing and deleting: games change only by moves and rulings."""

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, *args: Any) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False


class OwnColumnsOnly(admin.ModelAdmin):
    """An admin with lookups on its own columns only: those on a game's could reveal its secrets."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return lookup.split("__")[0] in self.list_filter
