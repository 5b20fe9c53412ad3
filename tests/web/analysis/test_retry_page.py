"""Second tries at decisions of finished games: the form, the verdicts, and that no game changes."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, LogEntry, MoveAssessment
from tests.support import wording
from tests.support.assessed_moves import assess_as, choices_of
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.support.htmx import HTMX
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    return played_out(start(alice, bob, "random"))


@pytest.fixture
def entry(over: Game, alice: User) -> LogEntry:
    """A tile that alice could have placed better."""
    return next(entry for entry in choices_of(over, "place") if entry.user_id == alice.pk)


@pytest.fixture
def rated(over: Game, entry: LogEntry) -> MoveAssessment:
    return assess_as(over, entry)


def address(rated: MoveAssessment) -> str:
    return reverse("review-retry", args=[rated.game.public_id, rated.number])


def answer(rated: MoveAssessment, move: str, client: Client | None = None, **extra: Any) -> Any:
    tile = move.removeprefix("place ")
    return (client or Client()).post(address(rated), {"kind": "place", "tile": tile}, **extra)


def text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_decision_is_asked_again_of_anybody(rated: MoveAssessment, alice: User) -> None:
    for user in (alice, None):
        page = client_of(user).get(address(rated))
        assert page.status_code == 200
        assert page.context["decision"].kind == "place"
        hand = {square.name for row in page.context["board"] for square in row.squares if square.choose}
        assert rated.best.removeprefix("place ") in hand
        assert f'action="{address(rated)}"' in page.content.decode()
        assert '<p class="game-name task">Retry: the game does not change</p>' in page.content.decode()


def test_question_does_not_give_the_answer_away(rated: MoveAssessment) -> None:
    told = text(Client().get(address(rated))).partition("Choose again")[0]
    assert "would place" not in told
    assert "best move is" not in text(Client().get(address(rated)))


def test_best_answer_is_right_and_says_why(rated: MoveAssessment) -> None:
    told = text(answer(rated, rated.best))
    assert "Correct" in told
    assert "Its winning chance is 50%, higher than any other move’s." in told
    assert "Expert puts your winning chance at 50%" in told


def test_played_answer_is_not_right(rated: MoveAssessment, entry: LogEntry) -> None:
    told = text(answer(rated, entry.text))
    assert wording.THERE_WAS_A_BETTER_MOVE in told
    assert "This was the move in the game. Its winning chance is 40%." in told
    assert "Its winning chance is 50%." in told


def test_answer_that_was_not_considered_is_called_unknown(
    rated: MoveAssessment, over: Game, entry: LogEntry
) -> None:
    page = Client().get(address(rated))
    hand = [square.name for row in page.context["board"] for square in row.squares if square.choose]
    known = {rated.best.removeprefix("place "), entry.text.removeprefix("place ")}
    other = next(name for name in hand if name not in known)
    assert "Expert did not consider this move" in text(answer(rated, f"place {other}"))
    MoveAssessment.objects.filter(pk=rated.pk).update(others=[[f"place {other}", 0.495, 150]])
    assert "Just as good" in text(answer(rated, f"place {other}"))
    MoveAssessment.objects.filter(pk=rated.pk).update(others=[[f"place {other}", 0.44, 150]])
    assert "Its winning chance is 44%." in text(answer(rated, f"place {other}"))


def test_verdict_comes_alone_for_htmx(rated: MoveAssessment) -> None:
    part = answer(rated, rated.best, **HTMX)
    assert part.status_code == 200
    assert "<html" not in part.content.decode()
    assert part.context["decision"] is None


@pytest.mark.parametrize("tile", ["99Z", "", "12I"])
def test_wrong_answer_gets_a_sentence_and_the_form_again(tile: str, rated: MoveAssessment) -> None:
    shown = Client().get(address(rated))
    hand = {square.name for row in shown.context["board"] for square in row.squares if square.choose}
    assert tile not in hand
    page = answer(rated, f"place {tile}")
    assert page.status_code == 422
    assert page.context["problem"]
    assert page.context["decision"].kind == "place"


def test_answer_of_another_kind_gets_a_sentence(rated: MoveAssessment) -> None:
    for form in ({"kind": "buy", "sure": "1"}, {"move": "buy nothing"}, {}):
        assert Client().post(address(rated), form).status_code == 422


def test_retry_changes_no_game(rated: MoveAssessment, over: Game, alice: User) -> None:
    before = list(Game.all_games.filter(pk=over.pk).values()), over.moves.count()
    answer(rated, rated.best, client_of(alice))
    answer(rated, "place 99Z", client_of(alice))
    assert (list(Game.all_games.filter(pk=over.pk).values()), over.moves.count()) == before


def test_decision_that_was_not_assessed_cannot_be_tried(rated: MoveAssessment, over: Game) -> None:
    for number in (rated.number + 1, 0, over.version + 1):
        page = reverse("review-retry", args=[over.public_id, number])
        assert Client().get(page).status_code == 404


def test_decision_whose_best_move_the_rules_refuse_cannot_be_tried(rated: MoveAssessment) -> None:
    MoveAssessment.objects.filter(pk=rated.pk).update(best="buy nothing")
    assert Client().get(address(rated)).status_code == 404


def test_open_page_of_a_decision_that_is_gone_loads_again(rated: MoveAssessment, entry: LogEntry) -> None:
    rated.delete()
    assert answer(rated, entry.text, **HTMX).headers["HX-Redirect"] == address(rated)


def test_verdict_leads_to_the_next_mistake(rated: MoveAssessment, over: Game, alice: User) -> None:
    assert "Retry the next mistake" not in text(answer(rated, rated.best, client_of(alice)))
    later = [entry for entry in choices_of(over) if entry.user_id == alice.pk][-1]
    other = assess_as(over, later)
    assert f'href="{address(other)}"' in answer(rated, rated.best, client_of(alice)).content.decode()


def test_too_many_answers_are_refused(rated: MoveAssessment, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "retry": "2/m/ip"}
    assert [answer(rated, rated.best).status_code for _ in range(3)] == [200, 200, 429]


def test_every_kind_of_decision_can_be_tried_again(over: Game) -> None:
    for kind in ("place", "found", "survivor", "dispose", "buy"):
        for entry in choices_of(over, kind)[:1]:
            rated = assess_as(over, entry)
            page = Client().get(address(rated))
            assert page.context["decision"].kind == kind
