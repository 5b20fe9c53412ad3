"""Members, the audit, and the operator's pages and switches in the admin: one module for each noun."""

from .audits import AuditAdmin
from .members import AppealAdmin, UserAdmin
from .pages import PageAdmin
from .switches import SwitchAdmin

__all__ = ["AppealAdmin", "AuditAdmin", "PageAdmin", "SwitchAdmin", "UserAdmin"]
