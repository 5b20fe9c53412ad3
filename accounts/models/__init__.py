"""Models of accounts."""

from accounts.models.access_trace import AccessTrace
from accounts.models.account_mail import AccountMail
from accounts.models.api_token import ApiToken
from accounts.models.audit_entry import AuditEntry
from accounts.models.bot_account import BotAccount
from accounts.models.sanction import Appeal, Sanction
from accounts.models.site_page import SitePage
from accounts.models.site_switch import SiteSwitch
from accounts.models.user import ReleasedName, User, Users

__all__ = [
    "AccessTrace",
    "AccountMail",
    "ApiToken",
    "Appeal",
    "AuditEntry",
    "BotAccount",
    "ReleasedName",
    "Sanction",
    "SitePage",
    "SiteSwitch",
    "User",
    "Users",
]
