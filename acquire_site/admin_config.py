from django.contrib.admin.apps import AdminConfig


class GuardedAdminConfig(AdminConfig):
    """Django's admin with the site on which all that can be asked for is listed."""

    default = False
    default_site = "accounts.web.moderation.admin_site.GuardedAdminSite"
