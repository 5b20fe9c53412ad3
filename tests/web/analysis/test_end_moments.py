"""The moments of a finished game that its table fetches."""

import re

import pytest
from django.urls import reverse

from accounts.models import User
from games.analysis.review_figures import game_review, turning_points
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.web.presenters.table_people import money
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    return played_out(start(alice, bob, "random"))


def moments(game: Game, user: User | None = None) -> str:
    address = reverse("game-review", args=[game.public_id])
    answer = client_of(user).get(address, {"end": 1}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    html: str = answer.content.decode()
    return html


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def assess(game: Game, user: User, *losses: float, rated: int | None = None) -> list[MoveAssessment]:
    """Store assessments of the member's first moves with these losses."""
    moves = LogEntry.objects.filter(game=game, user=user, kind=LogEntry.Kind.MOVE)[: len(losses)]
    GameReview.objects.update_or_create(
        game=game, defaults={"rated": game.version if rated is None else rated}
    )
    return MoveAssessment.objects.bulk_create(
        MoveAssessment(
            game=game,
            number=move.number,
            seat=move.seat or 0,
            best="buy nothing",
            chance=0.9 - lost,
            best_chance=0.9,
            lead=0.0,
            best_lead=0.0,
        )
        for move, lost in zip(moves, losses, strict=True)
    )


def test_three_turning_points_say_what_happened(over: Game) -> None:
    found = turning_points(game_review(over.public_id, User(pk=None)).turns, most=3)
    shown = moments(over)
    assert len(found) == 3
    for point in found:
        assert reverse("review-moment", args=[over.public_id, point.after]) in shown
        assert f"Turn {point.turn}" in shown
    assert " placed " in text(shown)


def test_turning_point_of_a_team_game_names_the_team(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = played_out(start(alice, bob, carol, "random", teams="two", seating="joining"))
    points = turning_points(game_review(game.public_id, User(pk=None)).turns, game.teams, most=3)
    shown = text(moments(game))
    for point in points:
        team = ("alice and carol", f"bob and {game.seats.get(user=None).name}")[point.side]
        assert f"Team {point.side + 1} ({team}) gained {money(point.gained)} on everyone else" in shown


def test_each_turning_point_shows_its_board_with_the_tile_of_the_turn(over: Game) -> None:
    shown = moments(over)
    assert shown.count('class="mini-board"') == shown.count('class="shapes"') == 3
    assert shown.count('class="ring"') == 3


def test_turning_point_marks_the_worst_decision_of_its_turn(over: Game) -> None:
    point = turning_points(game_review(over.public_id, User(pk=None)).turns, most=3)[0]
    GameReview.objects.update(rated=over.version)
    move = LogEntry.objects.get(game=over, number=point.after)
    for lost, mark in ((0.01, ""), (0.03, "Slip"), (0.07, "Mistake"), (0.2, "Blunder")):
        MoveAssessment.objects.filter(game=over).delete()
        MoveAssessment.objects.create(
            game=over,
            number=move.number,
            seat=move.seat or 0,
            best="buy nothing",
            chance=0.9 - lost,
            best_chance=0.9,
            lead=0.0,
            best_lead=0.0,
        )
        listed = moments(over).partition("turning-points")[2]
        assert [word for word in ("Slip", "Mistake", "Blunder") if word in listed] == ([mark] if mark else [])


def test_costliest_decision_has_a_mark_and_the_board_before_it(over: Game, alice: User) -> None:
    [worst] = assess(over, alice, 0.12)
    shown = moments(over, alice).partition("Turning points")[0]
    assert "?? Blunder" in text(shown)
    position = reverse("review-moment", args=[over.public_id, worst.number])
    assert f'<a class="mini-board" href="{position}"' in shown


def test_player_sees_the_own_costliest_decision(over: Game, alice: User, bob: User) -> None:
    assess(over, alice, 0.01, 0.12, 0.03)
    assess(over, bob, 0.3)
    assert "12.0 points lost" in text(moments(over, alice))
    assert "Your costliest decision" in text(moments(over, alice))
    assert re.search(r"You [^:.]+\. Expert would buy nothing\.", text(moments(over, alice)))
    assert "30.0 points lost" in text(moments(over, bob))
    assert "30.0 points lost" in text(moments(over))
    assert "The costliest decision" in text(moments(over))


def test_costliest_decision_can_be_tried_again_by_everybody(over: Game, alice: User) -> None:
    [_, worst] = assess(over, alice, 0.01, 0.12)
    link = f'href="{reverse("review-retry", args=[over.public_id, worst.number])}"'
    assert link in moments(over, alice)
    assert link in moments(over)


def test_moments_ask_again_while_the_review_is_under_way(over: Game, alice: User) -> None:
    assess(over, alice, 0.12, rated=1)
    assert 'hx-trigger="every 10s"' in moments(over, alice)
    GameReview.objects.update(rated=over.version)
    assert "hx-trigger" not in moments(over, alice)


def test_running_game_has_no_moments(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob), moves=60)
    address = reverse("game-review", args=[game.public_id])
    answer = client_of(alice).get(address, {"end": 1}, headers={"HX-Request": "true"})
    assert answer.status_code == 404


def test_table_of_a_finished_game_fetches_its_moments(over: Game, alice: User) -> None:
    table = client_of(alice).get(over.get_absolute_url()).content.decode()
    assert f'hx-get="{reverse("game-review", args=[over.public_id])}?end=1"' in table
    assert table.index("podium") < table.index("Rematch") < table.rindex(wording.GAME_REVIEW)
    assert "Share result" in table
