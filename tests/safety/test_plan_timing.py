"""Nobody but its player can tell by time, ticks or clocks whether a move was planned or sent by hand.

The same game is played twice, with the same moves at the same moments: once a plan or an order answers, once
its player does, who sits at the table and sends the turn. All that anybody else gets is compared at each
moment: pages, APIs, exports, sockets, mails, and the rows from which they are made.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.db import transaction
from django.test import TestCase
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine import ready_move
from games.log import public_times
from games.models import Game, LogEntry, Reliability, Seat
from games.play import log_writer
from games.play.automation import answer_delay, automatic_moves
from games.play.automation.due_answers import play_due_answer
from games.play.automation.planned_turns import play_turn
from games.play.automation.standing_orders import save_order
from games.play.log_writer import Turn
from games.play.play_move import play_move
from tests.engine.rules.acquire.acquire_positions import position
from tests.safety.leaks import recorded_answers, watched_sockets
from tests.safety.leaks.recorded_answers import Parts
from tests.safety.leaks.twin_sites import undone
from tests.safety.leaks.viewers import Viewer, players, strangers
from tests.safety.leaks.wire import Wire, tapped
from tests.support.games import put
from tests.support.merger_game import SEATED, TILE, before_a_merger
from tests.support.planned_turns import plan_of

pytestmark = pytest.mark.django_db

# On a whole minute, so that nothing here crosses one.
NOON = datetime(2031, 5, 17, 12, tzinfo=UTC)

# With a time bank, which shows what each decision took and what it brought.
TERMS = {"pace": 3600, "bank": 86400, "visibility": "public"}

PLAN = {"tile": "5A", "answers": {"found": ["found tower"], "buy": ["buy 2 tower"]}}
ORDER = {"chain": "luxor", "hold": 3, "trade": 2}

# One who plays, one who does not, and one to whom the admin shows all that it shows.
WATCHING = ("seat 0", "a visitor", "the superuser")

# Answers to somebody other than the player of seat 1, by moment.
Seen = list[dict[str, Any]]
Step = Callable[[], object]


@pytest.fixture(autouse=True)
def _delay(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ANSWER_DELAY_SECONDS = 4.0
    settings.API_PER_MINUTE = 1_000_000
    monkeypatch.setattr(answer_delay._random, "uniform", lambda low, high: 1.0)


@pytest.fixture
def few_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one viewer look at a few pages only, where the test is not about who sees what."""
    monkeypatch.setattr(f"{__name__}.WATCHING", ("a visitor",))
    monkeypatch.setattr(f"{__name__}.SHOWN", lambda game: _of_game(game, "game", "log", "api-game"))


@pytest.fixture
def planning(start: Callable[..., Game], alice: User, bob: User, carol: User) -> Game:
    """Seat 0 is asked what to buy, and seat 1 holds 5A, which would found a chain."""
    with _at(NOON - timedelta(hours=1)) as clock:
        game = start(alice, bob, carol, terms=TERMS, seating="joining")
        game = put(game, position({"lone": "4A"}, hands=("1I 2I", "5A 9I", "1C 2C"), turn=0))
        clock.shift(timedelta(minutes=5))
        _move(game, "place 1I")
    return game


@pytest.fixture
def merging(start: Callable[..., Game], alice: User, bob: User, carol: User) -> Game:
    """Seat 0 is asked first about the shares of a defunct chain, then seat 1, then seat 2."""
    with _at(NOON - timedelta(hours=1)) as clock:
        game = before_a_merger(start(alice, bob, carol, terms=TERMS, **SEATED))
        clock.shift(timedelta(minutes=5))
        _move(game, TILE)
    return game


# -- The two worlds ------------------------------------------------------------------------------------


@contextmanager
def _at(moment: datetime) -> Iterator[Any]:
    with time_machine.travel(moment, tick=False) as clock:
        yield clock


def _move(game: Game, text: str) -> LogEntry:
    game = Game.objects.get(pk=game.pk)
    assert game.seat_to_move is not None
    by = game.waiting_for
    return play_move(game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=text, by=by)


def _answer(game: Game) -> None:
    """Play the answer, as the worker does at its time."""
    assert play_due_answer(game.pk, timezone.now())


def seen_in(game: Game, first: str, before: Step, then: Step, last: str, after: float = 4.0) -> Seen:
    """All that others get while seat 0 moves, seat 1 answers by `then`, and the next one moves."""
    with undone(), _at(NOON - timedelta(minutes=1)) as clock, tapped() as wire:
        watching = [viewer for viewer in [*players(game), *strangers()] if viewer.name in WATCHING]
        before()
        seen = [_seen(game, watching, wire, lambda: None)]
        clock.move_to(NOON)
        seen.append(_seen(game, watching, wire, lambda: _move(game, first)))
        clock.shift(timedelta(seconds=after))
        seen.append(_seen(game, watching, wire, then))
        clock.move_to(NOON + timedelta(seconds=50))
        seen.append(_seen(game, watching, wire, lambda: _move(game, last)))
        return seen


def _seen(game: Game, watching: list[Viewer], wire: Wire, work: Step) -> dict[str, Any]:
    """All that everybody is sent when this happens, and finds after it."""
    wire.clear()
    with TestCase.captureOnCommitCallbacks(execute=True), transaction.atomic():
        work()
    ticks = list(wire.ticks)
    found: dict[str, Any] = {"letters": wire.sent()["letters"], "rows": _rows(game)}
    for viewer in watching:
        found[f"{viewer.name}: frames"] = watched_sockets.frames(game, viewer, _unmarked(ticks))
        for path in SHOWN(game):
            found[f"{viewer.name}: {path}"] = _parts(viewer, path)
    return found


def _unmarked(ticks: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """The ticks with marks that say which is which, and are the same each time."""
    marks = {tick["mark"]: str(number) for number, (_group, tick) in enumerate(ticks)}
    return [(group, {**tick, "mark": marks[tick["mark"]]}) for group, tick in ticks]


def _parts(viewer: Viewer, path: str) -> Parts:
    return recorded_answers.parts(viewer.ask(path, None))


def _of_game(game: Game, *names: str) -> list[str]:
    return [reverse(name, args=[game.public_id]) for name in names]


def _all_pages(game: Game) -> list[str]:
    version = Game.objects.get(pk=game.pk).version
    pages = _of_game(game, "game", "table", "log", "deal-check", "past-positions", "room", "notes")
    pages += _of_game(game, "api-game", "export-json", "export-text")
    pages += [reverse(name, args=[game.public_id, version]) for name in ("past-position", "api-position")]
    pages += [reverse("player", args=["bob"]), reverse("api-player", args=["bob"])]
    pages += [reverse(name) for name in ("home", "running-games", "waiting-count")]
    pages += [f"{reverse('api-games')}?status=running"]
    pages += [reverse(f"admin:games_game_{name}", args=[game.pk]) for name in ("change", "table", "doctor")]
    return [*pages, reverse("admin:games_game_changelist"), reverse("admin:games_notification_changelist")]


# The pages that every viewer looks at.
SHOWN = _all_pages


def _rows(game: Game) -> list[Any]:
    """The public columns of the game, its log, its seats, and what is counted of seat 1."""
    entries = LogEntry.objects.filter(game=game).order_by("number")
    columns = ("version", "seat_to_move", "decision_kind", "waiting_for", "deadline", "last_change_at")
    return [
        list(entries.values_list("number", "text", "events", "author", "user", "created_at", "time_left")),
        list(Game.objects.filter(pk=game.pk).values_list(*columns)),
        list(Seat.objects.filter(game=game).order_by("number").values_list("number", "time_bank_left")),
        list(Reliability.objects.filter(user__username="bob").values_list("decisions", "late")),
    ]


def same(one: Seen, other: Seen) -> None:
    """Nothing that anybody gets differs."""
    for moment, (first, second) in enumerate(zip(one, other, strict=True)):
        assert first.keys() == second.keys(), moment
        for what in first:
            assert first[what] == second[what], (moment, what)


# -- Plans and orders ----------------------------------------------------------------------------------


def planned(game: Game) -> Seen:
    return seen_in(game, "buy nothing", lambda: plan_of(game, 1, **PLAN), lambda: _answer(game), "place 1C")


def turn_by_hand(game: Game) -> Seen:
    def send() -> None:
        number = Game.objects.get(pk=game.pk).version + 1
        bob = User.objects.get(username="bob")
        play_turn(game_id=game.pk, number=number, plan={"board": "", "end": False, **PLAN}, by=bob)

    return seen_in(game, "buy nothing", lambda: None, send, "place 1C")


def ordered(game: Game) -> Seen:
    bob = User.objects.get(username="bob")

    def order() -> None:
        save_order(game_id=game.pk, by=bob, terms=ORDER, once=False)

    return seen_in(game, "dispose nothing", order, lambda: _answer(game), "dispose nothing")


def answer_by_hand(game: Game) -> Seen:
    return seen_in(
        game, "dispose nothing", lambda: None, lambda: _move(game, "dispose trade 2"), "dispose nothing"
    )


def test_a_planned_turn_looks_like_one_that_was_sent_at_once(planning: Game) -> None:
    same(planned(planning), turn_by_hand(planning))


def test_an_ordered_answer_looks_like_one_that_was_sent_at_once(merging: Game) -> None:
    same(ordered(merging), answer_by_hand(merging))


@pytest.mark.usefixtures("few_pages")
def test_whoever_moves_does_not_see_the_answer_in_the_same_moment(planning: Game) -> None:
    log = planned(planning)[1]["rows"][0]
    assert [entry[1] for entry in log] == ["place 1I", "buy nothing"]


@pytest.mark.usefixtures("few_pages")
def test_an_answer_played_at_once_would_be_noticed(planning: Game, settings: Any) -> None:
    settings.ANSWER_DELAY_SECONDS = 0
    with mock.patch(f"{__name__}._answer"), pytest.raises(AssertionError, match=r"\(1, 'rows'\)"):
        same(planned(planning), turn_by_hand(planning))


@pytest.mark.usefixtures("few_pages")
def test_a_tick_for_each_move_of_a_plan_would_be_noticed(
    planning: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand = turn_by_hand(planning)
    make_move = automatic_moves.make_move

    def ticking(game: Game, turn: Turn) -> LogEntry:
        from games.play.game_ticks import schedule_ticks

        entry = make_move(game, turn)
        schedule_ticks(game)
        return entry

    monkeypatch.setattr(automatic_moves, "make_move", ticking)
    with pytest.raises(AssertionError, match="frames"):
        same(planned(planning), by_hand)


@pytest.mark.usefixtures("few_pages")
def test_a_clock_that_does_not_count_planned_moves_would_be_noticed(
    planning: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand = turn_by_hand(planning)
    make_move, set_position = automatic_moves.make_move, log_writer.set_position

    def uncounted(game: Game, turn: Turn) -> LogEntry:
        def free(*args: Any, **facts: Any) -> None:
            set_position(*args, **{**facts, "automatic": bool(turn.origin)})

        with mock.patch.object(log_writer, "set_position", free):
            return make_move(game, turn)

    monkeypatch.setattr(automatic_moves, "make_move", uncounted)
    with pytest.raises(AssertionError, match="rows"):
        same(planned(planning), by_hand)


# -- Times to the minute -------------------------------------------------------------------------------


# Pages about the past; the clock of the player to move follows the last entry.
ABOUT_THE_PAST = ("/log/", "/at/", "/api/v1/games", "export")


def times_of(seen: Seen) -> dict[str, Any]:
    """The pages about past entries, without those that show the time left in seconds."""
    return {what: told for what, told in seen[3].items() if any(part in what for part in ABOUT_THE_PAST)}


def answered_after(game: Game, seconds: float) -> dict[str, Any]:
    return times_of(
        seen_in(
            game,
            "dispose nothing",
            lambda: None,
            lambda: _move(game, "dispose trade 2"),
            "dispose nothing",
            after=seconds,
        )
    )


def test_no_page_and_no_api_tells_the_second_of_an_entry(merging: Game) -> None:
    assert answered_after(merging, 2) == answered_after(merging, 31)


@pytest.mark.usefixtures("few_pages")
def test_times_told_to_the_second_would_be_noticed(merging: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_times, "to_minute", lambda moment: moment)
    assert answered_after(merging, 2) != answered_after(merging, 31)


def test_a_deadline_that_is_far_is_told_to_the_minute() -> None:
    deadline = NOON + timedelta(days=2, seconds=17)
    assert public_times.deadline_shown(deadline, NOON) == NOON + timedelta(days=2)
    soon = NOON + timedelta(minutes=10, seconds=17)
    assert public_times.deadline_shown(soon, NOON) == soon
    assert public_times.deadline_shown(None, NOON) is None


# -- Forced moves --------------------------------------------------------------------------------------


def _forced_after_a_plan(start: Callable[..., Game], people: list[User]) -> Game:
    """Seat 1 has planned a turn in which there is nothing to buy."""
    game = start(*people, terms={"skips": True}, seating="joining")
    game = put(game, position({}, hands=("1I 2I", "9I 8A", "1C 2C"), turn=0))
    plan_of(game, 1, tile="9I", answers={"buy": ["buy nothing"]})
    _move(game, "place 1I")
    assert play_due_answer(game.pk, timezone.now() + timedelta(seconds=10))
    return game


def test_a_plan_for_what_is_forced_is_told_like_any_forced_move(
    start: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    """The site makes it for everybody, so one made by its player would tell of the plan."""
    game = _forced_after_a_plan(start, [alice, bob, carol])
    entry = game.moves.get(seat=1, text="buy nothing")
    assert (entry.origin, entry.author, entry.user) == ("forced", LogEntry.Author.HOUSE, None)


def test_a_plan_that_came_before_the_site_would_be_noticed(
    start: Callable[..., Game], alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready_move, "_forced_answer", lambda *args: None)
    game = _forced_after_a_plan(start, [alice, bob, carol])
    assert game.moves.get(seat=1, text="buy nothing").author == LogEntry.Author.PERSON
