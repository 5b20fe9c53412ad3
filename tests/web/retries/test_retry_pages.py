"""The pages on which members retry their mistakes."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game, LogEntry, Mistake, PuzzleAnswer
from games.privacy.personal_data import my_data
from tests.puzzles.made_puzzles import game_source, make_puzzle
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end
from tests.support.htmx import HTMX
from tests.support.reviewed_games import count, make_mistake

pytestmark = pytest.mark.django_db


def placing(entry: LogEntry) -> bool:
    return entry.text.startswith("place")


@pytest.fixture
def finished(start: NewGame, alice: User, bob: User) -> Game:
    return play_to_the_end(start(alice, bob, terms={"visibility": "public", "name": "Autumn cup"}))


@pytest.fixture
def mistake(finished: Game, alice: User) -> Mistake:
    return make_mistake(finished, alice, placing)


def url(mistake: Mistake) -> str:
    return f"/retry/{mistake.pk}/"


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def send(client: Client, mistake: Mistake, move: str, **headers: str) -> Any:
    return client.post(url(mistake), {"move": move}, headers=headers)


def played(mistake: Mistake) -> str:
    return LogEntry.objects.get(game=mistake.decision.review.game_id, number=mistake.decision.number).text


def test_overview_leads_to_the_next_mistake(mistake: Mistake, alice: User) -> None:
    html = page(client_of(alice), "/retry/")
    assert "You can retry 1 mistake now." in html
    assert f'href="{url(mistake)}"' in html


def test_overview_says_where_mistakes_come_from(alice: User) -> None:
    assert "You have no mistakes to retry yet." in page(client_of(alice), "/retry/")


def test_strangers_log_in_first(mistake: Mistake) -> None:
    for address in ("/retry/", url(mistake)):
        answer = client_of().get(address)
        assert answer.status_code == 302 and "/accounts/login/" in answer["Location"]


def test_question_shows_the_board_and_not_the_answer(mistake: Mistake, alice: User) -> None:
    html = page(client_of(alice), url(mistake))
    assert "Your move in the game lost 20.0 points of winning chance." in html
    assert f'action="{url(mistake)}"' in html
    assert '<p class="game-name task">Retry your mistake: your first answer counts</p>' in html
    assert "evaluation" not in html and "In the game you chose" not in html and "Autumn cup" not in html


@pytest.fixture
def team_mistake(start: NewGame, alice: User, bob: User, carol: User) -> Mistake:
    """A mistake of alice, who played with carol against bob and a computer player."""
    game = play_to_the_end(start(alice, bob, carol, "random", teams="two", seating="joining"))
    return make_mistake(game, alice, placing)


def test_question_of_a_team_game_shows_who_plays_with_whom(team_mistake: Mistake, alice: User) -> None:
    html = page(client_of(alice), url(team_mistake))
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    assert "Team 1: P1 and P3" in text and "Team 2: P2 and P4" in text
    assert "2 teams</a>" in html


def test_solution_of_a_team_game_tells_the_lead_of_the_team(team_mistake: Mistake, alice: User) -> None:
    client = client_of(alice)
    send(client, team_mistake, team_mistake.best)
    assert "How far your team is ahead of the best other team" in page(client, url(team_mistake))


def test_right_answer_is_explained_and_says_when_it_comes_back(mistake: Mistake, alice: User) -> None:
    client = client_of(alice)
    answer = send(client, mistake, mistake.best)
    assert answer.status_code == 302 and answer["Location"] == url(mistake)
    html = page(client, url(mistake))
    for words in (
        "Correct",
        "Expert’s evaluation",
        "In the game you chose",
        "Autumn cup",
        "This mistake comes back on",
    ):
        assert words in html, words
    assert 'id="decision"' not in html
    overview = page(client, "/retry/")
    assert "You have no mistakes to retry now." in overview and "1 mistake comes back later, on" in overview


def test_wrong_answer_shows_the_better_move(mistake: Mistake, alice: User) -> None:
    client = client_of(alice)
    send(client, mistake, played(mistake))
    html = page(client, url(mistake))
    assert wording.THERE_WAS_A_BETTER_MOVE in html
    told = [row for row in re.findall(r'<th scope="row">(.*?)</th>', html, re.DOTALL) if "badge" in row]
    assert ["Best" in row for row in told] == [True, False]
    assert ["Yours" in row for row in told] == [False, True]


def test_form_of_the_table_is_read(mistake: Mistake, alice: User) -> None:
    tile = mistake.best.removeprefix("place ")
    answer = client_of(alice).post(url(mistake), {"kind": "place", "tile": tile})
    assert answer.status_code == 302
    assert Mistake.objects.get(pk=mistake.pk).right


def test_htmx_gets_the_table_alone(mistake: Mistake, alice: User) -> None:
    answer = send(client_of(alice), mistake, mistake.best, **{"HX-Request": "true"})
    html = answer.content.decode()
    assert answer.status_code == 200 and "<html" not in html and "Correct" in html


def test_stale_answer_gets_a_sentence(mistake: Mistake, alice: User) -> None:
    client = client_of(alice)
    send(client, mistake, mistake.best)
    answer = send(client, mistake, played(mistake))
    assert answer.status_code == 409
    assert "You have already answered this one. It comes back on" in answer.content.decode()


def test_foreign_and_unknown_mistakes_get_a_sentence(mistake: Mistake, bob: User) -> None:
    client = client_of(bob)
    for address in (url(mistake), "/retry/999999/"):
        assert "This is not one of your mistakes." in page(client, address, 404)
        answer = client.post(address, {"move": mistake.best})
        assert answer.status_code == 404 and "This is not one of your mistakes." in answer.content.decode()
        # An open page loads again, and then says so.
        assert client.post(address, {"move": mistake.best}, **HTMX).headers["HX-Redirect"] == address
    assert Mistake.objects.get(pk=mistake.pk).answers == 0


@pytest.mark.parametrize(
    "data", [{}, {"move": "dance"}, {"kind": "buy", "tower": "99"}, {"kind": "x"}], ids=str
)
def test_invalid_answer_gets_a_sentence(mistake: Mistake, alice: User, data: dict[str, str]) -> None:
    answer = client_of(alice).post(url(mistake), data)
    assert answer.status_code == 422
    assert 'class="problem" role="alert"' in answer.content.decode()
    assert Mistake.objects.get(pk=mistake.pk).answers == 0


def test_opening_a_page_changes_nothing(mistake: Mistake, alice: User) -> None:
    client = client_of(alice)
    client.get("/retry/")  # a visit is recorded once a day
    with CaptureQueriesContext(connection) as asked:
        page(client, "/retry/")
        page(client, url(mistake))
    assert not [query for query in asked.captured_queries if not query["sql"].startswith("SELECT")]


def test_pages_take_the_same_few_queries_for_any_number_of_mistakes(
    finished: Game, mistake: Mistake, alice: User
) -> None:
    client = client_of(alice)
    client.get("/retry/")

    def queries() -> list[int]:
        taken = []
        for address in (
            "/retry/",
            url(Mistake.objects.filter(user=alice, estimates__isnull=False).latest("pk")),
        ):
            with CaptureQueriesContext(connection) as asked:
                page(client, address)
            taken.append(len(asked))
        return taken

    few = queries()
    count(finished, lambda entry: 0.2)
    Mistake.objects.update(estimates=[["pass", 0.5, 0.0, 1]], best="pass")
    assert Mistake.objects.count() > 5
    assert queries() == few
    assert max(few) <= 10, few


def test_choices_of_players_of_the_same_rating_are_told_where_enough_have_answered(
    finished: Game, mistake: Mistake, alice: User
) -> None:
    puzzle = make_puzzle(game_source(finished), wanted=lambda one: one.number == mistake.decision.number)
    client = client_of(alice)
    send(client, mistake, mistake.best)
    for number in range(5):
        assert "players with a similar rating" not in page(client, url(mistake))
        other = User.objects.create_user(f"peer-{number}")
        _rate(other)
        PuzzleAnswer.objects.create(
            puzzle=puzzle, user=other, move=mistake.best if number else played(mistake), right=False
        )
    html = page(client, url(mistake))
    assert "5 other players with a similar rating have answered this position." in html
    assert re.search(r"4 chose “[^”]*”\. 1 chose “", html)


def _rate(user: User) -> None:
    from games.models import Rating

    Rating.objects.create(
        user=user, system="acquire", mu=25.5, sigma=3, games=9, wins=3, standing=20, ranked=True
    )


def test_mistakes_are_in_the_personal_data(mistake: Mistake, alice: User) -> None:
    send(client_of(alice), mistake, mistake.best)
    files = dict(my_data(alice))
    assert b'"right_answers": 1' in files["retries.json"]
    assert b'"theme": "place"' in files["insights.json"]
