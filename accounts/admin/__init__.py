"""Members and the operator's pages in the admin: one module for each noun."""

from .members import AppealAdmin, UserAdmin
from .pages import PageAdmin

__all__ = ["AppealAdmin", "PageAdmin", "UserAdmin"]
