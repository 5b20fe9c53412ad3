from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts.services import switches

        # A database that was emptied has no switches any more.
        post_migrate.connect(switches.make_rows, sender=self, dispatch_uid="accounts.switches")
