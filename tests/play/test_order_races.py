"""Races of standing orders; most of them stand in tests/safety/stored_answer_races.py."""

from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from games.models import Game, LogEntry
from games.play.automation.standing_orders import save_order
from games.play.play_move import play_move
from tests.support.games import NewGame, make_room
from tests.support.merger_game import SEATED, TILE, before_a_merger, move
from tests.support.simultaneous_calls import at_once, check_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 5
SELL = {"trade": 0}
BOB = 1

Games = Callable[[], Game]


@pytest.fixture
def games(start: NewGame, alice: User, bob: User, carol: User) -> Games:
    """A function that makes one merger after the other; alice is to decide, then bob."""

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


def test_own_answer_equal_to_the_orders_is_the_same_success(games: Games, alice: User, bob: User) -> None:
    game = games()
    give(game, bob)()
    number = game.version + 2
    results = at_once(
        play(game, 0, alice, "dispose nothing"), *[play(game, BOB, bob, "dispose sell 5", number)] * 6
    )
    entries = [result for result in results[1:] if isinstance(result, LogEntry)]
    assert {entry.pk for entry in entries} <= {game.moves.get(number=number).pk}
    assert of_bob(game) == [("dispose sell 5", "order")]


def test_order_given_once_from_many_threads_answers_once(games: Games, bob: User) -> None:
    for _ in range(ROUNDS):
        game = move(games(), "dispose nothing")
        results = at_once(*[give(game, bob, once=True)] * 8)
        assert not errors(results), results
        assert of_bob(game) == [("dispose sell 5", "order")]
        assert game.orders.count() == 1
        check_log(game)
