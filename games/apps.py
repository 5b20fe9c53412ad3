from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts import names
        from games import checks, goodbyes, receivers, roles  # noqa: F401
        from games.bots import BOTS
        from games.services.starting import NICKNAMES

        # Nobody passes for a computer opponent.
        names.keep_back(*NICKNAMES, *(level for levels in BOTS.values() for level in levels))

        post_migrate.connect(roles.make_groups, sender=self, dispatch_uid="games.roles")
