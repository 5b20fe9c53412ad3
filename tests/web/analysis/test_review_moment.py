"""The moments of a game review: what each shows, and the steps between them."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.analysis.review_moments import moment_at
from games.lobby.practice_table import end_practice
from games.models import Game, GameVisit
from games.play.seats.concession import concede
from tests.support import wording
from tests.support.assessed_moves import assess_as, choices_of, view_of
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.htmx import HTMX
from tests.support.practice_tables import decide, device_of, practise
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    game = played_out(start(alice, bob, "random"))
    Game.objects.filter(pk=game.pk).update(visibility="public")
    return game


def address(game: Game, number: int) -> str:
    return reverse("review-moment", args=[game.public_id, number])


def shown(game: Game, number: int, user: User | None = None) -> Any:
    answer = client_of(user).get(address(game, number))
    assert answer.status_code == 200
    return answer


def text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_moment_is_a_link_of_the_list_and_of_the_steps(over: Game) -> None:
    page = shown(over, 7)
    links = re.findall(r'href="([^"]*)"', page.content.decode())
    for number in (0, 6, 8, over.version):
        assert address(over, number) in links
    steps = {name: to for name, _label, to in page.context["shown"]["steps"]}
    assert steps == {"first": 0, "before": 6, "after": 8, "last": over.version}


def test_ends_have_no_step_further(over: Game) -> None:
    first = {name: to for name, _label, to in shown(over, 0).context["shown"]["steps"]}
    last = {name: to for name, _label, to in shown(over, over.version).context["shown"]["steps"]}
    assert (first["first"], first["before"], first["after"]) == (None, None, 1)
    assert (last["last"], last["after"], last["before"]) == (None, None, over.version - 1)


def test_moment_beyond_the_log_is_the_last_one(over: Game) -> None:
    for number in (over.version + 1, 10**8):
        assert Client().get(address(over, number)).headers["Location"] == address(over, over.version)


def test_running_game_has_no_moments(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob), moves=60)
    for user in (alice, None):
        for name in ("review-moment", "review-retry", "moment-picture"):
            page = reverse(name, args=[game.public_id, 7])
            assert client_of(user).get(page).status_code == 404


def test_moment_is_alone_for_htmx(over: Game) -> None:
    part = Client().get(address(over, 7), **HTMX).content.decode()
    assert part.lstrip().startswith('<section class="review-stage"')
    assert "review-moves" not in part
    assert 'data-at="7"' in part


def test_board_marks_what_the_entry_changed(over: Game) -> None:
    number = next(entry.number for entry in over.moves.all() if entry.text.startswith("place"))
    page = shown(over, number)
    changed = moment_at(view_of(over), number).changed
    marked = [square for row in page.context["board"] for square in row.squares if "new" in square.css]
    assert len(marked) == len(changed) == 1


def test_everything_hidden_is_shown(over: Game) -> None:
    page = shown(over, 7)
    hidden = moment_at(view_of(over), 7).hidden
    assert [tiles for _name, tiles in page.context["all_hands"]] == hidden["hands"]
    assert wording.HIDDEN_INFORMATION in text(page)
    assert bytes(over.seed).hex() in page.content.decode()


def test_better_move_is_drawn_on_the_board(over: Game) -> None:
    tile, other = choices_of(over, "place")[:2]
    assess_as(over, tile)
    assess_as(over, other, lost=0)
    assert '<svg class="outcome better"' in shown(over, tile.number).content.decode()
    for number in (other.number, tile.number + 1):
        assert '<svg class="outcome better"' not in shown(over, number).content.decode()


def test_decision_is_compared_with_the_better_one(over: Game, alice: User) -> None:
    entry = next(entry for entry in choices_of(over, "place") if entry.user_id == alice.pk)
    rated = assess_as(over, entry, lost=0.12)
    told = text(shown(over, entry.number, alice))
    tile = entry.text.removeprefix("place ")
    assert f"You placed {tile} ." in told or f"You placed {tile}." in told
    assert f"Expert would place {rated.best.removeprefix('place ')}." in told
    assert "?? Blunder" in told
    assert "12.0 points and $1,700 lost" in told
    assert "38% winning chance" in told and "50% winning chance" in told
    retry = reverse("review-retry", args=[over.public_id, entry.number])
    assert f'href="{retry}"' in shown(over, entry.number).content.decode()


def test_decision_without_a_mark_offers_no_retry(over: Game) -> None:
    entry = choices_of(over)[0]
    assess_as(over, entry, lost=0.01)
    assert ">Retry<" not in shown(over, entry.number).content.decode()


def test_moment_without_an_assessment_says_so(over: Game) -> None:
    assert "No assessment for this moment." in text(shown(over, 1))


def test_chances_of_the_moment_are_a_bar_and_words(over: Game, alice: User) -> None:
    entry = choices_of(over)[0]
    assess_as(over, entry, lost=0.1)
    page = shown(over, entry.number, alice)
    said = page.context["shown"]["chances_said"]
    assert "40%" in said and said.count("30%") == 2 and "you" in said
    assert page.content.decode().count("<rect x=") == 3
    assert page.context["shown"]["chances_said"] != shown(over, 0).context["shown"]["chances_said"]


def test_next_mistake_is_the_readers_own_and_comes_round(over: Game, alice: User) -> None:
    mine = [entry for entry in choices_of(over) if entry.user_id == alice.pk]
    other = next(entry for entry in choices_of(over) if entry.user_id != alice.pk)
    for entry in (mine[0], mine[4], other):
        assess_as(over, entry)
    assess_as(over, mine[2], lost=0.01)
    following = [
        shown(over, at, alice).context["shown"]["mistake"] for at in (0, mine[0].number, mine[4].number)
    ]
    assert following == [mine[0].number, mine[4].number, mine[0].number]
    assert {shown(over, at).context["shown"]["mistake"] for at in (0, mine[4].number)} <= {
        mine[0].number,
        other.number,
        mine[4].number,
    }


def test_only_mistake_has_no_next_one(over: Game, alice: User) -> None:
    entry = next(entry for entry in choices_of(over) if entry.user_id == alice.pk)
    assess_as(over, entry)
    assert "Next mistake" not in text(shown(over, entry.number, alice))
    assert "Next mistake" in text(shown(over, over.version, alice))


def test_moment_names_only_players_who_had_conceded_by_then(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, "random"), 30)
    concede(game_id=game.pk, by=bob)
    game = play_to_the_end(game)
    for number, expected in ((30, False), (31, True)):
        page = shown(game, number)
        assert ("(conceded)" in text(page).partition("Hidden information")[0]) in (expected, False)
    assert "conceded" in text(shown(game, 31))


def test_end_shows_the_result(over: Game) -> None:
    page = shown(over, over.version)
    cash = [seat.cash for seat in page.context["stocks"].seats]
    assert cash == [f"${dollars:,}" for dollars in over.state["cash"]]


def test_review_does_not_mark_the_game_as_seen(over: Game, alice: User) -> None:
    shown(over, 7, alice)
    assert not GameVisit.objects.filter(game=over, user=alice).exists()


def test_practice_table_is_reviewed_on_its_device(alice: User, bob: User) -> None:
    game = practise(alice, people=("Ann", "Ben"))
    for _ in range(4):
        game = decide(game)
    end_practice(game_id=game.pk, by=alice, kind="standings")
    assert device_of(alice).get(address(game, 2)).status_code == 200
    for stranger in (device_of(bob), Client()):
        assert stranger.get(address(game, 2)).status_code == 404


# -- Sharing -------------------------------------------------------------------------------------------


def test_moment_of_a_public_game_has_a_link_preview_with_its_own_picture(over: Game, settings: Any) -> None:
    settings.SITE_URL = "https://club.example"
    page = shown(over, 9).content.decode()
    assert f'<meta property="og:url" content="https://club.example{address(over, 9)}">' in page
    picture = reverse("moment-picture", args=[over.public_id, 9])
    assert f'<meta property="og:image" content="https://club.example{picture}">' in page
    assert f'data-share="https://club.example{address(over, 9)}"' in page


def test_picture_of_a_moment_is_that_of_its_board(over: Game) -> None:
    entry = choices_of(over)[5]
    assess_as(over, entry)
    pictures = [
        Client().get(reverse("moment-picture", args=[over.public_id, number]))
        for number in (entry.number, over.version // 2)
    ]
    assert [one["Content-Type"] for one in pictures] == ["image/png"] * 2
    assert pictures[0].content != pictures[1].content
    beyond = reverse("moment-picture", args=[over.public_id, over.version + 1])
    assert Client().get(beyond).status_code == 404


def test_picture_of_a_private_game_is_for_its_players(over: Game, alice: User, carol: User) -> None:
    Game.objects.filter(pk=over.pk).update(visibility="unlisted")
    picture = reverse("moment-picture", args=[over.public_id, 9])
    assert client_of(alice).get(picture).status_code == 200
    assert picture in shown(over, 9, alice).content.decode()
    for stranger in (carol, None):
        assert client_of(stranger).get(picture).status_code == 404
        assert picture not in shown(over, 9, stranger).content.decode()
