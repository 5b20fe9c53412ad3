from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts.names import lookalikes
        from games import receivers, system_checks  # noqa: F401
        from games.engine.bots.bot_levels import BOTS
        from games.moderation import reply_templates, staff_roles
        from games.players.nicknames import NICKNAMES
        from games.realtime import session_end  # noqa: F401

        # No member may pass for a bot.
        lookalikes.reserve(*NICKNAMES, *(level for levels in BOTS.values() for level in levels))

        post_migrate.connect(staff_roles.make_groups, sender=self, dispatch_uid="games.staff_roles")
        post_migrate.connect(
            reply_templates.create_first_templates, sender=self, dispatch_uid="games.reply_templates"
        )
