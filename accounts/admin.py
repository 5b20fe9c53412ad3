"""Admin pages of accounts."""

from accounts.web.moderation import (  # noqa: F401
    account_mail_admin,
    audit_admin,
    credential_admin,
    member_admin,
)
from accounts.web.operator import site_page_admin, site_switch_admin  # noqa: F401
