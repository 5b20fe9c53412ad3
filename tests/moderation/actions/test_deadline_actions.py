"""Moderators give more time."""

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.models import Game
from games.play.deadlines.overdue import settle_timeout
from games.sweeper import sweep
from tests.moderation.actions.conftest import act, again, last_entry, told
from tests.support import wording
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db

DAY = 86_400


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms={"pace": DAY}), 2)


def asked_seat(game: Game) -> int:
    decider = again(game).seat_to_move
    assert decider is not None
    return decider


def test_more_time_extends_the_deadline_and_notifies_the_player(game: Game, mona: User) -> None:
    before, asked = again(game).deadline, again(game).waiting_for
    act("more-time", game, mona, hours=48, seat=str(asked_seat(game) + 1))
    assert abs(again(game).deadline - before - timedelta(hours=48)) < timedelta(seconds=5)
    assert last_entry(game).text == f"moderator gives {asked_seat(game)} more time"
    assert told(asked).count("more-time") == 1


def test_more_time_for_all_in_a_game_without_time_banks_names_the_player_who_gets_it(
    game: Game, mona: User
) -> None:
    asked = again(game).waiting_for
    act("more-time", game, mona, hours=24)
    entry = last_entry(game)
    assert (entry.text, entry.seat) == (f"moderator gives {asked_seat(game)} more time", asked_seat(game))
    assert [seat.user for seat in game.seats.all() if "more-time" in told(seat.user)] == [asked]


def test_more_time_after_the_deadline_prevents_the_timeout(game: Game, mona: User) -> None:
    with time_machine.travel(timezone.now() + timedelta(hours=25), tick=False):
        act("more-time", game, mona, hours=10)
        version = again(game).version
        assert again(game).deadline == timezone.now() + timedelta(hours=10)
        settle_timeout(game.pk, version)
        assert again(game).version == version


def test_timeout_without_more_time_is_settled(game: Game) -> None:
    with time_machine.travel(timezone.now() + timedelta(hours=25), tick=False):
        version = again(game).version
        assert settle_timeout(game.pk, version)


def test_more_time_for_a_stopped_clock_is_refused(game: Game, mona: User) -> None:
    other = 2 - asked_seat(game)
    with pytest.raises(Refusal, match="This seat’s clock is not running"):
        act("more-time", game, mona, hours=5, seat=str(other))


def test_more_time_in_a_game_with_time_banks_goes_to_everybody(
    start: NewGame, mona: User, alice: User, bob: User
) -> None:
    game = play_on(start(alice, bob, terms={"pace": 60, "bank": 3600}), 3)
    shown = {seat.number: seat.time_bank_left or timedelta(hours=1) for seat in game.seats.all()}
    act("more-time", game, mona, hours=2)
    other = game.seats.exclude(user=again(game).waiting_for).get()
    assert other.time_bank_left == shown[other.number] + timedelta(hours=2)
    assert again(game).deadline > timezone.now() + timedelta(hours=2)
    assert last_entry(game).text == "moderator gives more time"


def test_more_time_closes_the_vote_on_replacement(
    start: NewGame, mona: User, alice: User, bob: User, carol: User
) -> None:
    game = play_on(start(alice, bob, carol, terms={"pace": DAY, "overrun": "vote"}), 2)
    game.seats.update(grace_used=True)
    with time_machine.travel(timezone.now() + timedelta(hours=25), tick=False):
        settle_timeout(game.pk, again(game).version)
        assert game.seats.filter(replacement_vote_open=True).count() == 1
        act("more-time", game, mona, hours=5)
        assert not game.seats.filter(replacement_vote_open=True).exists()
    with time_machine.travel(timezone.now() + timedelta(hours=29), tick=False):
        sweep()
        assert not game.seats.exclude(bot_level="").exists()


def test_more_time_is_refused_in_a_game_without_a_limit(start: NewGame, mona: User, alice: User) -> None:
    with pytest.raises(Refusal, match=wording.NO_TIME_LIMIT):
        act("more-time", start(alice, "easy"), mona, hours=5)


@pytest.mark.parametrize("hours", [0, -3, 2377, "some"])
def test_hours_out_of_range_are_refused(hours: object, game: Game, mona: User) -> None:
    with pytest.raises(ValidationError, match="whole number from 1 to 2376"):
        act("more-time", game, mona, hours=hours)
