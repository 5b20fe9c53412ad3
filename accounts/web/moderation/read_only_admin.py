"""Base class of admin pages that only show rows."""

from typing import Any


class ReadOnly:
    """An admin without adding, changing and deleting."""

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, *args: Any) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False
