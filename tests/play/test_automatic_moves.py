"""Automatic moves are made at once, without asking or notifying their player."""

import inspect
import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from games.archive.replay import replay
from games.engine import ready_move
from games.log.rulings import Ruling
from games.models import Game, Kind, LogEntry, Notification
from games.play import game_ticks, log_writer
from games.play.automation import automatic_moves
from games.play.automation.automatic_moves import DatabaseMoveSources, play_automatic_moves
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from games.play.ruling_entry import enter_ruling, write_ruling
from games.refusals import StalePosition
from games.web.text.log_view import automatic_moves_notice, entry
from games.web.text.seat_names import table_persons
from tests.support import wording
from tests.support.games import NewGame, play_next, play_on, play_to_the_end, seen_by, whole_record
from tests.support.mailboxes import with_mailbox

pytestmark = pytest.mark.django_db

SKIPS = {"skips": True}
Provider = Callable[[Game, Any, int], Any]


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A game that has just begun, so the first purchase can only be of nothing."""
    return start(alice, bob, carol, preset="course", terms=SKIPS)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that puts a provider of moves before all others."""

    def store(provider: Provider, origin: LogEntry.Origin = LogEntry.Origin.ORDER) -> None:
        def source(system: str, state: Any, store: DatabaseMoveSources) -> Any:
            return provider(store.game, state, store.game.seat_to_move)

        monkeypatch.setattr(ready_move, "SOURCES", [(source, origin), *ready_move.SOURCES])
        # Like an order, the provider may write, and nobody knows beforehand whether it has an answer.
        monkeypatch.setattr(automatic_moves, "_may_be_ready", lambda *_: True)

    return store


def first_legal(game: Game, state: Any, seat: int) -> Any:
    return game.rule_system.legal_moves(state)[0]


def only_for(user: User, kind: str) -> Provider:
    """Provide the first legal move for one person and one kind of decision."""

    def provider(game: Game, state: Any, seat: int) -> Any:
        mine = game.waiting_for_id == user.pk and game.decision_kind == kind
        return first_legal(game, state, seat) if mine else None

    return provider


def move(game: Game) -> LogEntry:
    game.refresh_from_db()
    return play_next(game)


def log_of(game: Game) -> list[tuple[int, int | None, str, str]]:
    return list(game.moves.values_list("number", "seat", "text", "origin"))


# -- Forced moves ----------------------------------------------------------------------------------------


def test_forced_purchase_is_made_at_once_by_the_house(game: Game) -> None:
    first = move(game)
    game.refresh_from_db()
    assert log_of(game) == [(1, 0, first.text, ""), (2, 0, "buy nothing", "forced")]
    forced = game.moves.get(number=2)
    assert (forced.author, forced.user) == (LogEntry.Author.HOUSE, None)
    assert (game.version, game.seat_to_move, game.decision_kind) == (2, 1, "place")


def test_game_without_skips_asks_for_every_decision(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, preset="course", terms={"skips": False})
    move(game)
    game.refresh_from_db()
    assert (game.version, game.decision_kind) == (1, "buy")


def test_bot_is_asked_for_forced_moves_too(start: NewGame, alice: User) -> None:
    game = start("random", alice, preset="course", terms=SKIPS)
    game = play_on(game, 1)
    assert (game.version, game.seat_to_move, game.decision_kind) == (1, 0, "buy")
    assert game.bot_due_at is not None


def test_log_explains_a_forced_move(game: Game) -> None:
    move(game)
    people = table_persons(game.seats.all())
    told = entry(game.moves.get(number=2), people, None)
    assert told.note == wording.COULD_NOT_BUY.format(who="alice")


def test_game_with_skips_ends_and_its_log_replays(game: Game) -> None:
    ended = play_to_the_end(game)
    assert ended.is_finished
    assert ended.moves.filter(origin="forced").count() > 5
    assert replay(ended).faults == []


def test_automatic_move_follows_a_ruling(game: Game, bob: User, store: Callable[..., None]) -> None:
    move(game)
    store(only_for(bob, "place"))
    with transaction.atomic():
        write_ruling(lock_game(game.pk), text="resume", author=LogEntry.Author.HOUSE)
    assert [(number, origin) for number, _, _, origin in log_of(game)][2:4] == [(3, ""), (4, "order")]


# -- Stored answers --------------------------------------------------------------------------------------


def test_automatic_move_counts_as_the_players_own(game: Game, bob: User, store: Callable[..., None]) -> None:
    store(only_for(bob, "place"))
    move(game)
    answered = game.moves.get(number=3)
    assert (answered.seat, answered.author, answered.user) == (1, LogEntry.Author.PERSON, bob)
    assert answered.origin == LogEntry.Origin.ORDER


@pytest.mark.parametrize(
    ("origin", "own", "later"),
    [
        (
            LogEntry.Origin.ORDER,
            wording.YOUR_ORDER_MADE_THIS_MOVE,
            f"bob’s {wording.AN_ORDER_MADE_THIS_MOVE}.",
        ),
        (LogEntry.Origin.PLAN, wording.YOU_HAD_PLANNED_THIS, "bob had planned this move."),
    ],
)
def test_origin_of_an_automatic_move_is_told_to_its_owner_and_after_the_end_to_all(
    origin: LogEntry.Origin,
    own: str,
    later: str,
    game: Game,
    alice: User,
    bob: User,
    store: Callable[..., None],
) -> None:
    store(only_for(bob, "place"), origin)
    move(game)

    def told(user: User | None) -> str:
        look = seen_by(game, user) if user else None
        answered = Game.objects.get(pk=game.pk).moves.get(number=3)
        return entry(answered, table_persons(game.seats.all()), look.seat if look else None).note

    assert (told(bob), told(alice), told(None)) == (own, "", "")
    play_to_the_end(game)
    assert (told(bob), told(alice), told(None)) == (own, later, later)


def test_table_tells_its_owner_that_a_plan_was_played(
    game: Game, alice: User, bob: User, store: Callable[..., None]
) -> None:
    store(only_for(bob, "place"), LogEntry.Origin.PLAN)
    move(game)
    assert automatic_moves_notice(seen_by(game, bob), 2) == "Your planned turn was played."
    assert automatic_moves_notice(seen_by(game, bob), 3) == ""
    assert automatic_moves_notice(seen_by(game, alice), 0) == ""


def test_new_player_of_a_seat_does_not_learn_the_origin_of_earlier_moves(
    game: Game, bob: User, store: Callable[..., None]
) -> None:
    store(only_for(bob, "place"))
    move(game)
    game.seats.filter(user=bob).update(user=User.objects.create_user("dora"))
    answered = Game.objects.get(pk=game.pk).moves.get(number=3)
    assert entry(answered, table_persons(game.seats.all()), 1).note == ""


def test_only_the_last_player_to_decide_is_notified(
    game: Game, alice: User, bob: User, carol: User, store: Callable[..., None]
) -> None:
    store(only_for(bob, "place"))
    for user in (alice, bob, carol):
        with_mailbox(user)
    move(game)
    game.refresh_from_db()
    assert game.waiting_for == carol
    told = Notification.objects.filter(kind=Kind.DECISION, version__gt=0).values_list("user", "version")
    assert list(told) == [(carol.pk, game.version)]


def test_one_tick_tells_of_a_move_and_the_automatic_ones_after_it(
    game: Game, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    ticks: list[int] = []
    monkeypatch.setattr(game_ticks, "send_update", lambda pk, public_id, version, **_: ticks.append(version))
    with django_capture_on_commit_callbacks(execute=True):
        move(game)
    assert ticks == [2]


def test_own_move_after_the_automatic_one_is_repeated_or_stale(
    game: Game, bob: User, store: Callable[..., None]
) -> None:
    store(only_for(bob, "place"))
    before = Game.with_secrets.get(pk=game.pk)
    move(game)
    answered = game.moves.get(number=3)
    late: dict[str, Any] = {"game_id": game.pk, "number": 3, "seat": 1, "by": bob}
    assert play_move(text=answered.text, **late) == answered
    with pytest.raises(StalePosition):
        play_move(text="pass", **late)
    assert before.version == 0


# -- Failures --------------------------------------------------------------------------------------------


def fails(game: Game, state: Any, seat: int) -> Any:
    # The name is split because the log shows lines of code.
    raise LookupError("9" + "Z")


def is_illegal(game: Game, state: Any, seat: int) -> Any:
    return game.rule_system.parse_move("dispose sell 7")


@pytest.mark.parametrize("provider", [fails, is_illegal])
def test_failing_provider_leaves_the_decision_to_the_player(
    provider: Provider, game: Game, store: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    store(provider)
    first = move(game)
    game.refresh_from_db()
    assert log_of(game) == [(1, 0, first.text, "")]
    assert (game.seat_to_move, game.decision_kind) == (0, "buy")
    [logged] = [row for row in caplog.records if row.levelno == logging.ERROR]
    assert "Automatic move 2" in logged.getMessage()
    assert "9Z" not in caplog.text


def test_writes_of_a_failing_provider_are_undone(game: Game, bob: User, store: Callable[..., None]) -> None:
    def writes_and_fails(game: Game, state: Any, seat: int) -> Any:
        if game.decision_kind != "place":
            return None
        Game.objects.filter(pk=game.pk).update(name="written")
        return game.rule_system.parse_move("pass")

    store(writes_and_fails)
    move(game)
    game.refresh_from_db()
    assert (game.name, game.version, game.waiting_for) == ("", 2, bob)
    # The object was reset as well: the next move saves all its columns.
    move(game)
    game.refresh_from_db()
    assert game.version > 2
    assert [number for number, *_ in log_of(game)] == list(range(1, game.version + 1))


def test_state_is_reset_after_a_failing_provider(
    game: Game, store: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rulings in one transaction save it twice."""

    def writes_nothing(*arguments: Any, **columns: Any) -> None:
        raise LookupError

    with transaction.atomic():
        locked = lock_game(game.pk)
        store(first_legal)
        with monkeypatch.context() as broken:
            broken.setattr(log_writer, "write_entry", writes_nothing)
            play_automatic_moves(locked)
        monkeypatch.setattr(ready_move, "SOURCES", [])
        enter_ruling(locked, Ruling("resume"))
    assert replay(Game.with_secrets.get(pk=game.pk)).faults == []


def test_missing_savepoint_is_detected(
    game: Game, store: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: automatic moves without a savepoint of their own."""
    in_one_savepoint = inspect.unwrap(automatic_moves._play_ready_move)
    monkeypatch.setattr(automatic_moves, "_play_ready_move", in_one_savepoint)
    with pytest.raises(AssertionError):
        test_writes_of_a_failing_provider_are_undone(game, game.seats.get(number=1).user, store)


def test_automatic_moves_follow_each_other(
    game: Game, alice: User, bob: User, carol: User, store: Callable[..., None]
) -> None:
    kinds = {"place", "buy", "found"}

    def provider(game: Game, state: Any, seat: int) -> Any:
        return first_legal(game, state, seat) if game.decision_kind in kinds and game.version < 40 else None

    store(provider)
    move(game)
    assert Game.objects.get(pk=game.pk).version >= 40
    assert whole_record(game)[1:]
    assert replay(Game.with_secrets.get(pk=game.pk)).faults == []
