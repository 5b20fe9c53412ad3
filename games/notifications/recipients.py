"""Who can be told, and in which ways."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Subquery

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from accounts.models.sanction import NO_END
from games.models import Endpoint, Game, GameNotificationLevel


@dataclass(frozen=True)
class Recipient:
    """A member who can be told of one game, or of what concerns none.

    Whether by mail, how loudly, of what not, and where besides.
    """

    user: User
    by_mail: bool
    attention: str
    muted: frozenset[str]
    endpoints: tuple[Endpoint, ...]

    def wants(self, kind: str) -> bool:
        return kind not in self.muted and self.attention != GameNotificationLevel.Level.MUTE


def recipients(game: Game | None, user_ids: Iterable[int]) -> list[Recipient]:
    """These people as far as they can be told; guests and programs cannot.

    Nobody is who has left the site or is shut out for good.
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
