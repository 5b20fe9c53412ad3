from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts.operator import site_switches
        from accounts.web.membership import code_checks, recovery_codes  # noqa: F401

        # A flushed database has lost its switches.
        post_migrate.connect(site_switches.create_missing, sender=self, dispatch_uid="accounts.switches")
