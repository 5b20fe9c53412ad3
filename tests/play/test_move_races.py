"""Many at once: exactly one gets in."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from accounts.models import User
from accounts.refusals import Refusal
from games.archive.replay import replay
from games.lobby.departures import leave_all_games
from games.models import Game
from games.play import turn_check
from games.play.bots.bot_moves import play_bot_move
from games.play.takebacks import take_back
from games.players import limits
from games.refusals import StalePosition, TooManyGames
from tests.support.games import legal_move, make_room, play_on
from tests.support.simultaneous_calls import ROUNDS, at_once, check_log, mover, without_locks

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 12


def all_moves(game: Game) -> list[str]:
    return [str(move) for move in game.rule_system.legal_moves(game.rule_system.state_from_json(game.state))]


def test_the_same_move_from_many_threads_is_made_once(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    game = start(alice, bob)
    for seed in range(ROUNDS):
        game = play_on(game, 1, seed)
        results = at_once(*[mover(game, legal_move(game))] * THREADS)
        assert {getattr(result, "number", result) for result in results} == {game.version + 1}
        check_log(game)


def one_of_many_is_made(game: Game) -> None:
    """Of many different moves for one decision at once, one is made and the others are late."""
    results = at_once(*[mover(game, move) for move in all_moves(game)[:THREADS]])
    made = [result for result in results if not isinstance(result, Exception)]
    refused = [result for result in results if isinstance(result, Exception)]
    assert len(made) == 1
    assert all(isinstance(error, StalePosition) for error in refused), refused
    check_log(game)


def test_of_different_moves_for_one_decision_exactly_one_is_made(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    game = start(alice, bob)
    for seed in range(ROUNDS):
        one_of_many_is_made(play_on(game, 1, seed))


def test_without_the_lock_the_race_would_be_noticed(
    start: Callable[..., Game], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a door that does not lock."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    without_locks(monkeypatch)
    game = start(alice, bob)
    with pytest.raises(AssertionError):
        for seed in range(20):
            one_of_many_is_made(play_on(game, 1, seed))


def test_without_the_look_at_the_number_a_late_move_would_be_noticed(
    start: Callable[..., Game], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin on both databases: a door that calls every late move a success."""
    monkeypatch.setattr(turn_check, "find_repeat", lambda game, number, *move: game.moves.get(number=number))
    with pytest.raises(AssertionError):
        one_of_many_is_made(start(alice, bob))


def test_two_workers_make_a_computer_s_move_once(start: Callable[..., Game], alice: User) -> None:
    game = start(alice, "random")
    for seed in range(30):
        game = play_on(game, 1, seed)
        if game.bot_due_at is None:
            continue
        version = game.version
        results = at_once(*[partial(play_bot_move, game.pk, version)] * 4)
        assert set(results) <= {True, False}
        assert True in results
        game = Game.with_secrets.get(pk=game.pk)
        assert game.version == version + 1
        check_log(game)


def test_a_seat_given_to_a_computer_while_its_owner_moves_stays_consistent(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    for _ in range(ROUNDS):
        game = start(alice, bob, "random")
        by = game.seats.get(number=game.seat_to_move).user
        if by is None:
            continue
        results = at_once(mover(game, legal_move(game)), partial(leave_all_games, by))
        assert all(
            result is None or not isinstance(result, Exception) or isinstance(result, Refusal)
            for result in results
        ), results
        check_log(game)
        make_room(alice)


def merger_of_three(start: Callable[..., Game], users: list[User]) -> tuple[Game, User]:
    """A game in which somebody has just begun a merger, and somebody else is asked; and who began it."""
    seed = 0
    game = start(*users, terms={"skips": False})
    while True:
        game, seed = play_on(game, 1, seed), seed + 1
        if game.seat_to_move is None:
            make_room(*users)
            game = start(*users, terms={"skips": False})
        elif game.decision_kind == "dispose":
            mover = game.seats.get(number=game.state["turn"]).user
            if game.moves.last().user == mover != game.waiting_for:
                return game, mover


def one_of_both_is_made(game: Game, mover_of_turn: User) -> None:
    """Of a step taken back and another's answer to it at once, one is made and the other is late."""
    back = partial(
        take_back,
        game_id=game.pk,
        number=game.version + 1,
        to=game.version - 1,
        by=mover_of_turn,
    )
    results = at_once(back, mover(game, legal_move(game)))
    made = [result for result in results if not isinstance(result, Exception)]
    refused = [result for result in results if isinstance(result, Exception)]
    assert len(made) == 1, results
    assert all(isinstance(error, StalePosition) for error in refused), refused
    check_log(game)
    assert replay(Game.with_secrets.get(pk=game.pk)).faults == []


def test_of_a_step_taken_back_and_another_s_answer_to_it_exactly_one_is_made(
    start: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    for _ in range(ROUNDS):
        one_of_both_is_made(*merger_of_three(start, [alice, bob, carol]))
        make_room(alice, bob, carol)


def test_without_the_lock_that_race_would_be_noticed(
    start: Callable[..., Game], alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a door that does not lock."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    games = []
    for _ in range(4):
        games.append(merger_of_three(start, [alice, bob, carol]))
        make_room(alice, bob, carol)
    without_locks(monkeypatch)
    with pytest.raises(AssertionError):
        for game, user in games:
            one_of_both_is_made(game, user)


def test_of_many_starts_at_once_only_those_within_the_limit_succeed(
    start: Callable[..., Game], alice: User
) -> None:
    most = limits.MAX_UNFINISHED_GAMES
    for _ in range(most - 2):
        start(alice, "random")
    results = at_once(*[lambda: start(alice, "random")] * 8)
    assert sum(isinstance(result, TooManyGames) for result in results) == 6
    assert Game.objects.filter(host=alice).count() == most
