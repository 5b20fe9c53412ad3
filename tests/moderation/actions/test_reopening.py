"""Moderators reopen a finished game while its result is not final, and everything that followed is undone."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.moderation.sanctions import impose
from accounts.refusals import Refusal, TargetChanged
from games.analysis.exploration_steps import start_exploration
from games.archive.game_export import spectator_view
from games.archive.replay import redeals, replay
from games.lobby.game_start import start_game
from games.log.rulings import parse_ruling
from games.models import (
    Exploration,
    Game,
    GameOutcome,
    GameReview,
    InsightSum,
    MoveAssessment,
    Notification,
    RatingChange,
    Record,
    Redeal,
    Result,
)
from games.moderation.actions import rollback_action
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.moderation.actions.rollback_action import final_time
from games.moderation.integrity_check import examine
from games.notifications.outbox.last_check import _still_applies
from games.play.bots.bot_moves import play_bot_move
from games.play.finished_game import RESULT_FINAL_AFTER
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, vote_on_end
from games.play.takebacks import take_back, takeback_targets
from games.ratings.result_queue import count_results
from games.web.notifications import notification_text
from tests.moderation.actions.conftest import act, again, last_entry, replays, told
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, make_room, play_on, play_to_the_end
from tests.support.practice_tables import practise
from tests.support.rating_history import all_ratings, from_the_beginning
from tests.support.reopened_games import ended, reopened
from tests.support.reviewed_games import count

pytestmark = pytest.mark.django_db

DAY = 86_400
RATED: Any = {"pace": DAY, "visibility": "public", "rated": True}


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    """A rated game that a moderator ended with entry 21."""
    return ended(start(alice, bob, terms=RATED), 20)


def why_not(game: Game, mona: User, entry: int = 5) -> str:
    with pytest.raises(Refusal) as refused:
        act("roll-back", game, mona, entry=entry)
    return str(refused.value.message)


# -- The game continues --------------------------------------------------------------------------------


def test_game_goes_on_from_the_position_after_the_entry(over: Game, mona: User) -> None:
    audit = act("roll-back", over, mona, entry=12)
    game = again(over)
    ruling = parse_ruling(last_entry(game).text)
    assert (ruling.kind, ruling.number, game.version) == ("redeals", 12, 22)
    assert (game.status, game.finished, game.ending, game.ended_by_moderator) == ("running", None, "", False)
    assert audit.details == {"entry": 22, "undone": 8}
    assert not game.seats.exclude(ended=None).exists()
    assert replays(game)
    assert examine(game, timezone.now()) == []


def test_everybody_sees_the_position_that_it_was(over: Game, mona: User) -> None:
    with mock.patch.object(rollback_action, "new_seed", lambda: bytes(32)):
        act("roll-back", over, mona, entry=12)
    game = again(over)
    log = [entry for entry in game.moves.all() if entry.number <= 12]
    before = rollback_action.state_after(game, log)
    assert spectator_view(game) == game.rule_system.observe(before, None)
    after = game.rule_system.state_from_json(game.state)
    assert [len(hand) for hand in after.hands] == [len(hand) for hand in before.hands]
    assert after.hands != before.hands and after.bag != before.bag
    assert after.seed == bytes(32) and bytes(game.redeals.get().seed) == bytes(32)


def test_seed_is_a_new_one_each_time(over: Game, mona: User) -> None:
    act("roll-back", over, mona, entry=12)
    act("roll-back", ended(over, 4), mona, entry=12)
    hashes = [one.seed_hash for one in redeals(again(over))]
    assert len({*hashes, over.seed_hash}) == 3


def test_deal_by_the_known_seed_is_detected(over: Game, mona: User) -> None:
    """The twin: everybody could compute such hands."""
    with mock.patch.object(rollback_action, "new_seed", lambda: bytes(over.seed or b"")):
        act("roll-back", over, mona, entry=12)
    assert replay(again(over)).faults[0] == "entry 22: it deals again from a seed that was used before"


def test_decider_has_the_whole_time(over: Game, mona: User) -> None:
    with time_machine.travel(timezone.now() + timedelta(hours=20), tick=False):
        act("roll-back", over, mona, entry=12)
        game = again(over)
        assert game.waiting_for_id is not None
        assert game.deadline == timezone.now() + timedelta(days=1)


def test_bot_is_asked(start: NewGame, mona: User, alice: User) -> None:
    game = start(alice, "easy", terms=RATED)
    while again(game).bot_due_at is None:
        play_on(game, 1)
    entry = again(game).version
    game = ended(game, 3)
    act("roll-back", game, mona, entry=entry)
    now = again(game)
    assert now.bot_due_at is not None and now.deadline is None
    assert play_bot_move(now.pk, now.version)
    assert replays(game)


def test_game_without_hidden_tiles_is_not_dealt_again(mona: User, alice: User, bob: User) -> None:
    game = start_game(system="acquisition", preset="standard", host=alice, players=[alice, bob])
    game = ended(game, 10)
    act("roll-back", game, mona, entry=4)
    assert last_entry(game).text == "moderator reopens at 4"
    assert replays(game) and not Redeal.objects.exists()
    assert told(alice).count("reopen") == 1


def test_game_that_a_ruling_ended_goes_on_without_a_move_taken_back(over: Game, mona: User) -> None:
    action = GAME_ACTIONS["roll-back"]
    assert action.foresee is not None
    assert str(action.foresee(over, entry=20)).startswith("No move is taken back. The game")
    audit = act("roll-back", over, mona, entry=20)
    assert audit.details == {"entry": 22, "undone": 0}
    assert replays(over)
    assert play_on(over, 3).version == 25


def test_game_that_its_players_ended_can_be_ended_by_them_again(
    start: NewGame, mona: User, alice: User, bob: User
) -> None:
    game = play_on(start(alice, bob, terms=RATED), 10)
    propose_end(game_id=game.pk, by=alice, kind="standings")
    vote_on_end(game_id=game.pk, by=bob, kind="standings", yes=True)
    assert again(game).is_finished
    act("roll-back", game, mona, entry=8)
    assert again(game).is_running
    propose_end(game_id=game.pk, by=bob, kind="none")
    vote_on_end(game_id=game.pk, by=alice, kind="none", yes=True)
    assert again(game).ending == Game.Ending.NONE
    assert replay(again(game)).faults == []


def test_unrated_game_stays_unrated(over: Game, mona: User) -> None:
    act("make-unrated", over, mona)
    act("roll-back", over, mona, entry=12)
    game = again(over)
    assert game.is_running and not game.rated
    assert replays(game)


# -- Refusals ------------------------------------------------------------------------------------------


def test_final_result_stays(over: Game, mona: User) -> None:
    assert over.finished is not None
    with time_machine.travel(over.finished + RESULT_FINAL_AFTER - timedelta(seconds=1), tick=False):
        assert GAME_ACTIONS["roll-back"].against(over) is None
    with time_machine.travel(over.finished + RESULT_FINAL_AFTER, tick=False):
        sentence = why_not(over, mona)
    assert (
        sentence
        == f"The result has been final since {final_time(over)}. Make the game unrated, or delete it."
    )
    assert again(over).is_finished


def test_rollback_of_a_running_game_does_not_reopen_one_that_has_just_ended(
    start: NewGame, alice: User, bob: User, mona: User
) -> None:
    running = play_on(start(alice, bob, terms=RATED), 20)
    ended(running, 0)
    with pytest.raises(TargetChanged):
        GAME_ACTIONS["roll-back"].perform(running, by=mona, reason="They asked.", entry=5, seen=None)


def test_entry_from_the_end_on_is_refused(over: Game, mona: User) -> None:
    act("make-unrated", over, mona)
    for entry in (21, 22):
        assert why_not(over, mona, entry) == "The game ended with entry 21. Go back to an entry before it."
    act("roll-back", over, mona, entry=10)
    over = ended(over, 5)
    assert "entry 10 or earlier" in why_not(over, mona, 15)


def test_deleted_game_is_restored_first(over: Game, mona: User) -> None:
    act("delete", over, mona)
    assert why_not(over, mona) == "This game is deleted. Restore it first."
    act("restore", over, mona)
    act("roll-back", over, mona, entry=5)
    assert again(over).is_running


def test_concessions_stand(start: NewGame, mona: User, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms=RATED), 10)
    concede(game_id=game.pk, by=alice)
    assert "concessions stand" in why_not(game, mona)


def test_game_that_never_began_is_refused(create: NewGame, mona: User, alice: User) -> None:
    room = create(alice, visibility="public")
    act("cancel", room, mona)
    assert why_not(room, mona) == "This game is over."


def test_practice_table_is_left_to_its_host(mona: User, alice: User) -> None:
    game = ended(practise(alice), 0)
    assert "Its host can play again" in why_not(game, mona)


def test_player_does_not_reopen_the_own_game(over: Game, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    with pytest.raises(Refusal, match=wording.MODERATOR_IS_INVOLVED):
        act("roll-back", over, User.objects.get(pk=alice.pk), entry=5)


# -- What followed the end -----------------------------------------------------------------------------


def test_result_and_ratings_follow(start: NewGame, mona: User, alice: User, bob: User, carol: User) -> None:
    before = ended(start(alice, carol, terms=RATED), 12)
    game = play_to_the_end(start(alice, bob, terms=RATED))
    after = ended(start(bob, carol, terms=RATED), 12)
    count_results()
    make_room(alice, bob, carol)
    assert RatingChange.objects.filter(game=game).exists()
    assert Result.objects.filter(game=game).count() == 2 and Record.objects.filter(game=game).exists()

    act("roll-back", game, mona, entry=30)
    count_results()
    assert not RatingChange.objects.filter(game=game).exists()
    assert not Result.objects.filter(game=game).exists()
    assert not Record.objects.filter(game=game).exists()
    assert set(RatingChange.objects.values_list("game", flat=True)) == {before.pk, after.pk}
    assert all_ratings() == from_the_beginning()

    over = play_to_the_end(game, seed=7)
    count_results()
    outcome = GameOutcome.objects.get(game=game)
    assert outcome.finished == over.finished and outcome.due is None
    assert Result.objects.filter(game=game).count() == 2
    assert set(RatingChange.objects.filter(game=game).values_list("finished", flat=True)) == {over.finished}
    assert all_ratings() == from_the_beginning()
    assert replay(over).faults == []


def test_ratings_follow_even_if_nobody_counted_in_between(
    start: NewGame, mona: User, alice: User, bob: User, carol: User
) -> None:
    game = ended(start(alice, bob, terms=RATED), 12)
    ended(start(bob, carol, terms=RATED), 12)
    count_results()
    act("roll-back", game, mona, entry=6)
    over = ended(game, 4)
    count_results()
    assert set(RatingChange.objects.filter(game=game).values_list("finished", flat=True)) == {over.finished}
    assert all_ratings() == from_the_beginning()


def test_review_and_explorations_are_withdrawn(over: Game, mona: User, alice: User) -> None:
    review = GameReview.objects.get(game=over)
    MoveAssessment.objects.create(
        game=over, number=3, seat=0, best="pass", chance=0, best_chance=0, lead=0, best_lead=0
    )
    start_exploration(game=over, user=alice, seat=None, seen=spectator_view(over), version=21)
    act("roll-back", over, mona, entry=12)
    assert not GameReview.objects.exists() and not MoveAssessment.objects.exists()
    assert not Exploration.objects.exists()
    ended(over, 2)
    assert GameReview.objects.get(game=over).pk != review.pk


def test_decisions_of_members_and_levels_leave_the_insights(
    start: NewGame, mona: User, alice: User, bob: User
) -> None:
    game = ended(start(alice, bob, "medium", terms={"pace": DAY}), 20)
    count(game)
    assert set(InsightSum.objects.values_list("level", flat=True)) == {"", "medium"}
    act("roll-back", game, mona, entry=6)
    assert not InsightSum.objects.exists()


def test_players_are_told(over: Game, mona: User, alice: User, bob: User) -> None:
    act("roll-back", over, mona, entry=12)
    for user in (alice, bob):
        assert told(user).count("redeal") == 1
        assert told(user, state="waiting").count("finished") == 0
    news = Notification.objects.filter(game=over, moderator_action="redeal").first()
    assert news is not None
    assert notification_text.subject(news) == "The game continues with new tiles"
    assert "dealt again, because everyone had seen them" in notification_text.sentence(news)
    asked = again(over).waiting_for
    assert asked is not None
    assert told(asked, version=22, state="waiting").count("decision") == 1


def test_news_of_the_end_is_not_sent_any_more(over: Game, mona: User) -> None:
    row = Notification.objects.filter(game=over, kind="finished").first()
    assert row is not None and _still_applies(row)
    act("roll-back", over, mona, entry=12)
    assert not _still_applies(Notification.objects.get(pk=row.pk))


def test_pages_of_the_end_are_gone(over: Game, mona: User, client: Client) -> None:
    act("roll-back", over, mona, entry=12)
    for name in ("game-review", "picture", "picture-png"):
        assert client.get(reverse(name, args=[over.public_id])).status_code == 404, name
    assert client.get(reverse("finished-games")).content.decode().count(over.public_id) == 0
    table = client.get(reverse("game", args=[over.public_id])).content.decode()
    assert "dealt again, because everyone had seen them" in table


def test_first_end_by_the_rules_can_still_be_looked_at(
    start: NewGame, mona: User, alice: User, bob: User, client: Client
) -> None:
    game = play_to_the_end(start(alice, bob, terms=RATED, holdings="hidden"))
    end = game.version
    act("roll-back", game, mona, entry=end - 30)
    play_on(game, 2)
    for reader in (client, client_of(alice)):
        for number in (end - 31, end - 1, end, end + 1, end + 3):
            answer = reader.get(reverse("past-position", args=[game.public_id, number]))
            assert answer.status_code == 200, number
            assert reader.get(reverse("api-position", args=[game.public_id, number])).status_code == 200


# -- Seats ---------------------------------------------------------------------------------------------


def test_bots_take_the_seats_of_who_left_since(
    start: NewGame, mona: User, alice: User, bob: User, carol: User
) -> None:
    game = ended(start(alice, bob, carol, terms=RATED), 10)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    impose(carol, Sanction.Kind.BAN, reason="Insults.", by=None)
    act("roll-back", game, mona, entry=4)
    now = again(game)
    seats = {seat.number: seat for seat in now.seats.all()}
    assert [seat.user_id for seat in seats.values() if seat.user_id] == [alice.pk]
    assert sum(bool(seat.bot_level) for seat in seats.values()) == 2
    assert now.waiting_for_id in (None, alice.pk)
    assert (now.bot_due_at is None) == (now.waiting_for_id is not None)
    assert list(game.moves.filter(number__gt=12).values_list("text", flat=True)) == [
        f"computer takes {number}" for number, seat in seats.items() if seat.bot_level
    ]
    assert replays(game)


# -- Going back behind a deal --------------------------------------------------------------------------


@pytest.fixture
def dealt_again(over: Game, mona: User) -> Game:
    """The game goes on from entry 12 since entry 22, and has five moves more."""
    act("roll-back", over, mona, entry=12)
    return play_on(over, 5, seed=4)


def test_rollback_behind_the_deal_deals_again(dealt_again: Game, mona: User, alice: User) -> None:
    act("roll-back", dealt_again, mona, entry=12)
    game = again(dealt_again)
    first, second = redeals(game)
    assert (first.number, second.number) == (22, 28)
    assert first.seed_hash != second.seed_hash
    assert replays(game) and replay(game).faults == []
    assert told(alice).count("redeal") == 2


def test_rollback_after_the_deal_keeps_the_hands(dealt_again: Game, mona: User) -> None:
    action = GAME_ACTIONS["roll-back"]
    assert action.foresee is not None
    assert "dealt again" in str(action.foresee(dealt_again, entry=12))
    assert str(action.foresee(dealt_again, entry=22)) == wording.TAKES_BACK_MOVES.format(n=5)
    act("roll-back", dealt_again, mona, entry=22)
    assert last_entry(dealt_again).text == "moderator goes back to 22"
    assert len(redeals(again(dealt_again))) == 1
    assert replays(dealt_again)


def test_nobody_takes_back_what_came_before_the_deal(
    start: NewGame, mona: User, alice: User, bob: User
) -> None:
    """The player would have the hand that everybody knows."""
    game = start(alice, bob, terms=RATED)
    while True:
        game = play_on(game, 1, seed=game.version)
        seat = game.seats.get(number=game.seat_to_move)
        targets = takeback_targets(game, seat, seat.number, list(game.moves.all()))
        if targets:
            break
    entry, player = game.version, seat.user
    act("roll-back", ended(game, 3), mona, entry=entry)
    now = again(game)
    assert now.waiting_for_id == player.pk
    assert takeback_targets(now, seat, seat.number, list(now.moves.all())) == []
    with pytest.raises(Refusal):
        take_back(game_id=game.pk, number=now.version + 1, to=targets[0], by=player)


# -- The desk ------------------------------------------------------------------------------------------


@pytest.fixture
def desk(mona: User) -> Iterator[Client]:
    User.objects.filter(pk=mona.pk).update(is_superuser=True)
    yield client_of(User.objects.get(pk=mona.pk))


def test_page_of_the_game_says_until_when_it_can_be_reopened(over: Game, desk: Client) -> None:
    page = desk.get(reverse("admin:games_game_change", args=[over.pk])).content.decode()
    assert "Result is final" in page
    assert f"{reverse('admin:games_game_act', args=[over.pk, 'roll-back'])}?entry=" in page


def test_form_says_what_will_happen(over: Game, desk: Client) -> None:
    address = reverse("admin:games_game_act", args=[over.pk, "roll-back"])
    page = desk.get(address, {"entry": "12"}).content.decode()
    assert f"{wording.TAKES_BACK_MOVES.format(n=8)} The game continues." in page
    assert f"You can reopen it until {final_time(over)}, when the result is final." in page
    assert "All hands and the bag are dealt again from a new seed" in page


def test_reopening_twice_is_refused_as_seen_before(over: Game, mona: User) -> None:
    seen = over.version
    act("roll-back", over, mona, entry=12, seen=seen)
    with pytest.raises(Refusal, match=wording.GAME_HAS_MOVED_ON):
        act("roll-back", over, mona, entry=12, seen=seen)


def test_game_can_be_reopened_again_and_again(over: Game, mona: User) -> None:
    for entry in (18, 9, 3):
        game = reopened(over, entry)
        assert replays(game)
        ended(game, 4, seed=entry)
    assert replay(again(over)).faults == []
