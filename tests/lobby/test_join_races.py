"""Many at once before the start: exactly as many get in as there are seats."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError, connection

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from accounts.refusals import Refusal
from games.lobby import join_check
from games.lobby.game_start import start_as_host
from games.lobby.join_game import join, kick, leave
from games.lobby.rematch import start_rematch
from games.lobby.stale_games import CLOSE_AFTER, close_stale
from games.models import Game
from games.players import limits
from tests.support.games import play_to_the_end
from tests.support.simultaneous_calls import at_once, without_locks

pytestmark = pytest.mark.django_db(transaction=True)

CROWD = 50
ROUNDS = 4


@pytest.fixture
def crowd() -> list[User]:
    return [User.objects.create_user(f"player{number}") for number in range(CROWD)]


def outcomes(results: list[object]) -> Counter[str]:
    return Counter(type(result).__name__ for result in results)


def check(game: Game) -> Game:
    """The game as it is; its seats are numbered without a gap and counted rightly."""
    game = Game.objects.get(pk=game.pk)
    numbers = list(game.seats.values_list("number", flat=True))
    assert numbers == list(range(len(numbers)))
    assert game.seats_taken == len(numbers) <= game.max_players
    return game


def press_join(game: Game, crowd: list[User], seats: int) -> None:
    """Everybody presses Join at once: so many sit down, and the others read that all seats are taken."""
    results = at_once(*[partial(join, game_id=game.pk, user=user) for user in crowd])
    assert outcomes(results) == {"Game": seats, "TableFull": len(crowd) - seats}, outcomes(results)
    check(game)


def test_of_fifty_who_press_join_on_one_free_seat_exactly_one_gets_it(
    create: Callable[..., Game], alice: User, crowd: list[User]
) -> None:
    game = create(alice, most=2)
    press_join(game, crowd, 1)
    assert game.seats.exclude(user=alice).get().user in crowd


def test_of_fifty_at_a_table_for_six_five_sit_down_and_the_game_starts_once(
    create: Callable[..., Game], alice: User, crowd: list[User]
) -> None:
    game = create(alice, most=6, start=Game.Start.FULL)
    results = at_once(*[partial(join, game_id=game.pk, user=user) for user in crowd])
    # Who comes when the game runs already reads that.
    assert outcomes(results) == {"Game": 5, "GameNotOpen": CROWD - 5}
    assert check(game).is_running


def test_without_the_lock_the_crowd_would_be_noticed(
    create: Callable[..., Game], alice: User, crowd: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a door that does not lock."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    without_locks(monkeypatch)
    with pytest.raises((AssertionError, IntegrityError)):
        for _ in range(ROUNDS):
            press_join(create(alice, most=2), crowd[:12], 1)


def test_without_the_look_at_the_seats_the_crowd_would_be_noticed(
    create: Callable[..., Game], alice: User, crowd: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin on both databases: a door that asks nothing."""
    monkeypatch.setattr(join_check, "reason_against", lambda *nothing: None)
    with pytest.raises(AssertionError):
        press_join(create(alice, most=2), crowd[:6], 1)


def test_join_pressed_twice_at_once_is_one_seat(create: Callable[..., Game], alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        game = create(alice)
        results = at_once(*[partial(join, game_id=game.pk, user=bob)] * 8)
        assert outcomes(results) == {"Game": 8}
        assert check(game).seats_taken == 2


def test_who_joins_many_games_at_once_gets_no_more_than_the_limit(
    create: Callable[..., Game], alice: User, bob: User
) -> None:
    for _ in range(limits.MAX_UNFINISHED_GAMES - 3):
        create(bob)
    games = [create(alice) for _ in range(8)]
    results = at_once(*[partial(join, game_id=game.pk, user=bob) for game in games])
    assert outcomes(results) == {"Game": 3, "TooManyGames": 5}


def test_the_last_who_joins_and_the_host_who_starts_make_one_game(
    create: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    for _ in range(ROUNDS):
        game = create(alice, most=3)
        join(game_id=game.pk, user=bob)
        results = at_once(
            partial(join, game_id=game.pk, user=carol),
            *[partial(start_as_host, game_id=game.pk, by=alice)] * 3,
        )
        started = check(game)
        assert started.is_running
        # carol sits there, or read that the game had begun.
        assert type(results[0]).__name__ == ("Game" if started.seats_taken == 3 else "GameNotOpen")
        assert outcomes(results[1:]) == {"Game": 3}


def test_leaving_starting_and_kicking_at_once_leave_a_game_in_order(
    create: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    for _ in range(ROUNDS * 2):
        game = create(alice, most=4)
        for user in (bob, carol):
            join(game_id=game.pk, user=user)
        results = at_once(
            partial(leave, game_id=game.pk, user=alice),
            partial(leave, game_id=game.pk, user=bob),
            partial(kick, game_id=game.pk, user=carol, by=alice, reason="No."),
            partial(start_as_host, game_id=game.pk, by=alice),
        )
        unexpected = [r for r in results if isinstance(r, Exception) and not isinstance(r, Refusal)]
        assert unexpected == []
        after = check(game)
        if after.is_open:
            assert after.seats.filter(user=after.host).exists()
        elif after.is_running:
            assert after.seats_taken >= after.min_players
        else:
            assert after.seats_taken == 0


def test_when_all_ask_for_the_same_again_at_once_they_sit_at_one_table(
    start: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    old = play_to_the_end(start(alice, bob, carol))
    people = (alice, bob, carol)
    results = at_once(*[partial(start_rematch, game_id=old.pk, by=user) for user in people])
    assert outcomes(results) == {"Game": 3}
    assert len(set(results)) == 1
    game = check(Game.objects.get(rematch_of=old))
    assert {seat.user for seat in game.seats.all()} == set(people)


def test_a_crowd_of_sweepers_closes_a_game_once(create: Callable[..., Game], alice: User) -> None:
    game = create(alice)
    Game.objects.filter(pk=game.pk).update(opened=game.opened - CLOSE_AFTER)
    at_once(*[partial(close_stale, game_id=game.pk)] * 6)
    game.refresh_from_db()
    assert game.status == Game.Status.CLOSED


def test_who_deletes_the_account_and_joins_at_once_never_sits_there_as_nobody(
    create: Callable[..., Game], alice: User
) -> None:
    for number in range(ROUNDS):
        game = create(alice, most=6)
        people = [User.objects.create_user(f"leaver{number}{place}") for place in range(5)]
        # As each request reads the account for itself.
        joins = [partial(join, game_id=game.pk, user=user) for user in people]
        leaves = [partial(delete_account, User.objects.get(pk=user.pk)) for user in people]
        results = at_once(*[act for pair in zip(joins, leaves, strict=True) for act in pair])
        assert set(outcomes(results)) <= {"Game", "AccountClosed", "NoneType"}, outcomes(results)
        assert list(check(game).seats.values_list("user", flat=True)) == [alice.pk]
        assert not User.objects.filter(pk__in=[user.pk for user in people], is_active=True).exists()
