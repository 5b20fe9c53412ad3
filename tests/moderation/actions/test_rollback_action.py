"""Moderators roll a game back: the moves stay in the log, and play continues from before them."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.archive.replay import replay
from games.log import positions
from games.log.end_proposals import open_proposal
from games.log.positions import standing_moves
from games.models import Game
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.play.bots.bot_moves import play_bot_move
from games.play.game_view import game_view
from games.play.play_move import play_move
from games.play.seats.end_votes import propose_end
from games.refusals import NotYourDecision, StalePosition
from games.web.text.log_view import entry as in_words
from games.web.text.seat_names import table_persons
from tests.moderation.actions.conftest import REASON, act, again, last_entry, replays, told
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, legal_move, play_on
from tests.support.staff_actions import hidden_fields, shown_for

pytestmark = pytest.mark.django_db

DAY = 86_400


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms={"pace": DAY}), 20)


def state_after(game: Game, number: int) -> object:
    moves = [move for move in standing_moves(game.moves.all()) if move.number <= number]
    return game.rule_system.state_to_json(positions.state_after(game, moves))


@pytest.mark.parametrize("to", [0, 1, 7, 19])
def test_rollback_restores_the_position_after_the_entry(to: int, game: Game, mona: User) -> None:
    before = state_after(game, to)
    audit = act("roll-back", game, mona, entry=to)
    now = again(game)
    assert now.rule_system.state_to_json(now.rule_system.state_from_json(now.state)) == before
    assert (last_entry(game).text, now.version) == (f"moderator goes back to {to}", 21)
    assert audit.details == {"entry": 21, "undone": 20 - to}
    assert replays(game)
    assert replay(now).faults == []


def test_play_continues_to_the_end_after_a_rollback(game: Game, mona: User) -> None:
    act("roll-back", game, mona, entry=5)
    over = play_on(game, 10_000, seed=7)
    assert over.is_finished
    assert replay(over).faults == []


def test_rollback_notifies_everybody_and_asks_the_decider_again(
    game: Game, mona: User, alice: User, bob: User
) -> None:
    act("roll-back", game, mona, entry=2)
    now = again(game)
    assert told(alice).count("roll-back") == told(bob).count("roll-back") == 1
    asked = now.waiting_for
    assert asked is not None
    assert told(asked, version=now.version, state="waiting").count("decision") == 1


def test_log_strikes_through_moves_that_were_rolled_back(game: Game, mona: User, alice: User) -> None:
    act("roll-back", game, mona, entry=17)
    look = game_view(game.public_id, alice)
    assert look is not None and look.gone == {18, 19, 20}
    said = in_words(last_entry(game), table_persons(look.seats), look.seat).text
    assert said == f"{wording.TOOK_BACK.format(who='A moderator')} Reason: {REASON}"


def test_decider_has_the_whole_time_after_a_rollback(game: Game, mona: User) -> None:
    with time_machine.travel(timezone.now() + timedelta(hours=20), tick=False):
        act("roll-back", game, mona, entry=4)
        assert again(game).deadline == timezone.now() + timedelta(days=1)


def test_rollback_restores_the_time_banks(start: NewGame, mona: User, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"pace": 60, "bank": 3600})
    at = timezone.now()
    for minutes in range(6):
        with time_machine.travel(at + timedelta(minutes=10 * minutes), tick=False):
            play_on(game, 1)
    with time_machine.travel(at + timedelta(hours=1), tick=False):
        act("roll-back", game, mona, entry=0)
        for seat in again(game).seats.all():
            shown = game.moves.filter(seat=seat.number, time_left__isnull=False).values_list(
                "time_left", flat=True
            )
            assert seat.time_bank_left is None or not shown or seat.time_bank_left >= shown[0]
        asked = again(game)
        assert asked.deadline - timezone.now() >= timedelta(minutes=59)


def test_rollback_repairs_a_broken_position(game: Game, mona: User) -> None:
    Game.all_games.filter(pk=game.pk).update(state={"broken": True})
    act("roll-back", game, mona, entry=18)
    assert replays(game)
    play_on(game, 3)


def test_rollback_without_a_move_to_undo_is_refused(game: Game, mona: User) -> None:
    with pytest.raises(Refusal, match="no move after this entry to take back"):
        act("roll-back", game, mona, entry=20)
    with pytest.raises(Refusal, match="20 entries"):
        act("roll-back", game, mona, entry=21)
    act("roll-back", game, mona, entry=10)
    with pytest.raises(Refusal, match="no move after this entry to take back"):
        act("roll-back", game, mona, entry=10)
    play_on(game, 2)
    with pytest.raises(Refusal, match="entry 10 or earlier"):
        act("roll-back", game, mona, entry=15)
    assert again(game).version == 23


def test_rollback_drops_an_end_proposal(game: Game, mona: User, alice: User) -> None:
    propose_end(game_id=game.pk, by=alice, kind="standings")
    act("roll-back", game, mona, entry=3)
    now = again(game)
    assert open_proposal(now, list(now.seats.all())) is None


def test_bot_moves_after_a_rollback_to_its_decision(start: NewGame, mona: User, alice: User) -> None:
    game = play_on(start(alice, "easy"), 12)
    for number in range(11, -1, -1):
        act("roll-back", game, mona, entry=number)
        now = again(game)
        assert (now.bot_due_at is None) == (now.waiting_for_id is not None)
        if now.bot_due_at is not None:
            assert play_bot_move(now.pk, now.version)
            assert replays(game)
            return
    raise AssertionError("No computer was asked in twelve moves.")


def test_move_from_before_a_rollback_is_stale(game: Game, mona: User) -> None:
    before, move = again(game), legal_move(game)
    act("roll-back", game, mona, entry=2)
    with pytest.raises((StalePosition, NotYourDecision)):
        play_move(
            game_id=game.pk,
            number=before.version + 1,
            seat=before.seat_to_move or 0,
            text=move,
            by=before.waiting_for,
        )


def test_confirmation_says_how_many_moves_are_undone(game: Game) -> None:
    action = GAME_ACTIONS["roll-back"]
    assert action.foresee is not None
    assert action.foresee(again(game), entry=19) == "This takes back 1 move, which stays in the log."
    assert action.foresee(again(game), entry=5) == wording.TAKES_BACK_MOVES.format(n=15)
    with pytest.raises(Refusal, match="no move after this entry to take back"):
        action.foresee(again(game), entry=20)


# -- Confirmation --------------------------------------------------------------------------------------


@pytest.fixture
def desk(mona: User) -> Client:
    mona.user_permissions.add(Permission.objects.get(codename="view_game"))
    client = client_of(mona)
    return client


def test_rollback_of_a_game_that_has_moved_on_is_confirmed_again(game: Game, desk: Client) -> None:
    address = reverse("admin:games_game_act", args=[game.pk, "roll-back"])
    filled_in = {"entry": "18", "reason": REASON}
    shown = shown_for(desk, address, filled_in).content.decode()
    assert "This takes back 2 moves" in shown
    play_on(again(game), 1, seed=3)
    answer = desk.post(address, {**filled_in, **hidden_fields(shown), "confirm": "Do it"}, follow=True)
    fresh = answer.content.decode()
    assert answer.status_code == 409
    assert wording.MOVED_ON_NOTHING_DONE in fresh and "This takes back 3 moves" in fresh
    assert again(game).version == 21
    done = desk.post(address, {**filled_in, **hidden_fields(fresh), "confirm": "Do it"})
    assert done.status_code == 302
    assert last_entry(game).text == "moderator goes back to 18"
    # The last form sent again is the same success.
    assert desk.post(address, {**filled_in, **hidden_fields(fresh), "confirm": "Do it"}).status_code == 302
    assert again(game).version == 22


@pytest.mark.parametrize("action", ["replace-by-computer", "replace-by-member"])
def test_replacement_in_a_game_that_has_moved_on_is_confirmed_again(
    action: str, game: Game, desk: Client, carol: User
) -> None:
    address = reverse("admin:games_game_act", args=[game.pk, action])
    filled_in = {"seat": "1", "level": "easy", "back": "no", "member": "carol", "reason": REASON}
    shown = shown_for(desk, address, filled_in).content.decode()
    play_on(again(game), 1, seed=3)
    answer = desk.post(address, {**filled_in, **hidden_fields(shown), "confirm": "Do it"}, follow=True)
    assert answer.status_code == 409
    assert wording.MOVED_ON_NOTHING_DONE in answer.content.decode().replace("this is", "This is")
    assert again(game).version == 21


def test_confirmation_without_a_version_is_shown_again(game: Game, desk: Client) -> None:
    address = reverse("admin:games_game_act", args=[game.pk, "roll-back"])
    sure = {"entry": "18", "reason": REASON, "form": str(uuid4()), "confirm": "Do it"}
    for seen in ({}, {"seen": "x"}, {"seen": "²"}):
        assert desk.post(address, {**sure, **seen}, follow=True).status_code == 409
    assert again(game).version == 20
