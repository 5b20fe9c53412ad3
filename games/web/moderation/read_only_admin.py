"""Base classes of the admin pages of games."""

from typing import Any


class ReadOnly:
    """An admin without adding, changing and deleting: games change only by moves and rulings."""

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, *args: Any) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False
