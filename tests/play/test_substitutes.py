"""Seats that are kept for their players for a while, and told of when they are lost for good."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Kind, Notification
from games.play.seats.substitutes import reclaim_seat, seats_to_take_over, take_over_seat
from games.refusals import SeatNotFree
from tests.support.games import NewGame
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import DAY, HOUR, run_out, without_grace

pytestmark = pytest.mark.django_db


def left_by_alice(clock: Any, start: NewGame, *players: User, pace: timedelta) -> Game:
    terms = {"pace": int(pace.total_seconds()), "overrun": "take"}
    return run_out(clock, without_grace(start(*players, preset="course", terms=terms)))


@pytest.mark.parametrize(("pace", "kept_for"), [(HOUR, HOUR), (3 * DAY, DAY)])
def test_seat_is_kept_for_its_player_for_one_decision_and_a_day_at_most(
    clock: Any, start: NewGame, alice: User, bob: User, carol: User, pace: timedelta, kept_for: timedelta
) -> None:
    game = left_by_alice(clock, start, alice, bob, pace=pace)
    free_at = timezone.now() + kept_for

    clock.move_to(free_at - timedelta(seconds=1))
    assert seats_to_take_over(game, list(game.seats.all()), carol) == []
    with pytest.raises(SeatNotFree):
        take_over_seat(game_id=game.pk, number=0, user=carol)

    clock.move_to(free_at)
    assert [seat.number for seat in seats_to_take_over(game, list(game.seats.all()), carol)] == [0]
    take_over_seat(game_id=game.pk, number=0, user=carol)
    seat = game.seats.get(number=0)
    assert (seat.user, seat.reserved_until) == (carol, None)


def test_player_takes_the_seat_back_also_when_it_is_not_kept_any_more(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    game = left_by_alice(clock, start, alice, bob, pace=DAY)
    clock.move_to(timezone.now() + 5 * DAY)
    reclaim_seat(game_id=game.pk, user=alice)
    seat = game.seats.get(number=0)
    assert (seat.is_bot_playing, seat.reserved_until) == (False, None)


def test_player_whose_seat_is_taken_over_is_notified(
    clock: Any, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = left_by_alice(clock, start, with_mailbox(alice), with_mailbox(bob), pace=DAY)
    clock.move_to(timezone.now() + DAY)
    take_over_seat(game_id=game.pk, number=0, user=carol)
    told = Notification.objects.filter(kind=Kind.SEAT)
    assert [(row.user, row.who, row.about) for row in told] == [(alice, carol, "carol")]
