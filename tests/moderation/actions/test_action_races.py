"""Actions of moderators during moves: one after the other, and nothing is lost."""

from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import AuditEntry, User
from accounts.refusals import Refusal
from games.chat.messages import say
from games.lobby import join_game
from games.models import ChatMessage, Game, LogEntry, Notification
from games.moderation.actions import action_lock
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.play.bots.bot_moves import play_bot_move
from games.play.game_lock import lock_paused_game
from games.refusals import ChatLocked, GameNotOpen
from tests.moderation.actions.conftest import act, again, replays, told
from tests.support.games import NewGame, legal_move, play_on
from tests.support.simultaneous_calls import at_once, mover

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

# Form values of each action, in a timed game of alice and bob after ten moves.
VALUES: dict[str, dict[str, Any]] = {
    "more-time": {"hours": 5},
    "roll-back": {"entry": 3},
    "replace-by-computer": {"seat": "1", "level": "easy", "back": "no"},
    "replace-by-member": {"seat": "2", "member": "carol"},
}

# Actions that change the decision: a later move is refused.
STOP = {"pause", "end-with-standings", "end-without-result", "roll-back", "delete"}

RUNNING = [
    "pause",
    "more-time",
    "roll-back",
    "replace-by-computer",
    "replace-by-member",
    "send-again",
    "end-with-standings",
    "end-without-result",
    "lock-talk",
    "unlist",
    "make-unrated",
    "delete",
]


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    terms = {"pace": 86_400, "visibility": "public", "rated": True}
    return play_on(start(alice, bob, terms=terms), 10)


def told_truly(game: Game) -> bool:
    """Return whether exactly the player to decide is notified of the decision."""
    now = again(game)
    rows = Notification.objects.filter(game=game, kind="decision", state="waiting", endpoint=None)
    where = {(row.user_id, row.version) for row in rows}
    assert where <= {(now.waiting_for_id, now.version)}
    if now.waiting_for_id is not None and now.paused is None:
        assert where == {(now.waiting_for_id, now.version)}
    return True


@pytest.mark.parametrize("name", RUNNING)
def test_action_and_move_are_serialised(name: str, game: Game) -> None:
    before = again(game)
    moves = [mover(before, legal_move(before))] * 4
    results = at_once(*moves, partial(act, name, game, **VALUES.get(name, {})), *moves)
    refused = [result for result in results if isinstance(result, Exception)]
    assert isinstance(results[4], AuditEntry), refused
    assert all(isinstance(error, Refusal) for error in refused), refused
    entries = list(game.moves.filter(number__gt=before.version))
    played = [entry for entry in entries if entry.kind == LogEntry.Kind.MOVE]
    # All who sent the move got the same answer, and it stands in the log once.
    assert len(played) <= 1
    assert {result.pk for result in results if isinstance(result, LogEntry)} <= {entry.pk for entry in played}
    if name in STOP and played:
        assert played[0].number == before.version + 1
    assert replays(game) and told_truly(game)


# Actions that may be repeated are left out.
@pytest.mark.parametrize("name", [name for name in RUNNING if name not in ("more-time", "send-again")])
def test_action_by_two_moderators_is_done_once(name: str, game: Game) -> None:
    results = at_once(*[partial(act, name, game, **VALUES.get(name, {}))] * 4)
    done = [result for result in results if isinstance(result, AuditEntry)]
    refused = [result for result in results if not isinstance(result, AuditEntry)]
    assert len(done) == AuditEntry.objects.count() == 1
    assert all(isinstance(error, Refusal | ValidationError) for error in refused), refused
    assert replays(game)


def test_bot_move_and_rollback_are_serialised(start: NewGame, alice: User) -> None:
    game = play_on(start(alice, "easy"), 10)
    while again(game).bot_due_at is None:
        game = play_on(game, 1)
    version = again(game).version
    computer = partial(play_bot_move, game.pk, version)
    results = at_once(computer, partial(act, "roll-back", game, entry=2), computer)
    assert isinstance(results[1], AuditEntry)
    assert not [result for result in results if isinstance(result, Exception)]
    assert replays(game)


def test_message_comes_before_the_chat_lock_or_is_refused(game: Game, alice: User, bob: User) -> None:
    says = [
        partial(say, game_id=game.pk, user=user, text=f"Line {n}.") for n, user in enumerate([alice, bob] * 3)
    ]
    results = at_once(*says, partial(act, "lock-talk", game))
    silenced = again(game).chat_locked_at
    said = [result for result in results if isinstance(result, ChatMessage)]
    assert all(line.made <= silenced for line in said)
    refused = [result for result in results if isinstance(result, Exception)]
    assert all(isinstance(error, ChatLocked) for error in refused), refused
    assert len(said) + len(refused) == 6 == game.lines.count() + len(refused)


def test_member_who_joins_during_cancellation_is_refused_or_notified(
    create: NewGame, alice: User, bob: User
) -> None:
    room = create(alice, visibility="public")
    join = partial(join_game.join, game_id=room.pk, user=bob)
    results = at_once(join, partial(act, "cancel", room), join)
    assert isinstance(results[1], AuditEntry)
    assert again(room).status == Game.Status.CLOSED
    seated = room.seats.filter(user=bob).exists()
    assert told(bob).count("closed") == seated
    assert {type(result) for result in (results[0], results[2])} <= {Game, GameNotOpen}


def test_seat_given_twice_changes_hands_without_a_gap(game: Game, start: NewGame) -> None:
    User.objects.create_user("dora")
    results = at_once(
        partial(act, "replace-by-member", game, seat="1", member="carol"),
        partial(act, "replace-by-member", game, seat="1", member="dora"),
    )
    assert not [result for result in results if isinstance(result, Exception)]
    # The log says from whom to whom, without a gap.
    changes = list(game.moves.filter(text__startswith="moderator gives seat").values_list("text", flat=True))
    holders = [text.split(" to ")[1].split(" from ") for text in changes]
    assert holders[0][0] == holders[1][1]
    assert str(game.seats.get(number=0).user_id) == holders[1][0]
    assert replays(game)


# -- Twins ---------------------------------------------------------------------------------------------


def test_action_without_the_lock_is_detected(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move made between reading the game and the ruling would be lost."""

    def looked_at_only(target: Game, by: User | None, against: action_lock.Against) -> Game:
        stale = Game.all_games.defer(None).get(pk=target.pk)
        play_on(target, 1)
        return stale

    monkeypatch.setattr("games.moderation.actions.pause_actions.lock_for_action", looked_at_only)
    with pytest.raises((AssertionError, Exception)) as noticed, transaction.atomic():
        act("pause", game)
        replays(game)
    assert "unique" in str(noticed.value).lower() or isinstance(noticed.value, AssertionError)


def test_every_action_takes_the_lock(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    locks = []
    monkeypatch.setattr(action_lock, "lock_paused_game", lambda pk: locks.append(pk) or lock_paused_game(pk))
    for name in GAME_ACTIONS:
        locks.clear()
        try:
            act(name, game, **VALUES.get(name, {"line": 1} if name.endswith("-line") else {}))
        except Refusal:
            continue
        assert locks, name
