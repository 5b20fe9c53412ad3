"""Admin pages of accounts."""

from accounts.web.moderation import audit_admin, credential_admin, member_admin  # noqa: F401
from accounts.web.operator import site_page_admin, site_switch_admin  # noqa: F401
