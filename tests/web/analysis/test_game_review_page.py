"""The game review: its readers, its sums, and its cost."""

import re
from datetime import timedelta
from statistics import median
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.analysis import review_figures
from games.analysis.assessment import assess_next_moves
from games.analysis.review_figures import Player, Turn, accuracy, game_review, turning_points
from games.archive.replay import worth_by_turn
from games.lobby.game_start import start_game
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.play.seats.concession import concede
from games.play.takebacks import take_back
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on
from tests.support.htmx import HTMX
from tests.support.whole_games import broken_off, played_out

pytestmark = pytest.mark.django_db


# Of a member; two of them are for the session and the account.
MOST_QUERIES = 6


def seat_of(game: Game, name: str) -> int:
    return game.seats.get(user__username=name).number


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    return played_out(start(alice, bob, "random"))


def rated(game: Game, seat: int | None = None, lost: float = 0.05) -> Game:
    """Store an assessment for every third move, of one seat or of all."""
    moves = LogEntry.objects.filter(game=game, kind=LogEntry.Kind.MOVE)
    if seat is not None:
        moves = moves.filter(seat=seat)
    MoveAssessment.objects.bulk_create(
        MoveAssessment(
            game=game,
            number=move.number,
            seat=move.seat or 0,
            best="buy nothing",
            chance=0.5 - lost,
            best_chance=0.5,
            lead=-1500.0,
            best_lead=200.0,
        )
        for move in moves[::3]
    )
    GameReview.objects.update_or_create(game=game, defaults={"rated": game.version, "done": timezone.now()})
    return game


def page(game: Game, user: User | None = None) -> Any:
    return client_of(user).get(reverse("game-review", args=[game.public_id]))


def text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def told(game: Game, user: User | None = None) -> review_figures.ReviewData:
    from django.contrib.auth.models import AnonymousUser

    return game_review(game.public_id, user or AnonymousUser())


# -- Readers -------------------------------------------------------------------------------------------


def test_running_game_has_no_review(start: NewGame, alice: User, bob: User) -> None:
    """Not even for its players: the worth of their moves would reveal hidden hands."""
    game = played_out(start(alice, bob), moves=60)
    GameReview.objects.create(game=game, rated=60)
    for user in (alice, bob, None):
        assert page(game, user).status_code == 404


def test_review_of_a_finished_game_is_open_to_everybody_who_may_see_the_table(
    over: Game, alice: User
) -> None:
    for user in (alice, None):
        assert wording.GAME_REVIEW in text(page(over, user))
        assert (
            reverse("game-review", args=[over.public_id])
            in Client().get(over.get_absolute_url()).content.decode()
        )


def test_review_of_a_practice_table_is_for_its_host(over: Game, alice: User, bob: User) -> None:
    Game.objects.filter(pk=over.pk).update(is_practice=True, visibility="invited", host=alice)
    assert page(over, alice).status_code == 200
    for user in (bob, None):
        assert page(over, user).status_code == 404


def test_deleted_game_has_no_review(over: Game, alice: User) -> None:
    Game.objects.filter(pk=over.pk).update(deleted=timezone.now())
    assert page(over, alice).status_code == 404


# -- Turns ---------------------------------------------------------------------------------------------


def test_turns_lead_from_the_deal_to_the_result(over: Game) -> None:
    turns = told(over).turns
    assert turns[0].worth == (6000, 6000, 6000)
    assert list(turns[-1].worth) == over.state["cash"]
    assert [turn.before for turn in turns] == sorted(turn.before for turn in turns)
    assert [list(turn.worth) for turn in turns] == worth_by_turn(over)
    moves = {entry.number: entry.seat for entry in over.moves.all()}
    assert all(moves[turn.before + 1] == turn.seat for turn in turns[:-1])


def test_turning_points_are_turns_in_which_somebody_gains() -> None:
    worth = [(0, 0, 0), (10, 0, 0), (10, 50, 0), (60, 50, 0), (61, 50, 0), (61, 50, 9)]
    turns = [Turn(at % 3, 2 * at, now) for at, now in enumerate(worth)]
    found = turning_points(turns, most=3)
    assert [(point.turn, point.side, point.gained, point.took_lead) for point in found] == [
        (1, 0, 10, True),
        (2, 1, 50, True),
        (3, 0, 50, True),
    ]
    assert [point.after for point in found] == [2, 4, 6]
    assert len(turning_points(turns)) == 5


def test_turning_points_of_a_team_game_are_changes_between_the_teams() -> None:
    worth = [(0, 0, 0, 0), (50, 0, 0, 0), (50, 0, 40, 0), (50, 30, 40, 70)]
    turns = [Turn(at % 4, 2 * at, now) for at, now in enumerate(worth)]
    found = turning_points(turns, ((0, 2), (1, 3)))
    assert [(point.turn, point.side, point.gained, point.took_lead) for point in found] == [
        (1, 0, 50, True),
        (2, 0, 40, False),
        (3, 1, 100, True),
    ]


# -- Play and luck -------------------------------------------------------------------------------------


def test_accuracy_is_computed_as_the_page_explains() -> None:
    assert [round(100 * accuracy(points / 100)) for points in (0, 1, 5, 10)] == [100, 90, 61, 37]


def test_accuracy_is_the_mean_of_all_assessed_decisions(over: Game) -> None:
    seat = seat_of(over, "bob")
    rated(over, seat=seat, lost=0.1)
    [play] = review_figures.player_accuracy(told(over))
    assert play.player == Player(seat, "bob", False)
    assert play.accuracy == pytest.approx(accuracy(0.1))
    assert play.lost_chance == pytest.approx(0.1 * play.decisions)
    assert play.lost_lead == pytest.approx(1700 * play.decisions)


def test_luck_and_play_add_up_to_the_result_and_luck_to_zero(over: Game) -> None:
    rated(over, lost=0.02)
    found = review_figures.result_breakdowns(told(over))
    assert sum(fate.luck for fate in found) == pytest.approx(0)
    assert sum(fate.result for fate in found) == pytest.approx(0)
    for fate in found:
        assert fate.luck - fate.given_away + fate.got == pytest.approx(fate.result)
    best = max(range(3), key=over.state["cash"].__getitem__)
    assert found[best].result == pytest.approx(2 / 3)


def test_luck_is_shown_only_with_all_assessments_and_a_result(over: Game) -> None:
    rated(over)
    GameReview.objects.update(done=None, rated=5)
    assert review_figures.result_breakdowns(told(over)) == []
    assert wording.LUCK_AND_SKILL not in text(page(over))
    GameReview.objects.update(done=timezone.now())
    assert wording.LUCK_AND_SKILL in text(page(over))


def test_game_without_a_result_has_a_review_without_one(start: NewGame, alice: User, bob: User) -> None:
    game = rated(broken_off(start(alice, bob)))
    assert review_figures.result_breakdowns(told(game)) == []
    assert wording.ENDED_WITHOUT_RESULT in text(page(game))
    assert "Where the money came from" in text(page(game))


def test_luck_and_play_of_an_early_end_add_up_too(start: NewGame, alice: User, bob: User) -> None:
    """Bonuses are counted as if paid, although they never entered the cash."""
    game = broken_off(start(alice, bob), Game.Ending.STANDINGS)
    shown = text(page(game))
    assert "Where the money came from" in shown
    assert "Money in and out" not in shown
    for dollars in told(game).turns[-1].worth:
        assert f"${dollars:,}" in shown


def test_decisions_by_a_stand_in_do_not_count_for_the_player(over: Game) -> None:
    """Nor do those of the house after a timeout, and of an earlier player of the seat."""
    rated(over)
    seat = seat_of(over, "alice")
    mine = [entry.number for entry in over.moves.filter(seat=seat)][:9]
    LogEntry.objects.filter(game=over, number__in=mine).update(author=LogEntry.Author.HOUSE, user=None)
    players = {play.player for play in review_figures.player_accuracy(told(over))}
    assert Player(seat, "alice", True) in players
    assert Player(seat, "alice", False) in players
    computers = [player for player in players if over.seats.get(number=player.seat).bot_level]
    assert [player.stand_in for player in computers] == [False]
    assert "alice (computer player)" in text(page(over))


def test_dearest_decisions_come_first(over: Game) -> None:
    rated(over, seat=0, lost=0.02)
    worst = MoveAssessment.objects.filter(game=over)[4]
    MoveAssessment.objects.filter(pk=worst.pk).update(chance=0.1)
    found = review_figures.costliest_moves(told(over), most=5)
    assert len(found) == 5
    assert found[0].number == worst.number


def test_page_begins_with_the_costliest_decision_of_its_reader(over: Game, alice: User, bob: User) -> None:
    rated(over, seat=seat_of(over, "alice"), lost=0.05)
    rated_moves = list(MoveAssessment.objects.filter(game=over))
    MoveAssessment.objects.filter(pk=rated_moves[2].pk).update(chance=0.3)
    shown = page(over, alice)
    assert shown.context["shown"]["at"] == rated_moves[2].number
    assert "Expert would buy nothing." in text(shown)
    assert page(over, bob).context["shown"]["at"] == over.version
    assert page(over).context["shown"]["at"] == rated_moves[2].number


def test_list_shows_every_move_with_its_mark(over: Game) -> None:
    rated(over, seat=0, lost=0.02)
    every = list(MoveAssessment.objects.filter(game=over))
    MoveAssessment.objects.filter(pk=every[3].pk).update(chance=F("best_chance"))
    MoveAssessment.objects.filter(pk=every[4].pk).update(chance=F("best_chance"), others=[["pass", 0.4, 0]])
    rows = page(over).context["rows"]
    assert [row["number"] for row in rows] == list(range(1, over.version + 1))
    marks = {row["number"]: row["mark"] and row["mark"]["css"] for row in rows}
    assert marks[every[2].number] == "slip"
    assert marks[every[3].number] is None
    assert marks[every[4].number] == "best"
    turns = [row["turn"] for row in rows if row["turn"]]
    assert turns == list(range(1, len(told(over).turns)))


def test_moves_that_were_taken_back_are_left_out(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 1)
    entry = game.moves.get()
    take_back(game_id=game.pk, number=2, to=0, by=User.objects.get(pk=entry.user_id))
    concede(game_id=game.pk, by=alice)
    shown = page(game).context
    assert [row["number"] for row in shown["rows"]] == list(range(2, shown["shown"]["last"] + 1))


# -- Progress ------------------------------------------------------------------------------------------


def test_page_says_how_far_the_assessment_is(over: Game) -> None:
    GameReview.objects.filter(game=over).update(rated=over.version // 2)
    shown = page(over)
    assert re.search(r"Expert has reviewed (49|50)% of the log so far", text(shown))
    assert "every 10s" in shown.content.decode()
    part = Client().get(reverse("game-review", args=[over.public_id]), {"at": 3}, **HTMX).content.decode()
    assert '<div id="review-side"' in part
    assert part.count('class="current"') == 1
    rated(over)
    assert "every 10s" not in page(over).content.decode()


def test_players_can_request_the_assessment_of_an_old_game(over: Game, alice: User, carol: User) -> None:
    """The game ended before there were assessments."""
    GameReview.objects.all().delete()
    address = reverse("game-review", args=[over.public_id])
    assert "Review decisions" in text(page(over, alice))
    assert "Review decisions" not in text(page(over, carol))
    client = Client()
    assert client.post(address).status_code == 302
    client.force_login(carol)
    assert client.post(address).status_code == 404
    assert not GameReview.objects.exists()
    client.force_login(alice)
    assert client.post(address).status_code == 302
    assert GameReview.objects.filter(game=over, done=None).exists()
    assert client.post(address).status_code == 404


# -- Time ----------------------------------------------------------------------------------------------


def test_thinking_time_runs_from_the_question_to_the_end_of_the_answer(over: Game) -> None:
    """Each entry comes a minute after the one before."""
    for entry in over.moves.all():
        LogEntry.objects.filter(pk=entry.pk).update(created_at=over.started + timedelta(minutes=entry.number))
    found = {pace.player.seat: pace for pace in review_figures.paces(told(over).look)}
    mine = seat_of(over, "alice")
    assert set(found) == {mine, seat_of(over, "bob")}
    runs: list[int] = []
    last = None
    for entry in over.moves.all():
        if entry.seat == mine:
            if last == mine:
                runs[-1] += 1
            else:
                runs.append(1)
        last = entry.seat
    assert found[mine].times == len(runs)
    assert found[mine].longest == timedelta(minutes=max(runs))
    assert found[mine].median == timedelta(minutes=median(runs))


def test_pause_is_not_thinking_time(over: Game) -> None:
    """The decider begins to think when the game goes on."""
    mine = seat_of(over, "alice")
    numbers = [entry.number for entry in over.moves.filter(seat=mine, number__gt=9)]
    ruled = next(number for number in numbers if over.moves.get(number=number - 1).seat != mine) - 1
    made = over.moves.get(number=ruled + 1).created_at
    LogEntry.objects.filter(game=over, number__gt=ruled).update(created_at=made + timedelta(days=3))
    before = {pace.player.seat: pace for pace in review_figures.paces(told(over).look)}
    assert before[mine].longest >= timedelta(days=3)
    entry = over.moves.get(number=ruled)
    look = told(over).look
    pause = LogEntry(
        game=over, number=ruled, kind=LogEntry.Kind.RULING, text="resume", created_at=made + timedelta(days=3)
    )
    at = next(at for at, other in enumerate(look.entries) if other.number == entry.number)
    look.entries[at] = pause
    after = {pace.player.seat: pace for pace in review_figures.paces(look)}
    assert after[mine].longest < timedelta(hours=1)


# -- Cost ----------------------------------------------------------------------------------------------


def test_review_takes_the_same_few_queries_for_any_length(start: NewGame, alice: User, bob: User) -> None:
    taken = []
    for moves in (40, 10_000):
        game = played_out(start(alice, bob, "random"), moves=moves)
        if game.is_running:
            concede(game_id=game.pk, by=alice)
            concede(game_id=game.pk, by=bob)
        rated(Game.with_secrets.get(pk=game.pk))
        client, address = Client(), reverse("game-review", args=[game.public_id])
        client.force_login(alice)
        client.get(address)
        with CaptureQueriesContext(connection) as counted:
            assert client.get(address).status_code == 200
        taken.append(len(counted))
    assert taken[0] == taken[1] <= MOST_QUERIES


def test_other_rule_system_has_reviews_too(alice: User, bob: User) -> None:
    game = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, bob], options={}, skips=False
    )
    game = played_out(game)
    shown = text(page(game, alice))
    assert "Buildings" in shown
    assert "Time per move" in shown
    assess_next_moves(game.pk, 0.2)
    assert MoveAssessment.objects.filter(game=game).exists()
    GameReview.objects.update(done=timezone.now())
    assert "Accuracy" in text(page(game))
    assert wording.LUCK_AND_SKILL not in text(page(game))
