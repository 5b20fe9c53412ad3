"""Notification preferences of members."""

from collections.abc import Collection
from itertools import product

from django.db import transaction

from accounts.models import User
from games.models import Channel, Game, GameNotificationLevel, Kind, MutedKind, UnsubscribedAddress


def set_game_level(user: User, game: Game, level: str) -> None:
    """Set the user's notification level of one game; "" is the default level."""
    if level:
        GameNotificationLevel.objects.update_or_create(user=user, game=game, defaults={"level": level})
    else:
        GameNotificationLevel.objects.filter(user=user, game=game).delete()


def game_level(user: User, game: Game) -> str:
    """The user's notification level of the game, "" for the default."""
    level = GameNotificationLevel.objects.filter(user=user, game=game).values_list("level", flat=True).first()
    return level or ""


@transaction.atomic
def set_wanted_kinds(user: User, wanted: Collection[tuple[str, str]]) -> None:
    """Mute every kind of notification by every channel, but these pairs of both."""
    for kind, channel in product(Kind, Channel):
        set_wanted(user, kind, channel, wanted=(kind, channel) in wanted)


def set_wanted(user: User, kind: str, channel: str, *, wanted: bool) -> None:
    """Mute one kind of notification by one channel, or take that back."""
    if wanted:
        MutedKind.objects.filter(user=user, kind=kind, channel=channel).delete()
    else:
        MutedKind.objects.get_or_create(user=user, kind=kind, channel=channel)


@transaction.atomic
def mute_kind(user: User, kind: str) -> None:
    """Mute a kind of notification by all channels."""
    for channel in Channel:
        set_wanted(user, kind, channel, wanted=False)


@transaction.atomic
def stop_all_mail(user: User) -> None:
    """Stop all mail about games to the user, including that of games set to always notify."""
    User.objects.filter(pk=user.pk).update(mail_mode=User.MailMode.OFF)
    GameNotificationLevel.objects.filter(user=user, level=GameNotificationLevel.Level.ALWAYS).delete()


def unsubscribe_address(address: str, why: str = "asked for") -> None:
    """Stop all mail to an address that belongs to no member; the first reason is kept."""
    closed = UnsubscribedAddress(address=address, reason=why[:300])
    # Two requests may come at the same moment.
    UnsubscribedAddress.objects.bulk_create([closed], ignore_conflicts=True)
