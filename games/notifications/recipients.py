"""Members who can be notified, and the ways to reach them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Subquery

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from accounts.models.sanction import NO_END
from games.models import Endpoint, Game, GameNotificationLevel


@dataclass(frozen=True)
class Recipient:
    """A member who can be notified of one game, or outside games, and the ways to reach them."""

    user: User
    by_mail: bool
    attention: str
    muted: frozenset[str]
    endpoints: tuple[Endpoint, ...]

    def wants(self, kind: str) -> bool:
        return kind not in self.muted and self.attention != GameNotificationLevel.Level.MUTE


def recipients(game: Game | None, user_ids: Iterable[int]) -> list[Recipient]:
    """The users who can be notified, without guests and bot accounts.

    Leaves out users who have left the site or are banned.
    """
    people = (
        User.objects.filter(pk__in=user_ids, is_guest=False, is_bot_account=False, is_active=True)
        .exclude(suspended_until__gte=NO_END)
        .annotate(
            confirmed=Exists(confirmed_addresses().filter(user=OuterRef("pk"))),
            attention=Subquery(
                GameNotificationLevel.objects.filter(user=OuterRef("pk"), game=game).values("level")[:1]
            ),
        )
        .prefetch_related(
            "muted_kinds", Prefetch("endpoints", queryset=Endpoint.objects.filter(stopped=None))
        )
    )
    return [
        Recipient(
            user=user,
            by_mail=user.confirmed and not user.mail_stopped,
            attention=user.attention or "",
            muted=frozenset(muted.kind for muted in user.muted_kinds.all()),
            endpoints=tuple(user.endpoints.all()),
        )
        for user in people
    ]
