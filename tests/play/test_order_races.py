"""Orders, answers of one's own and withdrawals at the same moment: one of them counts, once."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from accounts.models import User
from games.models import Game, LogEntry
from games.play.automation.standing_orders import save_order, withdraw_order
from games.play.play_move import play_move
from games.refusals import StalePosition
from tests.support.games import make_room
from tests.support.merger_game import SEATED, TILE, before_a_merger, move
from tests.support.simultaneous_calls import at_once, check_log, without_locks

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5
SELL = {"trade": 0}
BOB = 1

Games = Callable[[], Game]


@pytest.fixture
def games(start: Callable[..., Game], alice: User, bob: User, carol: User) -> Games:
    """Merger after merger; alice is to decide, then bob."""

    def next_game() -> Game:
        make_room(alice, bob, carol)
        return move(before_a_merger(start(alice, bob, carol, **SEATED)), TILE)

    return next_game


def give(game: Game, by: User, **more: bool) -> Callable[[], object]:
    return partial(save_order, game_id=game.pk, by=by, terms=SELL, **{"once": False, **more})


def play(game: Game, seat: int, by: User, text: str, number: int = 0) -> Callable[[], object]:
    place = number or game.version + 1
    return partial(play_move, game_id=game.pk, number=place, seat=seat, text=text, by=by)


def of_bob(game: Game) -> list[tuple[str, str]]:
    return list(game.moves.filter(seat=BOB).values_list("text", "origin"))


def errors(results: list[object]) -> list[object]:
    return [result for result in results if isinstance(result, Exception)]


def an_order_and_an_answer_at_once(game: Game, bob: User) -> None:
    """bob answers on his phone while an order of his arrives from his desk."""
    results = at_once(*[give(game, bob)] * 4, *[play(game, BOB, bob, "dispose nothing")] * 4)
    assert all(isinstance(error, StalePosition) for error in errors(results)), results
    assert of_bob(game) in ([("dispose nothing", "")], [("dispose sell 5", "order")])
    check_log(game)


def test_of_an_order_and_an_answer_of_one_s_own_exactly_one_counts(games: Games, bob: User) -> None:
    for _ in range(ROUNDS):
        an_order_and_an_answer_at_once(move(games(), "dispose nothing"), bob)


def test_without_the_lock_the_race_would_be_noticed(
    games: Games, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a door that does not lock."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    waiting = [move(games(), "dispose nothing") for _ in range(12)]
    without_locks(monkeypatch)
    with pytest.raises(AssertionError):
        for game in waiting:
            an_order_and_an_answer_at_once(game, bob)


def test_a_late_answer_of_one_s_own_comes_too_late(games: Games, alice: User, bob: User) -> None:
    """bob's page is old or ahead of its time: he answers in the moment in which the order does."""
    for _ in range(ROUNDS):
        game = games()
        give(game, bob)()
        results = at_once(
            play(game, 0, alice, "dispose nothing"),
            *[play(game, BOB, bob, "dispose nothing", game.version + 2)] * 6,
        )
        assert all(isinstance(error, StalePosition) for error in errors(results)), results
        assert of_bob(game) == [("dispose sell 5", "order")]
        check_log(game)


def test_the_same_answer_as_the_order_s_is_the_same_success(games: Games, alice: User, bob: User) -> None:
    game = games()
    give(game, bob)()
    number = game.version + 2
    results = at_once(
        play(game, 0, alice, "dispose nothing"), *[play(game, BOB, bob, "dispose sell 5", number)] * 6
    )
    entries = [result for result in results[1:] if isinstance(result, LogEntry)]
    assert {entry.pk for entry in entries} <= {game.moves.get(number=number).pk}
    assert of_bob(game) == [("dispose sell 5", "order")]


def test_an_order_that_is_withdrawn_while_it_is_called_for_answers_or_is_gone(
    games: Games, alice: User, bob: User
) -> None:
    for _ in range(ROUNDS):
        game = games()
        give(game, bob)()
        withdraw = partial(withdraw_order, game_id=game.pk, by=bob, about="")
        results = at_once(play(game, 0, alice, "dispose nothing"), *[withdraw] * 4)
        assert not errors(results), results
        assert sum(result is True for result in results) == 1
        game.refresh_from_db()
        assert not game.orders.exists()
        assert of_bob(game) == ([] if game.waiting_for == bob else [("dispose sell 5", "order")])
        check_log(game)


def test_an_order_for_once_that_comes_from_many_threads_answers_once(games: Games, bob: User) -> None:
    for _ in range(ROUNDS):
        game = move(games(), "dispose nothing")
        results = at_once(*[give(game, bob, once=True)] * 8)
        assert not errors(results), results
        assert of_bob(game) == [("dispose sell 5", "order")]
        assert game.orders.count() == 1
        check_log(game)
