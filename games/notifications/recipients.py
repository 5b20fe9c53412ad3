"""Members who can be notified, and the ways to reach them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Subquery, prefetch_related_objects

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from accounts.models.sanction import NO_END
from games.models import Endpoint, Game, GameNotificationLevel, MutedKind

_WORKING = Endpoint.objects.filter(stopped=None)


@dataclass(frozen=True)
class Recipient:
    """A member who can be notified of one game, or outside games, and the ways to reach them."""

    user: User
    by_mail: bool
    attention: str
    muted: frozenset[tuple[str, str]]
    endpoints: tuple[Endpoint, ...]

    def wants(self, kind: str, channel: str) -> bool:
        return (kind, channel) not in self.muted and self.attention != GameNotificationLevel.Level.MUTE


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
            has_muted=Exists(MutedKind.objects.filter(user=OuterRef("pk"))),
            has_endpoints=Exists(_WORKING.filter(user=OuterRef("pk"))),
        )
    )
    # Most members have neither.
    prefetch_related_objects([user for user in people if user.has_muted], "muted_kinds")
    reached = Prefetch("endpoints", queryset=_WORKING.all())
    prefetch_related_objects([user for user in people if user.has_endpoints], reached)
    return [
        Recipient(
            user=user,
            by_mail=user.confirmed and not user.mail_stopped,
            attention=user.attention or "",
            muted=frozenset(
                (muted.kind, muted.channel) for muted in (user.muted_kinds.all() if user.has_muted else ())
            ),
            endpoints=tuple(user.endpoints.all() if user.has_endpoints else ()),
        )
        for user in people
    ]
