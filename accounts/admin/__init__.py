"""Members, the audit and the operator's pages in the admin: one module for each noun."""

from .audits import AuditAdmin
from .members import AppealAdmin, UserAdmin
from .pages import PageAdmin

__all__ = ["AppealAdmin", "AuditAdmin", "PageAdmin", "UserAdmin"]
