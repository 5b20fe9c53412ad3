"""Moderators hide messages, lock the chat, restart bots and resend notifications."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.chat.conversation import conversation
from games.chat.messages import say
from games.engine.rules.rule_errors import InvalidMove
from games.models import BotFailure, Game, Notification
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.play.bots import bot_moves
from games.play.bots.bot_cache import bot_cache
from games.play.bots.bot_moves import play_bot_move
from games.refusals import ChatLocked
from tests.moderation.actions.conftest import act, again, replays
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob), 3)


def read_by(game: Game, user: User) -> list[str]:
    found = conversation(again(game), user)
    assert found is not None
    return [line.text for line in found.lines]


# -- Chat ------------------------------------------------------------------------------------------


def test_message_is_hidden_and_shown_again(game: Game, mona: User, alice: User, bob: User) -> None:
    line = say(game_id=game.pk, user=alice, text="You fool.")
    audit = act("hide-line", game, mona, line=line.pk)
    assert read_by(game, bob) == []
    assert "fool" not in str(audit.details)
    with pytest.raises(Refusal, match="already"):
        act("hide-line", game, mona, line=line.pk)
    act("show-line", game, mona, line=line.pk)
    assert read_by(game, bob) == ["You fool."]


def test_only_hidden_messages_can_be_shown_again(game: Game, alice: User) -> None:
    def offered(name: str) -> bool:
        against = GAME_ACTIONS[name].against
        assert against is not None
        return against(again(game)) is None

    names = ("hide-line", "show-line")
    assert [offered(name) for name in names] == [False, False]
    line = say(game_id=game.pk, user=alice, text="You fool.")
    assert [offered(name) for name in names] == [True, False]
    act("hide-line", game, None, line=line.pk)
    assert offered("show-line")


def test_message_of_another_game_is_refused(
    game: Game, start: NewGame, mona: User, alice: User, bob: User
) -> None:
    say(game_id=game.pk, user=alice, text="Hello.")
    other = start(alice, bob)
    line = say(game_id=other.pk, user=alice, text="You fool.")
    with pytest.raises(ValidationError, match=wording.NO_SUCH_MESSAGE):
        act("hide-line", game, mona, line=line.pk)
    assert read_by(other, bob) == ["You fool."]


def test_locked_chat_is_readable_but_refuses_messages(game: Game, mona: User, alice: User, bob: User) -> None:
    say(game_id=game.pk, user=alice, text="Hello.")
    act("lock-talk", game, mona)
    with pytest.raises(ChatLocked):
        say(game_id=game.pk, user=bob, text="Hello yourself.")
    client = client_of(bob)
    url = reverse("chat", args=[game.public_id])
    page = client.get(url).content.decode()
    assert "Hello." in page and "A moderator has locked this chat" in page and 'name="text"' not in page
    assert client.post(url, {"text": "Hello yourself."}).status_code == 403
    with pytest.raises(Refusal, match="already"):
        act("lock-talk", game, mona)
    act("unlock-talk", game, mona)
    say(game_id=game.pk, user=bob, text="Hello yourself.")
    assert read_by(game, alice) == ["Hello.", "Hello yourself."]


# -- Bots ------------------------------------------------------------------------------------------


@pytest.fixture
def stuck(start: NewGame, alice: User) -> Game:
    """A game in which a bot failed and left its move waiting."""
    game = start(alice, "easy")
    while again(game).bot_due_at is None:
        game = play_on(game, 1)
    BotFailure.objects.create(
        game=game, version=game.version, seat=game.seat_to_move, level="easy", error="Oops"
    )
    bot_cache.set(f"chosen-{game.pk}-{game.version}", ("place 12Z", bot_moves.timedelta()), 300)
    return game


def test_run_computer_forgets_the_failure_and_lets_the_bot_move(stuck: Game, mona: User) -> None:
    version = again(stuck).version
    act("run-computer", stuck, mona)
    assert not BotFailure.objects.filter(game=stuck).exists()
    assert again(stuck).version == version
    assert play_bot_move(stuck.pk, version)
    assert again(stuck).version > version and replays(stuck)


def test_failed_bot_without_the_action_repeats_its_chosen_move(stuck: Game) -> None:
    with pytest.raises(InvalidMove):
        play_bot_move(stuck.pk, stuck.version)


def test_run_computer_repairs_columns_that_do_not_fit_the_position(game: Game, mona: User) -> None:
    asked = again(game).waiting_for
    Game.all_games.filter(pk=game.pk).update(waiting_for=None, seat_to_move=None, decision_kind="")
    act("run-computer", game, mona)
    assert (again(game).waiting_for, again(game).decision_kind != "") == (asked, True)


def test_run_computer_is_refused_when_a_person_is_asked(game: Game, mona: User) -> None:
    with pytest.raises(Refusal, match="It is a person’s turn here"):
        act("run-computer", game, mona)


# -- Notifications ---------------------------------------------------------------------------------


def test_sent_decision_is_sent_again(game: Game, mona: User) -> None:
    user = again(game).waiting_for
    rows = Notification.objects.filter(game=game, user=user, kind="decision", version=again(game).version)
    rows.update(state="sent", settled=timezone.now(), message_id="<old@here>", attempts=1)
    act("send-again", game, mona)
    row = rows.get()
    assert (row.state, row.message_id, row.attempts, row.settled) == ("waiting", "", 0, None)
    assert row.due <= timezone.now()


def test_notification_that_was_given_up_is_tried_again(game: Game, mona: User, alice: User) -> None:
    Notification.objects.filter(user=alice, kind="started").update(state="given up", settled=timezone.now())
    audit = act("send-again", game, mona)
    assert audit.details["given up before"] == 1
    assert Notification.objects.get(user=alice, kind="started").state == "waiting"


def test_send_again_is_refused_when_nobody_is_asked(stuck: Game, mona: User) -> None:
    with pytest.raises(Refusal, match="It is nobody’s turn"):
        act("send-again", stuck, mona)
