"""What people choose to hear of, and what not."""

from collections.abc import Collection

from django.db import transaction

from accounts.models import User
from games.models import Game, GameNotificationLevel, Kind, MutedKind, UnsubscribedAddress


def set_game_level(user: User, game: Game, level: str) -> None:
    """Set how much the user wants to hear of one game; "" is as of any other."""
    if level:
        GameNotificationLevel.objects.update_or_create(user=user, game=game, defaults={"level": level})
    else:
        GameNotificationLevel.objects.filter(user=user, game=game).delete()


def game_level(user: User, game: Game) -> str:
    """How much the user wants to hear of the game, as `listen` was told."""
    level = GameNotificationLevel.objects.filter(user=user, game=game).values_list("level", flat=True).first()
    return level or ""


@transaction.atomic
def set_wanted_kinds(user: User, kinds: Collection[str]) -> None:
    """Tell the user of these kinds and of no other."""
    MutedKind.objects.filter(user=user, kind__in=kinds).delete()
    for kind in set(Kind) - set(kinds):
        mute_kind(user, kind)


def mute_kind(user: User, kind: str) -> None:
    MutedKind.objects.get_or_create(user=user, kind=kind)


@transaction.atomic
def stop_all_mail(user: User) -> None:
    """Send the user no mail about games, whatever was asked for before."""
    User.objects.filter(pk=user.pk).update(mail_mode=User.MailMode.OFF)
    GameNotificationLevel.objects.filter(user=user, level=GameNotificationLevel.Level.ALWAYS).delete()


def unsubscribe_address(address: str, why: str = "asked for") -> None:
    """Send no mail to an address that is nobody's on the site; the first reason stays."""
    closed = UnsubscribedAddress(address=address, reason=why[:300])
    # Two may close it at the same moment.
    UnsubscribedAddress.objects.bulk_create([closed], ignore_conflicts=True)
