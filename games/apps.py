from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from accounts.models import User


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts import names
        from accounts.signals import collecting_my_data, member_banned, member_leaving
        from games import checks, goodbyes, roles  # noqa: F401
        from games.bots import BOTS
        from games.export import everything_about
        from games.notices import receivers  # noqa: F401
        from games.services import give_up_seats, hand_over_seats
        from games.services.starting import NICKNAMES

        # Nobody passes for a computer opponent.
        names.keep_back(*NICKNAMES, *(level for levels in BOTS.values() for level in levels))

        def leave(user: "User", **kwargs: object) -> None:
            hand_over_seats(user)

        def give_up(user: "User", **kwargs: object) -> None:
            give_up_seats(user)

        def tell(user: "User", **kwargs: object) -> list[tuple[str, bytes]]:
            return everything_about(user)

        member_leaving.connect(leave, weak=False, dispatch_uid="games.hand_over_seats")
        member_banned.connect(give_up, weak=False, dispatch_uid="games.give_up_seats")
        collecting_my_data.connect(tell, weak=False, dispatch_uid="games.my_data")
        post_migrate.connect(roles.make_groups, sender=self, dispatch_uid="games.roles")
