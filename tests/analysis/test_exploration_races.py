"""Explorations on two pages at once: each step is made once, on the position shown."""

from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from games.analysis import exploration_steps
from games.analysis.exploration_steps import start_exploration, stop_exploring, try_move
from games.models import Exploration, Game
from games.refusals import NotExploring
from tests.support.games import NewGame, make_room, seen_by
from tests.support.locks import without_row_locks
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 4


@pytest.fixture
def games(start: NewGame, alice: User, bob: User) -> Callable[[], Game]:
    """A function that creates a game which alice explores."""

    def games() -> Game:
        make_room(alice, bob)
        game = start(alice, bob)
        begin(game, alice)
        return game

    return games


def begin(game: Game, user: User) -> Exploration:
    look = seen_by(game, user)
    return start_exploration(game=game, user=user, seat=look.seat, seen=look.seen, version=look.game.version)


def first_moves(game: Game) -> list[Any]:
    state = exploration_steps.position(Exploration.objects.select_related("game").get(game=game))
    return [str(move) for move in game.rule_system.legal_moves(state)]


def trier(game: Game, user: User, move: str) -> Callable[[], object]:
    return partial(try_move, game=game, user=user, number=1, move=move)


def two_pages_make_one_step(game: Game, user: User) -> None:
    one, other = first_moves(game)[:2]
    results = at_once(trier(game, user, one), trier(game, user, other))
    [step] = Exploration.objects.get(game=game).steps
    assert sorted(type(result).__name__ for result in results) == ["ExplorationChanged", "NoneType"], results
    assert step["move"] == (one if results[0] is None else other)


def test_one_of_two_simultaneous_steps_is_made(games: Callable[[], Game], alice: User) -> None:
    for _ in range(ROUNDS):
        two_pages_make_one_step(games(), alice)


def test_missing_step_lock_is_detected(
    games: Callable[[], Game], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: no row is locked."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    without_row_locks(monkeypatch)
    with pytest.raises(AssertionError):
        for _ in range(20):
            two_pages_make_one_step(games(), alice)


def test_double_click_makes_one_step(games: Callable[[], Game], alice: User) -> None:
    for _ in range(ROUNDS):
        game = games()
        move = first_moves(game)[0]
        assert at_once(*[trier(game, alice, move)] * 3) == [None] * 3
        assert [step["move"] for step in Exploration.objects.get(game=game).steps] == [move]


def check_stopped(game: Game, tried: object) -> None:
    """Assert that the step came before the stop or was refused, and that nothing is left."""
    assert tried is None or isinstance(tried, NotExploring), tried
    assert not Exploration.objects.filter(game=game).exists()


def test_stop_during_step_deletes_exploration(games: Callable[[], Game], alice: User) -> None:
    for _ in range(ROUNDS):
        game = games()
        stop = partial(stop_exploring, game=game, user=alice)
        tried, stopped = at_once(trier(game, alice, first_moves(game)[0]), stop)
        assert stopped is None
        check_stopped(game, tried)


def test_missing_stop_lock_is_detected(
    games: Callable[[], Game], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: the step is saved after the stop."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    without_row_locks(monkeypatch)
    save = exploration_steps._save

    def late(exploration: Exploration) -> None:
        stopped = Thread(target=forget, args=(exploration.game, alice))
        stopped.start()
        stopped.join()
        save(exploration)

    monkeypatch.setattr(exploration_steps, "_save", late)
    game = games()
    (tried,) = at_once(trier(game, alice, first_moves(game)[0]))
    with pytest.raises(AssertionError):
        check_stopped(game, tried)


def forget(game: Game, user: User) -> None:
    stop_exploring(game=game, user=user)
    connection.close()


def test_simultaneous_starts_make_one_exploration(start: NewGame, alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        make_room(alice, bob)
        game = start(alice, bob)
        results = at_once(*[partial(begin, game, alice)] * 3)
        assert not any(isinstance(result, Exception) for result in results), results
        assert Exploration.objects.filter(game=game).count() == 1
