"""Races of planned turns: a plan is followed once and as a whole, or not at all."""

from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from games.models import Game, PlannedTurn
from games.play.automation.planned_turns import keep_plan, withdraw_plan
from games.play.play_move import play_move
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.games import NewGame, make_room, put
from tests.support.locks import without_row_locks
from tests.support.planned_turns import board, log_of, play, who
from tests.support.simultaneous_calls import at_once, check_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 5
WHOLE = {"found": ["found tower"], "buy": ["buy 2 tower"]}
PLAYED = ["place 5A", "found tower", "buy 2 tower"]


@pytest.fixture
def games(start: NewGame, alice: User, bob: User, carol: User) -> Callable[[], Game]:
    """A function that makes a game in which seat 0 buys next, and seat 1 has the turn after it."""

    def games() -> Game:
        make_room(alice, bob, carol)
        state = position({"lone": "4A"}, hands=("1I 2I", "5A 9I", "1C 2C"), turn=0)
        return play(put(start(alice, bob, carol), state), "place 1I")

    return games


def buyer(game: Game) -> Callable[[], object]:
    """Make the purchase that ends the turn of seat 0."""
    number, by = game.version + 1, who(game, 0)
    return lambda: play_move(game_id=game.pk, number=number, seat=0, text="buy nothing", by=by)


def keeper(game: Game) -> Callable[[], object]:
    plan = {"tile": "5A", "board": board(game), "answers": WHOLE}
    return partial(keep_plan, game_id=game.pk, user=who(game, 1), plan=plan)


def texts(game: Game) -> list[str]:
    check_log(game)
    return [text for _seat, text, _origin in log_of(game)]


def check_plan_is_followed_once(game: Game) -> None:
    """Check that a plan kept while the turn before it ends is followed exactly once."""
    results = at_once(keeper(game), buyer(game), keeper(game))
    assert texts(game) == ["place 1I", "buy nothing", *PLAYED], results
    # A plan kept after its turn holds a tile that is gone, so it was refused.
    assert not PlannedTurn.objects.filter(game=game).exists()


def test_plan_kept_while_its_turn_comes_is_followed_once(games: Callable[[], Game]) -> None:
    for _ in range(ROUNDS):
        check_plan_is_followed_once(games())


def test_keeping_a_plan_without_the_lock_is_detected(
    games: Callable[[], Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_row_locks(monkeypatch)
    with pytest.raises(AssertionError):
        for _ in range(20):
            check_plan_is_followed_once(games())


def test_plan_withdrawn_while_its_turn_comes_is_followed_as_a_whole_or_not_at_all(
    games: Callable[[], Game],
) -> None:
    for _ in range(ROUNDS):
        game = games()
        keeper(game)()
        at_once(buyer(game), partial(withdraw_plan, game_id=game.pk, user=who(game, 1)))
        assert texts(game)[2:] in ([], PLAYED)
        assert not PlannedTurn.objects.filter(game=game).exists()


def test_either_the_plan_or_the_own_move_counts(games: Callable[[], Game]) -> None:
    for _ in range(ROUNDS):
        game = games()
        keeper(game)()
        user = who(game, 1)
        own = partial(play_move, game_id=game.pk, number=game.version + 2, seat=1, text="place 9I", by=user)
        at_once(buyer(game), own, own)
        assert texts(game)[2:] == PLAYED
