"""Two pages of one explorer at the same moment: every step is made once, on the position that was shown."""

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
from tests.support.games import make_room, seen_by
from tests.support.locks import without_row_locks
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 4


@pytest.fixture
def games(start: Callable[..., Game], alice: User, bob: User) -> Callable[[], Game]:
    """A function that makes a game that alice explores."""

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


def test_of_two_tries_at_once_one_is_made_and_the_other_told(games: Callable[[], Game], alice: User) -> None:
    for _ in range(ROUNDS):
        two_pages_make_one_step(games(), alice)


def test_without_the_lock_the_race_would_be_noticed(
    games: Callable[[], Game], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: both pages try at the same moment, and neither waits for the other."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    without_row_locks(monkeypatch)
    with pytest.raises(AssertionError):
        for _ in range(20):
            two_pages_make_one_step(games(), alice)


def test_a_double_click_is_one_step(games: Callable[[], Game], alice: User) -> None:
    for _ in range(ROUNDS):
        game = games()
        move = first_moves(game)[0]
        assert at_once(*[trier(game, alice, move)] * 3) == [None] * 3
        assert [step["move"] for step in Exploration.objects.get(game=game).steps] == [move]


def has_stopped(game: Game, tried: object) -> None:
    """The step was made before the stop, or found nothing to step on; nothing is left either way."""
    assert tried is None or isinstance(tried, NotExploring), tried
    assert not Exploration.objects.filter(game=game).exists()


def test_who_stops_while_another_page_tries_has_stopped(games: Callable[[], Game], alice: User) -> None:
    for _ in range(ROUNDS):
        game = games()
        stop = partial(stop_exploring, game=game, user=alice)
        tried, stopped = at_once(trier(game, alice, first_moves(game)[0]), stop)
        assert stopped is None
        has_stopped(game, tried)


def test_a_stop_that_does_not_wait_would_be_noticed(
    games: Callable[[], Game], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: the step is made when what it was made for is gone."""
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
        has_stopped(game, tried)


def forget(game: Game, user: User) -> None:
    stop_exploring(game=game, user=user)
    connection.close()


def test_who_begins_twice_at_once_explores_once(start: Callable[..., Game], alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        make_room(alice, bob)
        game = start(alice, bob)
        results = at_once(*[partial(begin, game, alice)] * 3)
        assert not any(isinstance(result, Exception) for result in results), results
        assert Exploration.objects.filter(game=game).count() == 1
