"""The page to change the pace, and the proposal at the table."""

import re
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.log.pace_proposals import PACES
from games.models import Game
from games.refusals import PaceProposedRecently, ProposalChanged
from games.web.text.pace_text import PACE_NAMES
from tests.support.clients import client_of
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


def text_of(answer: Any) -> str:
    """Return the text of a page without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, preset="course", terms={"pace": 30, "bank": 180, "cap": 180})


def page(game: Game, user: User) -> Any:
    return client_of(user).get(reverse("pace", args=[game.public_id]))


def propose(game: Game, user: User, pace: str) -> Any:
    return client_of(user).post(reverse("pace", args=[game.public_id]), {"pace": pace})


def answer(game: Game, user: User, pace: str, say: str) -> Any:
    url = reverse("answer-pace", args=[game.public_id, pace])
    return client_of(user).post(url, {"say": say})


def table(game: Game, user: User) -> str:
    return text_of(client_of(user).get(game.get_absolute_url()))


def test_menu_of_the_table_leads_to_the_page(game: Game, alice: User, carol: User) -> None:
    url = reverse("pace", args=[game.public_id])
    assert url in client_of(alice).get(game.get_absolute_url()).content.decode()
    assert url not in client_of(carol).get(game.get_absolute_url()).content.decode()


def test_all_paces_but_the_present_one_are_offered(game: Game, alice: User) -> None:
    shown = page(game, alice).content.decode()
    assert [name for name in PACES if f'value="{name}"' in shown] == ["evening", "day", "days", "none"]
    assert "Live, 3\N{NO-BREAK SPACE}min + 30\N{NO-BREAK SPACE}s" in shown


def test_proposal_is_shown_at_the_table_and_answered(game: Game, alice: User, bob: User) -> None:
    assert propose(game, alice, "day")["Location"] == game.get_absolute_url()
    for user, asked in ((alice, False), (bob, True)):
        said = table(game, user)
        assert "alice proposes to play on by mail, with 1 day per move." in said
        assert ("Agree or keep the pace" in said) is asked
    assert answer(game, bob, "day", "yes").status_code == 302
    assert "1 day per move" in page(game, bob).content.decode()


def test_log_tells_of_the_vote_and_the_change(game: Game, alice: User, bob: User) -> None:
    propose(game, alice, "day")
    answer(game, bob, "day", "yes")
    said = text_of(client_of(bob).get(reverse("log", args=[game.public_id])))
    for sentence in (
        "alice proposed to play on by mail, with 1 day per move.",
        "You agreed to play on by mail, with 1 day per move.",
        "The game goes on by mail, with 1 day per move.",
    ):
        assert sentence in said


def test_refusals_are_told_in_a_sentence(game: Game, alice: User, bob: User) -> None:
    propose(game, alice, "day")
    answer(game, bob, "day", "no")
    late = answer(game, bob, "day", "yes")
    assert (late.status_code, str(ProposalChanged.message) in text_of(late)) == (409, True)
    again = propose(game, alice, "day")
    assert (again.status_code, str(PaceProposedRecently.message) in text_of(again)) == (409, True)


def test_bad_choices_are_told_in_a_sentence(game: Game, alice: User, bob: User) -> None:
    for pace, sentence in (("", "Choose a pace."), ("soon", "Select a valid choice.")):
        answered = propose(game, alice, pace)
        assert (answered.status_code, sentence in text_of(answered)) == (422, True)
    propose(game, alice, "day")
    unsaid = answer(game, bob, "day", "")
    assert (unsaid.status_code, "Choose whether to agree" in text_of(unsaid)) == (422, True)


def test_spectators_have_no_page(game: Game, carol: User) -> None:
    assert page(game, carol).status_code == 404
    assert propose(game, carol, "day").status_code == 404


def test_every_pace_has_words() -> None:
    assert set(PACE_NAMES) == set(PACES)
