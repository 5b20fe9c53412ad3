"""Planned turns on pages, as players and strangers use them."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby.departures import leave_all_games
from games.models import Game, Notification, PlannedTurn
from games.refusals import BotIsPlaying
from games.web.notifications.mail_sections import section
from tests.engine.rules.acquire.acquire_positions import position
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, put
from tests.support.htmx import HTMX
from tests.support.mailboxes import with_mailbox
from tests.support.planned_turns import board, log_of, plan_of, play, who

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A game in which seat 0 places a tile next, and seat 1 holds 5A, which would found a chain."""
    state = position({"lone": "4A"}, hands=("1I 2I 6A", "5A 9I", "1C 2C"), turn=0)
    return put(start(alice, bob, carol), state)


def plan_url(game: Game) -> str:
    return reverse("plan", args=[game.public_id])


def turn_url(game: Game, number: int | None = None) -> str:
    return reverse("turn", args=[game.public_id, game.version + 1 if number is None else number])


def form(game: Game, **data: str) -> dict[str, str]:
    return {"tile": "5A", "unchanged": "1", "board": board(game), "found": "tower", "buy1a": "tower", **data}


def test_plan_is_kept_and_read_back(game: Game) -> None:
    client = client_of(who(game, 1))
    answer = client.post(plan_url(game), form(game), follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain[-1][0] == game.get_absolute_url()
    assert f"{wording.PLACE_IF_NOTHING_CHANGES.format(tile='5A')} Found Tower. Buy 1 Tower." in page
    assert PlannedTurn.objects.get().plan_json["answers"] == {
        "found": ["found tower"],
        "buy": ["buy 1 tower"],
    }


def test_player_with_a_stand_in_can_neither_plan_nor_send_a_turn(game: Game) -> None:
    client = client_of(who(game, 0))
    before = client.get(game.get_absolute_url()).content.decode()
    assert "Play the whole turn in one go" in before
    game.seats.filter(number=0).update(bot_level="medium", replaced_at=game.last_change_at)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "Play the whole turn in one go" not in page and 'id="plan"' not in page
    for url in (plan_url(game), turn_url(game)):
        answer = client.post(url, form(game, tile="1I"))
        assert str(BotIsPlaying.message) in answer.content.decode()
    assert not PlannedTurn.objects.exists()


def test_htmx_gets_the_table_alone(game: Game) -> None:
    client = client_of(who(game, 1))
    page = client.post(plan_url(game), form(game), **HTMX).content.decode()
    assert "<html" not in page
    assert "Change plan" in page
    page = client.post(plan_url(game), {"withdraw": "1"}, **HTMX).content.decode()
    assert "Your plan is cancelled." in page
    assert "Plan my next turn" in page
    assert not PlannedTurn.objects.exists()


def test_refused_plan_returns_the_form_with_the_reason(game: Game) -> None:
    client = client_of(who(game, 1))
    sent = form(game, tile="", buy1a="luxor")
    for extra in ({}, HTMX):
        answer = client.post(plan_url(game), sent, **extra)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "Choose the tile to place." in page
        assert page.split('id="plan-buy1a"')[1].split("</select>")[0].count("selected") == 1
    assert not PlannedTurn.objects.exists()


@pytest.mark.parametrize(
    "sent", [{"tile": "99Z"}, {"tile": "5A", "buy1a": "moon"}, {}, {"board": "x", "unchanged": "1"}]
)
def test_malformed_plan_is_refused_with_a_message(sent: dict[str, str], game: Game) -> None:
    answer = client_of(who(game, 1)).post(plan_url(game), sent)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


def test_strangers_and_spectators_cannot_plan(game: Game) -> None:
    assert Client().post(plan_url(game), form(game)).status_code == 302
    assert client_of(User.objects.create_user("dora")).post(plan_url(game), form(game)).status_code == 403
    assert not PlannedTurn.objects.exists()


@pytest.mark.parametrize("name", ["plan", "turn"])
def test_address_of_the_form_leads_to_the_game(name: str, game: Game) -> None:
    url = plan_url(game) if name == "plan" else turn_url(game)
    assert client_of(who(game, 1)).get(url)["Location"] == game.get_absolute_url()


def test_stopped_plan_is_shown_with_its_reason_and_filled_in(game: Game) -> None:
    plan_of(game, 1, tile="5A", board=board(game), answers={"buy": ["buy 1 tower"]})
    game = play(game, "place 6A", "buy nothing")
    page = client_of(who(game, 1)).get(game.get_absolute_url()).content.decode()
    assert wording.YOUR_PLAN_STOPPED in page
    assert wording.BOARD_CHANGED_NEXT_TO.format(tile="5A", square="6A") in page
    assert "checked" in page.split('id="tile-5A"')[1].split(">")[0]
    assert '<details id="plan" class="disclosure" open>' in page


def test_mail_says_why_the_plan_stopped(game: Game) -> None:
    asked = with_mailbox(who(game, 1))
    plan_of(game, 1, tile="5A", board=board(game), answers={"buy": ["buy 1 tower"]})
    game = play(game, "place 6A", "buy nothing")
    told = section(list(Notification.objects.filter(game=game, user=asked, version=game.version)), asked)
    assert told is not None
    assert told.sentences == (
        f"{wording.YOUR_PLAN_STOPPED} {wording.BOARD_CHANGED_NEXT_TO.format(tile='5A', square='6A')}",
    )


# -- Whole turns ---------------------------------------------------------------------------------------------


def test_whole_turn_is_sent_and_played(game: Game) -> None:
    game = play(game, "place 1I", "buy nothing")
    client = client_of(who(game, 1))
    assert "Play the whole turn in one go" in client.get(game.get_absolute_url()).content.decode()
    for _press in range(2):
        answer = client.post(turn_url(game), form(game))
        assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    assert [text for _seat, text, _origin in log_of(game)[2:]] == ["place 5A", "found tower", "buy 1 tower"]


def test_refused_turn_keeps_the_form_as_sent(game: Game) -> None:
    game = play(game, "place 1I", "buy nothing")
    client = client_of(who(game, 1))
    answer = client.post(turn_url(game), form(game, buy1a="luxor"), **HTMX)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Sackson is not on the board" in page
    assert "selected" in page.split('value="5A"')[-1].split(">")[0]
    assert Game.objects.get(pk=game.pk).version == 2


def test_turn_for_a_taken_place_is_stale(game: Game) -> None:
    game = play(game, "place 1I", "buy nothing")
    answer = client_of(who(game, 1)).post(turn_url(game, 1), form(game))
    assert answer.status_code == 409
    assert Game.objects.get(pk=game.pk).version == 2


def test_member_who_confirms_moves_is_asked_before_a_turn_is_sent(game: Game) -> None:
    game = play(game, "place 1I", "buy nothing")
    User.objects.update(confirm_sending=True)
    client = client_of(who(game, 1))
    sent = form(game, unchanged="")
    answer = client.post(turn_url(game), sent, **HTMX)
    assert answer["HX-Retarget"] == "body"
    assert "Confirm this turn. Place 5A. Found Tower. Buy 1 Tower." in answer.content.decode()
    assert Game.objects.get(pk=game.pk).version == 2
    client.post(turn_url(game), {**sent, "sure": "1"})
    assert Game.objects.get(pk=game.pk).version == 5


# -- Personal data -------------------------------------------------------------------------------------------


def test_personal_data_contain_the_plan(game: Game) -> None:
    from games.privacy.personal_data import my_data

    plan_of(game, 1, tile="5A")
    for seat, known in ((0, False), (1, True)):
        files = dict(my_data(who(game, seat)))
        assert (b"5A" in files["plans.json"]) == known


def test_finished_game_shows_no_plan(game: Game) -> None:
    plan_of(game, 1, tile="5A")
    leave_all_games(who(game, 0))
    Game.objects.filter(pk=game.pk).update(
        status=Game.Status.FINISHED,
        finished=game.last_change_at,
        seat_to_move=None,
        waiting_for=None,
        deadline=None,
        bot_due_at=None,
    )
    page = client_of(who(game, 1)).get(game.get_absolute_url()).content.decode()
    assert "Your plan:" not in page and wording.YOUR_PLAN_STOPPED not in page
