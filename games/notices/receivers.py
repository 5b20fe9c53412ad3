"""What happens around games and accounts, passed on to those who are to hear of it."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import collecting_my_data, member_leaving, tidying
from games import signals
from games.models import Game, Invitation, Kind
from games.queries.notices import my_notices
from games.services import failures, keeping, notifying


@receiver(signals.seat_taken)
def seat_taken(game: Game, user: User, **_: Any) -> None:
    notifying.told_host(game, Kind.JOINED, user)


@receiver(signals.seat_left)
def seat_left(game: Game, user: User, **_: Any) -> None:
    # When it is the host who left, host_changed tells more.
    if game.host_id != user.pk:
        notifying.told_host(game, Kind.LEFT, user)


@receiver(signals.host_changed)
def host_changed(game: Game, old: User, **_: Any) -> None:
    notifying.told_host(game, Kind.HOST, old)


@receiver(signals.kicked)
def kicked(game: Game, user: User, reason: str, **_: Any) -> None:
    notifying.removed(game, user, reason)


@receiver(signals.invited)
def invited(game: Game, invitation: Invitation, **_: Any) -> None:
    notifying.invited(game, invitation)


@receiver(signals.game_ready)
def game_ready(game: Game, **_: Any) -> None:
    notifying.told_host(game, Kind.READY)


@receiver(signals.game_started)
def game_started(game: Game, **_: Any) -> None:
    notifying.game_started(game)


@receiver(signals.closing_soon)
def closing_soon(game: Game, **_: Any) -> None:
    notifying.told_host(game, Kind.CLOSING)


@receiver(signals.game_closed)
def game_closed(game: Game, reason: str, **_: Any) -> None:
    # A table that everybody left has nobody to tell, and a moderator tells why.
    if reason == "stale":
        notifying.closed(game)


@receiver(member_leaving)
def forget(user: User, **_: Any) -> None:
    keeping.forget(user)


@receiver(collecting_my_data)
def tell(user: User, **_: Any) -> list[tuple[str, bytes]]:
    return my_notices(user)


@receiver(tidying)
def tidy(now: datetime, **_: Any) -> dict[str, int]:
    return keeping.throw_away(now) | failures.throw_away(now)
