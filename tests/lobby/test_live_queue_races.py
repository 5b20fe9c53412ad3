"""Races for a live game: two matchers, two tabs, and members who sit down elsewhere meanwhile."""

from collections.abc import Callable, Collection
from functools import partial
from time import sleep
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.clocks.site_presence import SEEN_MARK
from games.lobby import live_queue
from games.lobby.game_start import start_game
from games.models import Game, Heartbeat, QueuedPlayer, Seat
from games.refusals import NotQueued
from tests.support.games import make_room
from tests.support.locks import without_row_locks
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 6


def enter(user: User) -> QueuedPlayer:
    return live_queue.enter(user=user, pace="fast", least=2, most=2, patience=None, level="")


def enter_and_match(user: User) -> list[Game]:
    enter(user)
    return live_queue.match()


def start_elsewhere(user: User) -> Game:
    return start_game(
        system="acquire", preset="classic", host=user, players=[user, "random"], pace=30, bank=180
    )


def seats_by_person() -> dict[str, int]:
    """The number of live games of each person who plays in any."""
    found: dict[str, int] = {}
    for name in Seat.objects.filter(ended=None, user__isnull=False).values_list("user__username", flat=True):
        found[name] = found.get(name, 0) + 1
    return found


def race(people: list[User], *calls: Callable[[], Any]) -> dict[str, int]:
    """Make the calls at once; return the number of games in which each person then sits."""
    results = at_once(*calls)
    errors = [result for result in results if isinstance(result, Exception)]
    assert all(type(error).__name__ == "AlreadyInLiveGame" for error in errors), errors
    sitting = seats_by_person()
    live_queue.waiting().delete()
    make_room(*people)
    Game.objects.filter(status=Game.Status.OPEN).delete()
    return sitting


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each matcher take its time between reading who waits and seating them."""
    check = live_queue.check_joining

    def check_slowly(game: Game, user: User) -> None:
        sleep(0.1)
        check(game, user)

    monkeypatch.setattr(live_queue, "check_joining", check_slowly)


def two_matchers(alice: User, bob: User) -> dict[str, int]:
    enter(alice)
    enter(bob)
    return race([alice, bob], *[live_queue.match] * 4)


def test_several_matchers_make_one_game(slowly: None, alice: User, bob: User) -> None:
    for _round in range(ROUNDS):
        assert two_matchers(alice, bob) == {"alice": 1, "bob": 1}


def test_several_matchers_without_a_lock_are_detected(
    monkeypatch: pytest.MonkeyPatch, slowly: None, alice: User, bob: User
) -> None:
    without_row_locks(monkeypatch, Game, QueuedPlayer, User)
    assert any(two_matchers(alice, bob) != {"alice": 1, "bob": 1} for _round in range(ROUNDS))


def test_two_tabs_of_one_member_take_one_seat(alice: User, bob: User) -> None:
    for _round in range(ROUNDS):
        enter(bob)
        sitting = race([alice, bob], *[partial(enter_and_match, alice)] * 3)
        assert sitting == {"alice": 1, "bob": 1}


def test_member_who_starts_a_live_game_meanwhile_plays_no_running_one_beside_a_found_one(
    alice: User, bob: User
) -> None:
    for _round in range(ROUNDS):
        enter(alice)
        enter(bob)
        at_once(live_queue.match, partial(start_elsewhere, alice), live_queue.match)
        found = Game.objects.filter(ready_by__isnull=False).first()
        assert (found is None) == live_queue.waiting().filter(user=bob).exists()
        assert not live_queue.waiting().filter(user=alice).exists()
        live_queue.waiting().delete()
        make_room(alice, bob)
        Game.objects.filter(status=Game.Status.OPEN).delete()
        Game.objects.filter(status=Game.Status.RUNNING).update(seconds_per_move=86400)


def test_answer_to_the_offer_while_the_round_takes_the_member_out_is_refused(
    monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    take_out = live_queue._take_out

    def take_out_slowly(users: Collection[int]) -> int:
        sleep(0.2)
        return take_out(users)

    monkeypatch.setattr(live_queue, "_take_out", take_out_slowly)
    enter(alice)
    now, long_ago = timezone.now(), timezone.now() - 2 * live_queue.GONE_AFTER
    QueuedPlayer.objects.update(seen_at=long_ago)
    Heartbeat.objects.create(name=SEEN_MARK, at=now, detail=long_ago.isoformat())

    def answer_then() -> None:
        sleep(0.1)
        live_queue.answer_offer(user=alice, level="easy")

    _out, answer = at_once(partial(live_queue.take_out_gone, now), answer_then)
    assert isinstance(answer, NotQueued)


def test_leaving_and_matching_at_once_lose_nobody(alice: User, bob: User) -> None:
    for _round in range(ROUNDS):
        enter(alice)
        enter(bob)
        left, _made = at_once(partial(live_queue.leave, user=alice), live_queue.match)
        assert left == (not Game.objects.filter(ready_by__isnull=False).exists())
        assert live_queue.waiting().filter(user=bob).exists() == left
        live_queue.waiting().delete()
        make_room(alice, bob)
        Game.objects.filter(status=Game.Status.OPEN).delete()
