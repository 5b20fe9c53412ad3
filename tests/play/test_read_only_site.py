"""Site switches at the tables: no new games, and a read-only site without running clocks."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import sweeper, tasks
from games.lobby.game_start import start_as_host
from games.lobby.join_game import join
from games.lobby.rematch import start_rematch
from games.models import Game, Heartbeat, LogEntry
from games.play.deadlines import outages
from games.play.play_move import play_move
from games.refusals import NewGamesClosed
from tests.support.clients import client_of
from tests.support.games import NewGame, legal_move, play_to_the_end
from tests.support.site_switches import turn
from tests.support.timed_games import DAY, HOUR, deadline, without_grace

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
SENTENCE = "No new games can be created right now."


# -- New games -------------------------------------------------------------------------------------

WAYS = {
    "/play/": {"preset": "classic", "opponents": 2, "level": "random"},
    "/games/practice/": {
        **{"preset": "classic", "who_1": "person", "name_1": "Ann"},
        **{"who_2": "person", "name_2": "Ben"},
    },
}


@pytest.mark.parametrize("address", WAYS)
def test_no_game_is_opened_while_new_games_are_closed(address: str, alice: User) -> None:
    turn("games")
    answer = client_of(alice).post(address, WAYS[address])
    assert (answer.status_code, SENTENCE in answer.content.decode()) == (503, True)
    assert not Game.objects.exists()


@pytest.mark.parametrize("address", WAYS)
def test_no_guest_is_created_while_new_games_are_closed(address: str, client: Client, db: None) -> None:
    turn("games")
    assert client.post(address, WAYS[address]).status_code == 503
    assert not User.objects.exists()


def test_lower_layer_refuses_new_games_while_they_are_closed(
    create: NewGame, start: NewGame, alice: User, bob: User
) -> None:
    old = play_to_the_end(start(alice, bob))
    turn("games")
    ways: list[Callable[[], object]] = [
        lambda: create(alice),
        lambda: start(alice, "random"),
        lambda: start_rematch(game_id=old.pk, by=alice),
    ]
    for way in ways:
        with pytest.raises(NewGamesClosed):
            way()
    assert Game.objects.get() == old


def test_finished_game_says_why_there_is_no_rematch(start: NewGame, alice: User, bob: User) -> None:
    old = play_to_the_end(start(alice, bob))
    turn("games")
    answer = client_of(alice).post(f"{old.get_absolute_url()}again/", follow=True)
    assert SENTENCE in answer.content.decode()


def test_waiting_game_still_fills_and_starts_while_new_games_are_closed(
    create: NewGame, alice: User, bob: User
) -> None:
    game = create(alice, most=2)
    turn("games")
    join(game_id=game.pk, user=bob)
    start_as_host(game_id=game.pk, by=alice)
    assert Game.objects.get(pk=game.pk).is_running


def test_missing_check_of_the_switch_is_detected(
    create: NewGame, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn("games")
    monkeypatch.setattr("games.players.limits.check_new_games", lambda: None)
    assert create(alice).is_open


# -- Read-only -------------------------------------------------------------------------------------


@pytest.fixture
def game(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A game in which alice has a day, with the sweeper at work."""
    sweeper.sweep()
    return without_grace(start(alice, bob, preset="course", terms={"pace": 86400}))


def sweep_for(clock: Any, time: timedelta, step: timedelta) -> None:
    """Let the time pass while the sweeper is at work."""
    end = timezone.now() + time
    while timezone.now() < end:
        clock.shift(step)
        sweeper.sweep()


def test_read_only_site_takes_no_moves(game: Game, alice: User) -> None:
    turn("reading")
    form = {"move": legal_move(game)}
    answer = client_of(alice).post(f"{game.get_absolute_url()}moves/{game.version + 1}/", form)
    assert answer.status_code == 503
    assert not LogEntry.objects.filter(game=game).exists()


def test_nobody_times_out_on_a_read_only_site_and_all_keep_their_time(clock: Any, game: Game) -> None:
    clock.shift(20 * HOUR)
    Heartbeat.objects.update(at=timezone.now())
    turn("reading", until=timezone.now() + 2 * DAY)
    sweep_for(clock, 2 * DAY - HOUR, HOUR / 2)
    assert deadline(game) == game.deadline
    assert not LogEntry.objects.filter(game=game).exists()
    clock.shift(HOUR)
    sweeper.sweep()
    assert deadline(game) == timezone.now() + 4 * HOUR
    assert [move.text for move in game.moves.all()] == ["more time for 0"]
    sweeper.sweep()
    assert game.moves.count() == 1


def test_short_read_only_period_counts_too(clock: Any, game: Game) -> None:
    turn("reading")
    sweep_for(clock, 2 * MINUTE, MINUTE)
    turn("reading", "off")
    sweeper.sweep()
    assert deadline(game) == game.deadline + 2 * MINUTE


def test_outage_before_and_during_it_is_given_back_once(clock: Any, game: Game) -> None:
    clock.shift(HOUR)  # the sweeper is silent
    turn("reading")
    clock.shift(HOUR)
    sweeper.sweep()
    clock.shift(HOUR)
    turn("reading", "off")
    clock.shift(HOUR)
    sweeper.sweep()
    assert deadline(game) == game.deadline + 4 * HOUR


def test_running_clocks_on_a_read_only_site_are_detected(
    clock: Any, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn("reading")
    monkeypatch.setattr(outages, "is_read_only", lambda: False)
    monkeypatch.setattr(outages, "is_read_only", lambda: False)
    sweep_for(clock, DAY + HOUR, MINUTE * 4)
    assert LogEntry.objects.filter(game=game).exists()


def test_bots_wait_until_the_site_is_writable_again(clock: Any, start: NewGame, alice: User) -> None:
    game = start(alice, "random")
    waiting = _until_the_computer_is_asked(game, alice)
    turn("reading")
    tasks.play_computer(waiting.pk, waiting.version)
    clock.shift(HOUR)
    sweeper.sweep()
    assert Game.objects.get(pk=game.pk).version == waiting.version
    turn("reading", "off")
    tasks.play_computer(waiting.pk, waiting.version)
    assert Game.objects.get(pk=game.pk).version > waiting.version


def _until_the_computer_is_asked(game: Game, user: User) -> Game:
    """Play for this user until the bot has to move."""
    while True:
        game = Game.objects.get(pk=game.pk)
        if game.bot_due_at is not None:
            return game
        assert game.seat_to_move is not None
        play_move(
            game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=legal_move(game), by=user
        )
