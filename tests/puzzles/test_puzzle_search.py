"""Puzzles come from finished public games, or from games that bots play for it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.engine.bots.move_estimate import Estimate
from games.engine.bots.puzzle_criteria import JUDGES
from games.log.positions import standing_moves, taken_back
from games.models import Game, GameReview, Puzzle, PuzzleSource, RatedDecision
from games.play.finished_game import RESULT_FINAL_AFTER
from games.play.takebacks import take_back
from games.puzzles import puzzle_calendar, puzzle_positions, puzzle_search, shown_puzzles
from games.puzzles.shown_puzzles import public_games
from tests.puzzles.made_puzzles import game_source, house_source, make_puzzle
from tests.support.finished_games import with_final_result
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.reopened_games import ended, reopened

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _quick_bot_games(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = {system: replace(judges, player="random") for system, judges in JUDGES.items()}
    monkeypatch.setattr(puzzle_search, "JUDGES", quick)
    chance = Random(7)
    monkeypatch.setattr(puzzle_search, "draw_chance", lambda: chance)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Judged decisions; every third one becomes a puzzle."""
    judged: list[Any] = []

    def clearly_best(system: str, seen: Any, chance: str) -> list[Estimate]:
        judged.append(seen)
        if len(judged) % 3:
            return []
        return [Estimate(move, 0.5 - place / 10, 500, 9) for place, move in enumerate(seen.legal[:3])]

    monkeypatch.setattr(puzzle_search, "clearly_best_move", clearly_best)
    return judged


@pytest.fixture
def public(start: NewGame, alice: User, bob: User) -> Game:
    """A finished public game whose result is final."""
    return with_final_result(play_to_the_end(start(alice, bob, terms={"visibility": "public"})))


def test_puzzle_asks_a_decision_of_a_public_game(public: Game, judge: list[Any]) -> None:
    assert puzzle_search.find_puzzles(1) == 1
    [puzzle] = shown_puzzles.visible_puzzles()
    entry = public.moves.get(number=puzzle.number)
    assert puzzle.source.game == public
    assert (puzzle.seat, puzzle.seats, puzzle.day) == (entry.seat, 2, puzzle_calendar.today())
    seen, _told = puzzle_positions.entries_before(puzzle, 40)
    assert seen == judge[-1]
    assert seen.seat == seen.decision.seat == puzzle.seat
    assert puzzle.kind == seen.decision.kind
    assert puzzle.best == str(seen.legal[0])
    assert str(puzzle_positions.played_instead(puzzle)) == entry.text
    # A bot's memory knows more than the table shows, so a puzzle must not ask about it.
    assert getattr(seen, "memory", None) is None


def test_game_that_can_still_be_reopened_gives_no_puzzle(public: Game) -> None:
    just_now = timezone.now() - RESULT_FINAL_AFTER + timedelta(minutes=1)
    Game.all_games.filter(pk=public.pk).update(finished=just_now)
    assert not public_games().exists()


def test_puzzle_of_a_reopened_game_asks_for_a_move_that_stands(
    start: NewGame, alice: User, bob: User, judge: list[Any]
) -> None:
    game = reopened(ended(start(alice, bob, terms={"visibility": "public"}), 30), 12)
    game = with_final_result(play_to_the_end(game, seed=2))
    assert puzzle_search.find_puzzles(1) == 1
    [puzzle] = shown_puzzles.visible_puzzles()
    entry = game.moves.get(number=puzzle.number)
    assert entry.number not in taken_back(game.moves.all())
    assert str(puzzle_positions.played_instead(puzzle)) == entry.text
    seen, told = puzzle_positions.entries_before(puzzle, 5)
    assert seen == judge[-1]
    state = puzzle_positions.position(puzzle)
    assert game.rule_system.observe(state, puzzle.seat) == seen
    assert [number for number, _events in told] == [
        move.number for move in standing_moves(game.moves.all()) if move.number < puzzle.number
    ][-5:]


def test_each_game_gives_one_puzzle_and_is_searched_once(public: Game, judge: list[Any]) -> None:
    puzzle_search.find_puzzles(2)
    first, second = Puzzle.objects.order_by("day")
    assert first.source.game == public and second.source.game is None
    assert second.day == puzzle_calendar.today() + timedelta(days=1)
    assert PuzzleSource.objects.filter(done=None).count() == 0


@pytest.mark.parametrize(
    "hidden",
    [
        {"visibility": "invited"},
        {"visibility": "unlisted"},
        {"visibility": "invited", "is_practice": True},
        {"visibility": "invited", "is_practice": True, "imported": LONG_AGO},
        {"deleted": LONG_AGO},
        {"status": "running", "finished": None},
    ],
    ids=str,
)
def test_games_that_are_not_public_give_no_puzzle(
    public: Game, judge: list[Any], hidden: dict[str, Any]
) -> None:
    before = public_games().count()
    Game.all_games.filter(pk=public.pk).update(**hidden)
    assert (before, public_games().count()) == (1, 0)
    puzzle_search.find_puzzles(1)
    [puzzle] = Puzzle.objects.all()
    assert puzzle.source.game is None


def test_running_game_is_refused(start: NewGame, alice: User, bob: User) -> None:
    running = play_on(start(alice, bob, terms={"visibility": "public"}), 40)
    assert running.is_running
    with pytest.raises(ValueError, match="running"):
        puzzle_positions.asked(game_source(running))


def test_withheld_games_give_no_puzzle(public: Game, judge: list[Any], settings: Any) -> None:
    Game.all_games.filter(pk=public.pk).update(system="acquisition")
    settings.ACQUISITION_PERMISSION = ""
    assert not public_games().exists()


def test_game_with_changed_rules_gives_no_puzzle(
    start: NewGame, alice: User, bob: User, judge: list[Any]
) -> None:
    changed = play_to_the_end(start(alice, bob, terms={"visibility": "public"}, payout="four"))
    changed = with_final_result(changed)
    puzzle_search.find_puzzles(1)
    assert PuzzleSource.objects.get(game=changed).done is not None
    assert Puzzle.objects.get().source.game is None


def test_game_with_hidden_holdings_gives_no_puzzle(start: NewGame, alice: User, bob: User) -> None:
    shown = play_to_the_end(start(alice, bob, terms={"visibility": "public"}))
    hidden = play_to_the_end(start(alice, bob, terms={"visibility": "public"}, holdings="hidden"))
    assert puzzle_positions.asked(game_source(shown))
    assert puzzle_positions.asked(game_source(hidden)) == []


def test_moves_that_were_taken_back_are_ignored(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"visibility": "public"})
    while game.decision_kind != "buy" or not game.moves.last().text.startswith("place"):
        game = play_on(game, 1, game.version)
    number = game.version
    take_back(game_id=game.pk, number=number + 1, to=number - 1, by=game.waiting_for)
    game = play_to_the_end(game)
    asked = puzzle_positions.asked(game_source(game))
    assert number not in [decision.number for decision in asked]
    for decision in asked[:10]:
        assert game.moves.get(number=decision.number).text in [str(move) for move in decision.seen.legal]


def test_bots_play_a_game_when_there_is_no_public_one(judge: list[Any]) -> None:
    puzzle_search.find_puzzles(1)
    [puzzle] = shown_puzzles.visible_puzzles()
    record = puzzle.source.record
    assert puzzle.source.game is None and not Game.all_games.exists()
    assert record["seats"] == puzzle.seats and record["moves"]
    assert puzzle_positions.asked(puzzle.source)
    assert str(puzzle_positions.played_instead(puzzle)) == record["moves"][puzzle.number - 1]


def test_same_random_numbers_find_the_same_puzzle(judge: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for _ in range(2):
        judge.clear()
        PuzzleSource.objects.all().delete()
        monkeypatch.setattr(puzzle_search, "draw_chance", lambda: Random(3))
        puzzle_search.find_puzzles(1)
        puzzle = Puzzle.objects.get()
        found.append((puzzle.source.record, puzzle.number, puzzle.best, puzzle.estimates))
    assert found[0] == found[1]


def test_search_out_of_time_is_continued_later(judge: list[Any]) -> None:
    source = house_source()
    looks = iter([False, False, False, True])
    assert puzzle_search.find_puzzles(1, lambda: next(looks, True)) == 0
    source.refresh_from_db()
    assert (source.tried, source.done) == (2, None)
    first = list(judge)
    assert puzzle_search.find_puzzles(1) == 1
    assert judge[2] not in first
    source.refresh_from_db()
    assert source.tried == 3 and source.done is not None
    assert PuzzleSource.objects.count() == 1


def test_decision_that_exceeded_the_time_limit_is_skipped(
    judge: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = house_source()
    begun: list[Any] = []

    def ended(system: str, seen: Any, chance: str) -> list[Estimate]:
        begun.append(seen)
        raise SoftTimeLimitExceeded

    with monkeypatch.context() as slow:
        slow.setattr(puzzle_search, "clearly_best_move", ended)
        for _ in range(2):
            with pytest.raises(SoftTimeLimitExceeded):
                puzzle_search.find_puzzles(1)
    assert puzzle_search.find_puzzles(1) == 1
    assert len(begun) == 2
    assert all(seen not in begun for seen in judge)
    assert begun[0] != begun[1]
    assert Puzzle.objects.get().source == source


def test_search_without_time_begins_nothing(judge: list[Any]) -> None:
    assert puzzle_search.find_puzzles(3, lambda: True) == 0
    assert not PuzzleSource.objects.exists()


def test_game_without_a_puzzle_is_followed_by_another(
    judge: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = house_source()
    kinds = len(puzzle_positions.asked(source))
    best, calls = puzzle_search.clearly_best_move, []

    def nothing_in_the_first(system: str, seen: Any, chance: str) -> list[Estimate]:
        calls.append(chance)
        return [] if len(calls) <= kinds else best(system, seen, chance)

    monkeypatch.setattr(puzzle_search, "clearly_best_move", nothing_in_the_first)
    assert puzzle_search.find_puzzles(1) == 1
    source.refresh_from_db()
    assert source.done is not None
    assert Puzzle.objects.get().source != source


def test_second_search_of_the_same_source_gives_up(judge: list[Any]) -> None:
    source = house_source()
    late = PuzzleSource.objects.get()
    assert puzzle_search._search_source(source, lambda: False)
    judge.clear()
    assert not puzzle_search._search_source(late, lambda: False)
    assert Puzzle.objects.count() == 1


# -- Callers -------------------------------------------------------------------------------------------


def test_worker_fills_the_stock_and_no_more(judge: list[Any], settings: Any) -> None:
    settings.PUZZLE_DAYS_AHEAD = 3
    tasks.find_puzzles()
    days = sorted(Puzzle.objects.values_list("day", flat=True))
    assert days == [puzzle_calendar.today() + timedelta(days=number) for number in range(3)]
    judged = len(judge)
    tasks.find_puzzles()
    assert len(judge) == judged


def test_worker_finds_nothing_when_no_puzzles_are_wanted(judge: list[Any], settings: Any) -> None:
    settings.PUZZLE_DAYS_AHEAD = 0
    tasks.find_puzzles()
    assert not judge


def test_command_finds_puzzles_and_reports_the_stock(judge: list[Any], settings: Any) -> None:
    settings.PUZZLE_DAYS_AHEAD = 3
    out = StringIO()
    call_command("find_puzzles", find=2, stdout=out)
    told = out.getvalue()
    assert "found 2 of 2" in told and "1 are missing" in told
    assert told.count("from a game of computers") == 2
    # The operator may want to solve it.
    assert all(puzzle.best not in told for puzzle in Puzzle.objects.all())


def test_command_refuses_a_negative_number() -> None:
    with pytest.raises(CommandError):
        call_command("find_puzzles", find=-1)


def test_made_puzzle_has_a_legal_best_answer() -> None:
    puzzle = make_puzzle()
    seen, _told = puzzle_positions.entries_before(puzzle, 40)
    assert puzzle.best in [str(move) for move in seen.legal]


def test_search_begins_with_the_decision_by_which_a_member_lost_most(
    public: Game, alice: User, judge: list[Any]
) -> None:
    decisions = puzzle_positions.asked(PuzzleSource(game=public, system=public.system))
    wanted = decisions[len(decisions) // 3]
    review, _is_new = GameReview.objects.get_or_create(game=public)
    for number, lost in ((decisions[5].number, 0.1), (wanted.number, 0.3)):
        RatedDecision.objects.create(
            review=review,
            number=number,
            user=alice,
            system="acquire",
            theme="place",
            third=1,
            tier=0,
            lost=lost,
        )
    puzzle_search.find_puzzles(1)
    assert judge[0] == wanted.seen
