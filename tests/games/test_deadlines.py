"""Games with a pace: whose time runs until when, and what happens when it is over."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import queries, services, sweeper
from games.models import Game, Move
from games.services import playing, record

from .conftest import legal_move, play_on, whole_record
from .test_races import ROUNDS, at_once, check_log

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
PACE = {"pace": 86400}


@pytest.fixture
def game(start: Callable[..., Game], alice: User, bob: User) -> Game:
    """alice is to place a tile and has a day."""
    return start(alice, bob, preset="course", terms=PACE)


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


def move(game: Game, **how: Any) -> Move:
    """The decider's next move, by the person in the seat."""
    return services.play_move(
        game_id=game.pk,
        number=game.version + 1,
        seat=game.decider,
        move=legal_move(game),
        by=how.pop("by", game.asked),
        **how,
    )


# -- Whose time runs -----------------------------------------------------------------------------------


def test_each_decision_of_a_person_has_the_whole_time(clock: Any, game: Game) -> None:
    for _ in range(12):
        now = timezone.now()
        game.refresh_from_db()
        assert game.asked == game.seats.get(number=game.decider).user
        assert game.deadline == now + DAY
        clock.shift(timedelta(hours=5))
        play_on(game, 1)
        game = Game.objects.get(pk=game.pk)
        assert game.deadline == now + timedelta(hours=5) + DAY


def test_without_a_pace_there_is_no_deadline(start: Callable[..., Game], alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 5)
    assert game.deadline is None
    assert game.asked is not None


def test_a_computer_has_no_deadline(start: Callable[..., Game], alice: User) -> None:
    game = start(alice, "random", terms=PACE)
    for seed in range(30):
        game = play_on(game, 1, seed)
        seat = game.seats.get(number=game.decider)
        assert (game.deadline is None) == bool(seat.computer)
        assert game.asked == seat.user


def test_nobody_is_asked_and_no_time_runs_when_the_game_is_over(game: Game) -> None:
    game = play_on(game, 10_000)
    assert game.is_finished
    assert (game.asked, game.deadline) == (None, None)


def test_the_time_of_who_is_asked_goes_on_when_another_leaves_the_site(
    clock: Any, game: Game, bob: User
) -> None:
    deadline = game.deadline
    clock.shift(timedelta(hours=3))
    services.hand_over_seats(bob)
    game.refresh_from_db()
    assert game.deadline == deadline


def test_the_time_of_who_leaves_the_site_ends(game: Game, alice: User) -> None:
    services.hand_over_seats(alice)
    game.refresh_from_db()
    assert (game.asked, game.deadline) == (None, None)
    assert game.due is not None


# -- When it is over -----------------------------------------------------------------------------------


def test_nothing_happens_a_moment_before_the_time_is_over(clock: Any, game: Game) -> None:
    before = whole_record(game)
    clock.move_to(game.deadline - timedelta(microseconds=1))
    assert sweeper.sweep() == 0
    assert services.decide_overdue(game.pk, game.version) is False
    assert whole_record(game) == before


def test_when_the_time_is_over_a_computer_decides_this_once(clock: Any, game: Game, alice: User) -> None:
    clock.move_to(game.deadline)
    assert sweeper.sweep() == 1
    game.refresh_from_db()
    entry = game.moves.get()
    assert (entry.number, entry.kind, entry.seat) == (1, Move.Kind.MOVE, 0)
    assert (entry.author, entry.user) == (Move.Author.HOUSE, None)
    # The seat is still alice's, and so is the next decision, with the whole time.
    assert game.seats.get(number=0).user == alice
    assert (game.asked, game.deadline) == (alice, timezone.now() + DAY)
    assert sweeper.sweep() == 0
    move(game)


def test_the_log_says_for_whom_a_computer_decided(clock: Any, game: Game, client: Client) -> None:
    clock.move_to(game.deadline)
    sweeper.sweep()
    for address in (game.get_absolute_url(), f"{game.get_absolute_url()}log/"):
        page = client.get(address).content.decode()
        assert page.count("Time was up: a computer decided this once for alice.") == 1


def test_a_game_that_nobody_plays_any_more_goes_on_to_its_end_and_replays(clock: Any, game: Game) -> None:
    for _ in range(2000):
        game = Game.with_secrets.get(pk=game.pk)
        if game.is_finished:
            break
        clock.move_to(game.deadline + timedelta(seconds=1))
        assert sweeper.sweep() == 1
    assert game.is_finished
    assert set(game.moves.values_list("author", flat=True)) == {Move.Author.HOUSE}
    assert queries.replay(game).faults == []


def test_a_late_move_is_taken_as_long_as_nobody_has_decided(clock: Any, game: Game, alice: User) -> None:
    clock.move_to(game.deadline + timedelta(hours=1))
    entry = move(game)
    assert (entry.author, entry.user) == (Move.Author.PERSON, alice)
    assert services.decide_overdue(game.pk, 0) is False
    assert game.moves.count() == 1


def test_the_house_decides_for_people_whose_time_is_over_and_for_nobody_else(
    clock: Any, game: Game, start: Callable[..., Game], alice: User, bob: User
) -> None:
    timeless = start(alice, bob, preset="course")
    with pytest.raises(services.NotOverdue):
        move(game, by=None, overdue=True)
    clock.shift(DAY * 30)
    with pytest.raises(services.NotOverdue):
        move(timeless, by=None, overdue=True)
    computer = start("random", alice, preset="course", terms=PACE)
    with pytest.raises(services.NotYourSeat):
        move(computer, by=None, overdue=True)
    with pytest.raises(services.NotYourSeat):
        move(game, by=None)
    assert not Move.objects.exists()


def test_one_game_that_cannot_be_decided_does_not_keep_the_others_waiting(
    clock: Any, start: Callable[..., Game], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (start(alice, bob, preset="course", terms=PACE) for _ in range(2))
    decide = services.decide_overdue

    def fail(game_id: int, version: int) -> bool:
        if game_id == broken.pk:
            raise RuntimeError
        return decide(game_id, version)

    monkeypatch.setattr(services, "decide_overdue", fail)
    clock.shift(DAY)
    sweeper.sweep()
    assert [game.moves.count() for game in (broken, sound)] == [0, 1]


def test_the_table_shows_until_when_to_move(game: Game, client: Client) -> None:
    page = client.get(game.get_absolute_url()).content.decode()
    assert "move by" in page
    assert f'datetime="{game.deadline.isoformat()}"' in page


# -- Races ---------------------------------------------------------------------------------------------


def late_move_against_the_clock(game: Game) -> list[str]:
    """The person moves late while two sweepers decide: who made the one entry."""
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
    game = Game.objects.get(pk=game.pk)
    results = at_once(
        partial(move, game),
        partial(services.decide_overdue, game.pk, game.version),
        partial(services.decide_overdue, game.pk, game.version),
    )
    failures = [result for result in results if isinstance(result, Exception)]
    assert all(isinstance(failure, services.Stale) for failure in failures), failures
    after = Game.objects.get(pk=game.pk)
    assert after.version == game.version + 1
    check_log(after)
    return list(after.moves.filter(number=after.version).values_list("author", flat=True))


@pytest.mark.django_db(transaction=True)
def test_of_a_late_move_and_the_clock_exactly_one_is_made(game: Game) -> None:
    for seed in range(ROUNDS):
        assert late_move_against_the_clock(play_on(game, 1, seed))[0] in (
            Move.Author.PERSON,
            Move.Author.HOUSE,
        )


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_looks_neither_at_the_number_nor_at_the_time_would_be_noticed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: it decides whatever is asked when it comes to the door."""

    @transaction.atomic
    def decide(game_id: int, version: int) -> None:
        move(record.lock(game_id), by=None, overdue=True)

    monkeypatch.setattr(services, "decide_overdue", decide)
    monkeypatch.setattr(playing, "timezone", SimpleNamespace(now=lambda: timezone.now() + 2 * DAY))
    with pytest.raises(AssertionError):
        late_move_against_the_clock(game)


@pytest.mark.django_db(transaction=True)
def test_a_person_who_moves_in_time_is_never_overruled(game: Game) -> None:
    """The sweeper has read the game as overdue; before it comes to the door the person has moved."""
    for seed in range(ROUNDS):
        game = play_on(game, 1, seed)
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
        game = Game.objects.get(pk=game.pk)
        seen = game.version
        move(game)
        assert services.decide_overdue(game.pk, seen) is False
        with pytest.raises(services.NotOverdue), transaction.atomic():
            move(Game.objects.get(pk=game.pk), by=None, overdue=True)
        assert Game.objects.get(pk=game.pk).version == seen + 1
