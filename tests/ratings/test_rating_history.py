"""Ratings count games in the order of their end, each once, and come out the same from the beginning."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from openskill.models import PlackettLuce

from accounts.models import User
from games import sweeper, tasks
from games.models import Game, GameOutcome, Rating, RatingChange, RatingLedger, TaskFailure
from games.moderation.actions.listing_actions import MAKE_UNRATED
from games.play.seats.concession import concede
from games.ratings import rating_history, result_queue, skill_model
from games.ratings.rating_history import recount
from games.ratings.result_queue import count_results
from games.ratings.skill_model import CERTAIN, MU, points
from games.realtime import worker_queue
from tests.support.finished_games import finish, many_finished, users, won_by
from tests.support.games import NewGame
from tests.support.locks import without_row_locks
from tests.support.rating_history import (
    FIRST,
    all_ratings,
    counted_bit_by_bit,
    from_the_beginning,
    played,
    read,
    write,
)
from tests.support.simultaneous_calls import at_once
from tests.support.site_switches import turn
from tests.support.staff_actions import perform_action

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def of(user: User, players: int = 0, month: str = "") -> Rating:
    return Rating.objects.get(user=user, system="acquire", players=players, month=month)


# -- One game ------------------------------------------------------------------------------------------


def test_winner_gains_and_loser_loses_in_all_pools_of_the_game(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = won_by(start, alice, bob, carol)
    month = game.finished.strftime("%Y-%m")
    for players, of_month in ((0, ""), (3, ""), (0, month)):
        first, second, third = (of(user, players, of_month) for user in (alice, bob, carol))
        assert first.mu > second.mu > third.mu
        assert first.mu > MU > third.mu
        assert [one.games for one in (first, second, third)] == [1, 1, 1]
        assert [one.wins for one in (first, second, third)] == [1, 0, 0]
    assert Rating.objects.count() == 9
    change = RatingChange.objects.get(game=game, user=alice, players=0, month="")
    assert (change.mu_before, change.mu, change.rank) == (MU, of(alice).mu, 1)


def test_new_player_starts_provisional_at_1500(start: NewGame, alice: User, bob: User) -> None:
    assert points(MU) == 1500
    won_by(start, alice, bob)
    assert not of(alice).ranked
    for number in range(20):
        won_by(start, *((alice, bob) if number % 2 else (bob, alice)))
    assert of(alice).ranked
    assert of(alice).sigma < CERTAIN


# -- Once and in order ---------------------------------------------------------------------------------


def test_game_is_counted_once_however_often_it_is_requested(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob, count=False)
    assert not Rating.objects.exists()
    assert count_results() == 1
    once = all_ratings()
    assert count_results() == 0
    tasks.count_results()
    GameOutcome.objects.update(due=timezone.now())
    assert count_results() == 1
    assert all_ratings() == once
    assert RatingChange.objects.filter(game=game, user=alice, month="", players=0).count() == 1


def test_sweeper_counts_games_that_no_worker_has_read(start: NewGame, alice: User, bob: User) -> None:
    won_by(start, alice, bob, count=False)
    sweeper.sweep()
    assert not Rating.objects.exists()  # a worker is on it
    GameOutcome.objects.update(due=timezone.now() - 2 * sweeper.OVERDUE_AFTER)
    sweeper.sweep()
    assert of(alice).games == 1


def test_sweeper_leaves_counting_to_a_worker(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    won_by(start, alice, bob, count=False)
    GameOutcome.objects.update(due=timezone.now() - 2 * sweeper.OVERDUE_AFTER)
    monkeypatch.setattr(worker_queue, "request_result_count", lambda: True)
    sweeper.sweep()
    assert not Rating.objects.exists()


def test_finished_game_asks_a_worker(
    start: NewGame,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    asked = []
    monkeypatch.setattr(worker_queue, "request_result_count", lambda: asked.append(1))
    game = start(alice, bob, terms={"rated": True})
    with django_capture_on_commit_callbacks(execute=True):
        concede(game_id=game.pk, by=bob)
    assert asked == [1]


def test_unreadable_game_does_not_hold_up_others(
    start: NewGame, alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken = won_by(start, alice, bob, count=False)
    Game.with_secrets.filter(pk=broken.pk).update(state={})
    won_by(start, bob, alice, count=False)
    with caplog.at_level(logging.ERROR):
        assert count_results() == 1
    assert f"outcome of game {broken.pk}" in caplog.text
    assert TaskFailure.objects.get().task == "reading the result of a game"
    assert of(bob).wins == 1
    assert count_results() == 0


def test_late_game_counts_at_the_time_of_its_end(start: NewGame, alice: User, bob: User) -> None:
    late = won_by(start, alice, bob, count=False)
    GameOutcome.objects.update(due=None)
    for _ in range(3):
        won_by(start, bob, alice)
    GameOutcome.objects.filter(game=late).update(due=timezone.now())
    count_results()
    known = all_ratings()
    assert of(alice).games == 4
    assert RatingChange.objects.get(game=late, user=alice, players=0, month="").games == 1
    assert known == from_the_beginning()


def test_game_that_no_longer_counts_leaves_no_trace(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    games = [won_by(start, *pair) for pair in ((alice, bob), (carol, alice), (bob, alice))]
    Game.objects.filter(pk=games[1].pk).update(rated=False)
    GameOutcome.objects.filter(game=games[1]).update(due=timezone.now())
    count_results()
    assert not Rating.objects.filter(user=carol).exists()
    assert not RatingChange.objects.filter(game=games[1]).exists()
    assert of(alice).games == 2
    assert all_ratings() == from_the_beginning()


def test_games_that_ended_together_count_in_the_order_of_their_keys(alice: User) -> None:
    two = users(2)
    games = many_finished(alice, [FIRST, FIRST])
    write(games, [[[two[0].pk, 1], [two[1].pk, 2]], [[two[1].pk, 1], [two[0].pk, 2]]])
    read(games[1])
    read(games[0])
    known = all_ratings()
    assert RatingChange.objects.get(game=games[0], user=two[0], month="", players=0).games == 1
    assert known == from_the_beginning()


def test_command_rebuilds_the_same_ratings(
    start: NewGame, alice: User, bob: User, carol: User, capsys: pytest.CaptureFixture[str]
) -> None:
    for players in ((alice, bob), (bob, carol, alice), (carol, "medium")):
        won_by(start, *players)
    known = all_ratings()
    call_command("recount_ratings")
    assert all_ratings() == known
    told = capsys.readouterr().out
    assert "acquire: 3 games read, ratings made from 3 games" in told
    assert "acquire: 0 of 3 members have another rating than before\n" in told


def test_command_replaces_ratings_of_an_earlier_method_and_says_so(
    start: NewGame,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as before:
        before.setattr(skill_model, "_MODEL", PlackettLuce(beta=2.0))
        won_by(start, alice, bob)
        earlier = points(of(alice).mu)
    RatingLedger.objects.filter(system="acquire").update(method="an earlier one")
    assert rating_history.outdated_systems() == ["acquire"]
    call_command("recount_ratings", "--list")
    assert rating_history.outdated_systems() == []
    assert points(of(alice).mu) == 1579 != earlier
    told = capsys.readouterr().out
    assert f"acquire: 2 of 2 members have another rating than before, by {earlier - 1579} points" in told
    assert f"  alice: {earlier}, now 1579\n" in told


def test_command_reads_games_again(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob)
    GameOutcome.objects.filter(game=game).update(places=[[bob.pk, 1], [alice.pk, 2]])
    call_command("recount_ratings")
    assert (of(alice).wins, of(bob).wins) == (1, 0)


def test_interrupted_command_leaves_the_ratings_as_they_were(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    won_by(start, alice, bob)
    RatingLedger.objects.filter(system="acquire").update(method="an earlier one")
    known = all_ratings()
    with monkeypatch.context() as killed:
        killed.setattr(rating_history, "_write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            call_command("recount_ratings")
    assert all_ratings() == known
    assert rating_history.outdated_systems() == ["acquire"]
    call_command("recount_ratings")
    assert all_ratings() == known
    assert rating_history.outdated_systems() == []


def test_new_site_has_no_ratings_of_an_earlier_method(start: NewGame, alice: User, bob: User) -> None:
    won_by(start, alice, bob)
    assert rating_history.outdated_systems() == []


# -- Many games ----------------------------------------------------------------------------------------


def test_ratings_counted_in_batches_equal_those_from_the_beginning(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_history, "SLICE", 13)
    rng = Random(7)
    games = played(rng, alice, 150, users(20))
    counted_bit_by_bit(rng, games, 25)
    known = all_ratings()
    assert len(known[1]) > 1000
    assert known == from_the_beginning()


def test_counting_late_games_last_is_detected(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: a late game is added without going back."""

    def add(system: str, finished: datetime, game: int) -> None:
        games = GameOutcome.objects.filter(system=system, game=game)
        people = {
            who for [places] in games.values_list("places") for who, _ in places if isinstance(who, int)
        }
        rating_history._count(system, games, rating_history._now(system, people), people)

    monkeypatch.setattr(rating_history, "_count_from", add)
    games = played(Random(7), alice, 12, users(6))
    for game in reversed(games):
        read(game)
    assert all_ratings()[0] != from_the_beginning()[0]


# -- At once -------------------------------------------------------------------------------------------


def over(start: NewGame, *players: User) -> Game:
    game = start(*players, terms={"rated": True})
    return finish(game, [6000 - 1000 * n for n in range(len(players))])


@pytest.mark.django_db(transaction=True)
def test_games_that_end_at_once_all_count_once(start: NewGame, alice: User, bob: User, carol: User) -> None:
    for _ in range(3):
        games = [start(alice, bob, terms={"rated": True}) for _ in range(4)]
        games.append(start(alice, bob, carol, terms={"rated": True}))

        def end(game: Game, by: User) -> None:
            concede(game_id=game.pk, by=by)
            count_results()

        results = at_once(*(partial(end, game, bob) for game in games))
        assert not [result for result in results if isinstance(result, Exception)]
    count_results()
    assert of(bob).games == 12  # the game of three goes on
    known = all_ratings()
    assert known == from_the_beginning()


@pytest.mark.django_db(transaction=True)
def test_counting_without_the_lock_is_detected(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_row_locks(monkeypatch, RatingLedger)

    def end(game: Game) -> None:
        concede(game_id=game.pk, by=bob)
        count_results()

    for _ in range(10):
        results = at_once(*(partial(end, start(alice, bob, terms={"rated": True})) for _ in range(6)))
        if any(isinstance(result, Exception) for result in results):
            return
        if all_ratings() != from_the_beginning():
            return
    pytest.fail("Nothing went wrong without the lock.")


@pytest.mark.django_db(transaction=True)
def test_game_made_unrated_while_it_is_read_leaves_no_trace(start: NewGame, alice: User, bob: User) -> None:
    for _ in range(5):
        game = won_by(start, alice, bob, count=False)
        unrate = partial(perform_action, MAKE_UNRATED, game, None, "Two accounts.")
        results = at_once(count_results, unrate)
        assert not [result for result in results if isinstance(result, Exception)]
    count_results()
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_rebuild_includes_games_that_end_meanwhile(start: NewGame, alice: User, bob: User) -> None:
    def end(game: Game) -> None:
        concede(game_id=game.pk, by=bob)
        count_results()

    for number in range(1, 4):
        games = [start(alice, bob, terms={"rated": True}) for _ in range(3)]
        at_once(partial(recount, "acquire"), *(partial(end, game) for game in games))
        count_results()
        assert of(bob).games == 3 * number
        assert all_ratings() == from_the_beginning()


def test_unreadable_game_is_read_again_when_due(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob, count=False)
    GameOutcome.objects.filter(game=game).update(due=timezone.now() + timedelta(hours=1))
    assert count_results() == 0
    assert result_queue.has_due_results(timezone.now() + timedelta(hours=2))
    assert count_results(timezone.now() + timedelta(hours=2)) == 1


def test_command_finds_games_without_an_outcome(start: NewGame, alice: User, bob: User) -> None:
    """Left by code from before there were outcomes, while the site was upgraded."""
    won_by(start, alice, bob, count=False)
    GameOutcome.objects.all().delete()
    call_command("recount_ratings")
    assert of(alice).games == 1


def test_nothing_is_counted_on_a_read_only_site(start: NewGame, alice: User, bob: User) -> None:
    won_by(start, alice, bob, count=False)
    turn("reading")
    tasks.count_results()
    assert not Rating.objects.exists()
    turn("reading", "off")
    tasks.count_results()
    assert of(alice).games == 1
