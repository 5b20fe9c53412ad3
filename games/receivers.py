"""Receivers of the signals of accounts."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import (
    collecting_bonds,
    collecting_my_data,
    describing_member,
    member_banned,
    member_leaving,
    tidying,
)
from games.admin.members import invitations, reports, tables
from games.export import everything_about
from games.queries.notices import my_notices
from games.services import failures, keeping, seating


@receiver(member_leaving, dispatch_uid="games.forget")
def forget_notices(user: User, **_: Any) -> None:
    keeping.forget(user)


@receiver(member_leaving, dispatch_uid="games.leave_all_games")
def leave_all_games(user: User, **_: Any) -> None:
    seating.hand_over_seats(user)


@receiver(member_banned, dispatch_uid="games.forfeit_all_seats")
def forfeit_all_seats(user: User, **_: Any) -> None:
    seating.give_up_seats(user)


@receiver(collecting_my_data, dispatch_uid="games.collect_my_data")
def collect_my_data(user: User, **_: Any) -> list[tuple[str, bytes]]:
    return [*my_notices(user), *everything_about(user)]


@receiver(tidying, dispatch_uid="games.tidy")
def tidy(now: datetime, **_: Any) -> dict[str, int]:
    return keeping.throw_away(now) | failures.throw_away(now)


@receiver(describing_member, dispatch_uid="games.describe_member")
def describe_member(user: User, **_: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    return [*tables(user), *reports(user)]


@receiver(collecting_bonds, dispatch_uid="games.collect_bonds")
def collect_bonds(user: User, **_: Any) -> list[tuple[int, str]]:
    return invitations(user)
