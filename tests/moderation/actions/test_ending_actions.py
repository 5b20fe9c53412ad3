"""Moderators end a running game, or cancel one that has not begun."""

import pytest
from django.core.exceptions import ValidationError

from accounts.models import AuditEntry, User
from accounts.refusals import Refusal
from games.lobby.join_game import join
from games.log.standings import standings
from games.models import Game
from games.web.notifications import notification_text
from tests.moderation.actions.conftest import REASON, act, again, last_entry, replays, told
from tests.support import wording
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob), 12)


def test_end_with_standings_makes_the_current_standings_the_result(
    game: Game, mona: User, alice: User, bob: User
) -> None:
    act("end-with-standings", game, mona)
    over = again(game)
    assert (over.is_finished, over.ending, over.ended_by_moderator) == (True, Game.Ending.STANDINGS, True)
    assert len(standings(over, list(over.seats.all()))) == 2
    assert last_entry(game).text == "moderator ends with standings"
    assert told(alice).count("finished") == told(bob).count("finished") == 1
    assert replays(game)


def test_end_without_result_leaves_no_standings(game: Game, mona: User, alice: User) -> None:
    act("end-without-result", game, mona)
    over = again(game)
    assert standings(over, list(over.seats.all())) == []
    row = alice.notifications.get(kind="finished")
    assert notification_text.sentence(row) == f"{wording.MODERATOR_ENDED_WITHOUT_RESULT} Reason: {REASON}"


@pytest.mark.parametrize("name", ["end-with-standings", "end-without-result", "pause", "cancel"])
def test_action_on_a_finished_game_is_refused(name: str, game: Game, mona: User) -> None:
    act("end-without-result", game, mona)
    before = again(game).version
    with pytest.raises(Refusal, match="over"):
        act(name, game, mona)
    assert again(game).version == before
    assert AuditEntry.objects.count() == 1


def test_paused_game_can_be_ended(game: Game, mona: User) -> None:
    act("pause", game, mona)
    act("end-with-standings", game, mona)
    assert (again(game).paused, again(game).held_at, again(game).is_finished) == (None, None, True)


def test_unreadable_position_can_only_be_ended_without_result(game: Game, mona: User) -> None:
    Game.all_games.filter(pk=game.pk).update(state={"broken": True})
    with pytest.raises(Refusal, match="cannot be read"):
        act("end-with-standings", game, mona)
    act("end-without-result", game, mona)
    assert again(game).is_finished


def test_cancelled_game_notifies_its_players_with_the_reason(
    create: NewGame, mona: User, alice: User, bob: User
) -> None:
    room = create(alice)
    join(game_id=room.pk, user=bob)
    act("cancel", room, mona)
    assert (again(room).status, again(room).ended_by_moderator) == (Game.Status.CLOSED, True)
    row = bob.notifications.get(kind="closed")
    assert (
        notification_text.sentence(row) == f"A moderator closed this game before it began. Reason: {REASON}"
    )
    with pytest.raises(Refusal, match="over"):
        act("cancel", room, mona)


def test_cancelling_a_running_game_is_refused(game: Game, mona: User) -> None:
    with pytest.raises(Refusal, match="has started"):
        act("cancel", game, mona)


def test_reason_too_long_for_the_log_is_refused(game: Game, mona: User) -> None:
    with pytest.raises(ValidationError, match="at most 200"):
        act("end-without-result", game, mona, reason="x" * 201)
    assert again(game).is_running
