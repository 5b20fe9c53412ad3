"""A game is reopened once, also while others count it, assess it, leave it or want a rematch."""

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from accounts.membership.account_deletion import delete_account
from accounts.models import AuditEntry, User
from accounts.refusals import Refusal
from games.analysis.assessment import assess_next_moves
from games.archive.replay import replay
from games.engine.bots.bot_levels import ADVISERS, BOTS
from games.engine.bots.move_estimate import Estimate, Rating
from games.lobby.rematch import start_rematch
from games.models import Game, GameOutcome, GameReview, MoveAssessment, RatingChange, Redeal, Result
from games.play import reopened_game
from games.play.play_move import play_move
from games.ratings.result_queue import count_results
from tests.moderation.actions.conftest import act, again, replays
from tests.support.games import NewGame, legal_move, play_on
from tests.support.rating_history import all_ratings, from_the_beginning
from tests.support.reopened_games import ended
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A rated game that a moderator ended with entry 13."""
    return ended(start(alice, bob, terms={"pace": 86_400, "visibility": "public", "rated": True}), 12)


def reopen(game: Game) -> Any:
    return partial(act, "roll-back", game, entry=5)


def test_game_is_reopened_once(game: Game) -> None:
    results = at_once(*[reopen(game)] * 4)
    done = [result for result in results if isinstance(result, AuditEntry)]
    refused = [result for result in results if not isinstance(result, AuditEntry)]
    assert len(done) == 1 and all(isinstance(error, Refusal) for error in refused), refused
    assert Redeal.objects.count() == 1 and again(game).version == 14
    assert replays(game)


def test_game_is_reopened_before_a_move_or_the_move_is_refused(game: Game) -> None:
    act("roll-back", game, entry=5)
    now = again(game)
    turn: dict[str, Any] = {"number": now.version + 1, "seat": now.seat_to_move, "text": legal_move(now)}
    move = partial(play_move, game_id=game.pk, by=now.waiting_for, **turn)
    results = at_once(move, partial(act, "roll-back", game, entry=2), move)
    assert isinstance(results[1], AuditEntry)
    assert all(isinstance(error, Refusal) for error in results if isinstance(error, Exception)), results
    assert Redeal.objects.count() == 2
    assert replays(game) and replay(again(game)).faults == []


def test_result_that_is_being_counted_is_withdrawn(game: Game) -> None:
    results = at_once(count_results, reopen(game), count_results)
    assert isinstance(results[1], AuditEntry), results
    assert not [result for result in results if isinstance(result, Exception)]
    count_results()
    assert GameOutcome.objects.get(game=game).places is None
    assert not RatingChange.objects.exists() and not Result.objects.exists()
    assert all_ratings() == from_the_beginning()


def test_rematch_and_reopened_game_stand_beside_each_other(game: Game, alice: User, bob: User) -> None:
    rematch = partial(start_rematch, game_id=game.pk, by=alice)
    results = at_once(rematch, reopen(game), partial(start_rematch, game_id=game.pk, by=bob))
    assert isinstance(results[1], AuditEntry)
    assert all(isinstance(error, Refusal) for error in results if isinstance(error, Exception)), results
    assert again(game).is_running and replays(game)
    assert Game.objects.filter(rematch_of=game).count() <= 1


def test_member_who_leaves_the_site_keeps_no_seat(game: Game, alice: User) -> None:
    results = at_once(partial(delete_account, alice), reopen(game))
    assert not [result for result in results if isinstance(result, Exception)], results
    assert again(game).is_running and replays(game)
    assert not game.seats.filter(user=alice).exists()
    assert game.moves.filter(text__startswith="computer takes").count() == 1


# -- A worker at the review ----------------------------------------------------------------------------


@pytest.fixture
def interrupted(game: Game, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game is reopened while a worker assesses its first decision."""

    def rate(seen: Any, legal: Any, played: Any, rng: Random, out_of_time: Any) -> Rating:
        if not Redeal.objects.exists():
            act("roll-back", game, entry=5)
        return Rating(Estimate(legal[0], 0.5, 100.0, 9), Estimate(played, 0.5, 100.0, 9))

    level = ADVISERS["acquire"]
    monkeypatch.setitem(BOTS["acquire"], level, replace(BOTS["acquire"][level], rate=rate))
    return game


def test_review_that_is_being_written_is_not_saved(interrupted: Game) -> None:
    assert not assess_next_moves(interrupted.pk)
    assert not GameReview.objects.exists() and not MoveAssessment.objects.exists()
    play_on(interrupted, 2)
    ended(interrupted)
    assert GameReview.objects.get(game=interrupted).rated == 0


def test_review_that_stays_is_detected(interrupted: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: a review of moves that were taken back."""
    monkeypatch.setattr("games.moderation.actions.rollback_action.withdraw_result", lambda game: None)
    with pytest.raises(AssertionError):
        test_review_that_is_being_written_is_not_saved(interrupted)


def test_seat_of_who_left_before_is_detected_without_replacement(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reopened_game, "replace_departed", lambda game: None)
    delete_account(alice)
    act("roll-back", game, entry=5)
    assert game.seats.filter(user=alice).exists()
