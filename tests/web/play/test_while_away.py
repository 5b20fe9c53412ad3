"""The panel on what others did while a reader was away."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.archive.past_position import MAX_REPLAYED
from games.models import Game, LogEntry
from games.play.game_view import RECENT_ENTRIES
from games.play.seats.concession import concede
from games.play.seats.substitutes import take_over_seat
from games.play.visits import record_visit
from games.web.presenters.presenter_registry import PRESENTERS
from tests.support.clients import client_of
from tests.support.games import (
    NewGame,
    leave_to_bot,
    legal_move,
    play_on,
    play_to_the_end,
    play_until_asked,
)
from tests.support.htmx import HTMX

pytestmark = pytest.mark.django_db

AWAY = "While you were away"
PANEL = 'id="while-away"'


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A game in which alice is asked after some turns, and her page has shown it."""
    game = play_on(start(alice, bob, carol, terms={"pace": 60, "skips": False}), 12)
    return play_until_asked(game, alice)


def next_turn(game: Game, user: User) -> Game:
    """The game after the reader's whole turn, and those of the others, when the reader is asked again."""
    while game.waiting_for_id == user.pk:
        game = play_on(game, 1, seed=game.version)
    return play_until_asked(game, user)


def table(game: Game, reader: User | None, **query: int) -> str:
    """The answer to a page that asks for news."""
    client = Client() if reader is None else client_of(reader)
    answer = client.get(reverse("table", args=[game.public_id]), query, **HTMX)
    return unescape(answer.content.decode())


def page(game: Game, reader: User) -> str:
    return unescape(client_of(reader).get(game.get_absolute_url()).content.decode())


def panel(html: str) -> str:
    """The panel in an answer; "" if it leaves the page's panel as it is."""
    return html.partition(PANEL)[2].partition("</dialog>")[0]


def bought_by(game: Game, seat: int, since: int) -> list[Any]:
    entries = game.moves.filter(seat=seat, number__gt=since, text__startswith="buy ")
    return [event for entry in entries for event in entry.decoded_events if getattr(event, "shares", ())]


def test_page_that_comes_back_hears_what_the_others_did(game: Game, alice: User, bob: User) -> None:
    left = game.version
    while not bought_by(game, game.seats.get(user=bob).number, left):
        game = play_on(game, 1, seed=game.version)
    told = panel(table(game, alice, after=left, left=left))
    assert AWAY in told
    assert f"<b>{bob}</b> bought " in told
    assert "<b>You</b>" not in told
    assert f"Replay {game.version - left} moves" in told


def test_page_that_followed_while_hidden_hears_it_too(game: Game, alice: User) -> None:
    left, game = game.version, next_turn(game, alice)
    assert AWAY in panel(table(game, alice, after=game.version, left=left))


def test_page_that_was_there_all_the_time_hears_nothing(game: Game, alice: User) -> None:
    before, game = game.version, next_turn(game, alice)
    assert PANEL not in table(game, alice, after=before)
    answer = client_of(alice).get(reverse("table", args=[game.public_id]), {"left": game.version}, **HTMX)
    assert answer.status_code == 204


def test_single_move_of_another_player_is_not_worth_a_panel(game: Game, bob: User, carol: User) -> None:
    left, game = game.version, play_on(game, 1)
    assert PANEL not in table(game, bob, after=left, left=left)
    game = play_on(game, 1)
    assert AWAY in panel(table(game, bob, after=left, left=left))


def test_own_moves_on_another_page_are_not_missed(game: Game, alice: User) -> None:
    left = game.version
    while game.waiting_for_id == alice.pk:
        game = play_on(game, 1, seed=game.version)
    assert PANEL not in table(game, alice, after=left, left=left)


def test_single_move_that_a_computer_made_for_the_reader_is_told(game: Game, alice: User) -> None:
    leave_to_bot(game, alice)
    left = Game.objects.get(pk=game.pk).version
    game = play_on(game, 1)
    assert game.moves.get(number=left + 1).author == LogEntry.Author.COMPUTER
    told = panel(table(game, alice, after=left, left=left))
    assert "A computer player made 1 move for you." in told


def made_for(game: Game, user: User, since: int) -> int:
    """The moves that a computer has made for this player because there was a choice."""
    moves = game.moves.filter(number__gt=since, author=LogEntry.Author.COMPUTER, origin="")
    return moves.filter(seat=game.seats.get(user=user).number).count()


def test_moves_made_for_the_reader_are_all_counted_after_a_long_absence(game: Game, alice: User) -> None:
    leave_to_bot(game, alice)
    left = Game.objects.get(pk=game.pk).version
    game = play_on(game, RECENT_ENTRIES + 20)
    recent = made_for(game, alice, game.version - RECENT_ENTRIES - 1)
    assert recent < made_for(game, alice, left)
    told = panel(table(game, alice, after=left, left=left))
    assert f"A computer player made {made_for(game, alice, left)} moves for you." in told


def test_moves_before_the_reader_sat_there_are_those_of_another(game: Game, alice: User) -> None:
    dan = User.objects.create_user("dan")
    left, seat = game.version, game.seats.get(user=alice).number
    leave_to_bot(game, alice)
    game = play_on(game, 1)
    assert game.moves.get(number=game.version).author == LogEntry.Author.COMPUTER
    game.seats.filter(number=seat).update(reserved_until=None)
    take_over_seat(game_id=game.pk, number=seat, user=dan)
    told = panel(table(game, dan, after=left, left=left))
    assert "ran out of time. A computer player took over the seat." in told
    assert "for you" not in told


@pytest.mark.parametrize("reader", ["bob", None])
def test_ruling_of_another_is_told_without_any_move(
    reader: str | None, game: Game, alice: User, request: pytest.FixtureRequest
) -> None:
    left = game.version
    concede(game_id=game.pk, by=alice)
    told = panel(table(game, request.getfixturevalue(reader) if reader else None, after=left, left=left))
    assert f"{alice} conceded." in told


def test_own_ruling_on_another_page_is_not_told(game: Game, alice: User) -> None:
    left = game.version
    concede(game_id=game.pk, by=alice)
    assert PANEL not in table(game, alice, after=left, left=left)


def test_moves_without_news_are_counted(game: Game, monkeypatch: pytest.MonkeyPatch, alice: User) -> None:
    monkeypatch.setattr(PRESENTERS[game.system], "news", lambda events: [])
    left, game = game.version, play_on(game, 8)
    others = game.moves.filter(number__gt=left).exclude(seat=game.seats.get(user=alice).number).count()
    assert others > 1
    assert f"Other players made {others} moves." in panel(table(game, alice, after=left, left=left))
    assert "The players made 8 moves." in panel(table(game, None, after=left, left=left))


def test_moves_of_others_are_counted_beside_those_for_the_reader(
    game: Game, monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    leave_to_bot(game, alice)
    left = Game.objects.get(pk=game.pk).version
    game = play_on(game, 6)
    monkeypatch.setattr(PRESENTERS[game.system], "news", lambda events: [])
    others = game.moves.filter(number__gt=left).exclude(seat=game.seats.get(user=alice).number).count()
    assert others > 1
    told = panel(table(game, alice, after=left, left=left))
    assert "for you." in told
    assert f"Other players made {others} moves." in told


def test_loss_of_the_seat_is_told_with_the_moves_made_for_the_reader(game: Game, alice: User) -> None:
    left = game.version
    leave_to_bot(game, alice)
    game = play_on(game, 2)
    told = panel(table(game, alice, left=left))
    assert "A computer player took over" in told
    assert "made 2 moves for you." in told or "made 1 move for you." in told


def test_page_that_is_opened_again_tells_what_came_since(game: Game, alice: User) -> None:
    record_visit(game.pk, alice, game.version)
    game = next_turn(game, alice)
    assert AWAY in panel(page(game, alice))
    assert AWAY not in panel(page(game, alice))


REPLAY = re.compile(r'<a class="replay-link"\s+href="([^"]+)">Replay (\d+) moves</a>')


def test_panel_and_table_offer_the_same_replay(game: Game) -> None:
    dan = User.objects.create_user("dan")
    before = game.version
    record_visit(game.pk, dan, before)
    left = play_on(game, 2).version
    game = play_on(game, 3)
    answer = table(game, dan, after=left, left=left)
    assert AWAY in panel(answer)
    links = REPLAY.findall(answer)
    assert len(links) > 1
    begins = reverse("past-position", args=[game.public_id, before + 1])
    assert set(links) == {(begins, str(game.version - before))}


def test_replay_after_a_long_absence_begins_with_the_moves_of_the_table(game: Game, bob: User) -> None:
    """It plays as many moves as it says."""
    record_visit(game.pk, bob, game.version)
    game = play_on(game, RECENT_ENTRIES + 20)
    shown = game.moves.filter(number__gte=game.version - RECENT_ENTRIES, kind=LogEntry.Kind.MOVE)
    begins = reverse("past-position", args=[game.public_id, shown.earliest("number").number])
    answer = page(game, bob)
    assert set(REPLAY.findall(answer)) == {(begins, str(shown.count()))}
    played = re.search(r'data-moves="([^"]+)"', answer)
    assert played and len(played[1].split()) == MAX_REPLAYED


def test_one_sentence_is_read_out_and_not_the_whole_panel(game: Game, bob: User) -> None:
    left, game = game.version, play_on(game, 2)
    answer = table(game, bob, after=left, left=left)
    assert "status" not in panel(answer)
    said = re.search(r'<p id="away-announce"[^>]*role="status"[^>]*>([^<]*)</p>', answer)
    assert said and said[1] == "The game went on while you were away."
    assert said[1] not in page(game, bob)


def test_first_visit_misses_nothing(game: Game, alice: User) -> None:
    assert AWAY not in page(game, alice)


def test_spectator_hears_it_without_an_account(game: Game) -> None:
    left, game = game.version, play_on(game, 4)
    told = panel(table(game, None, after=left, left=left))
    assert AWAY in told
    assert "for you" not in told


def test_own_move_ends_the_panel(game: Game, alice: User) -> None:
    left, game = game.version, next_turn(game, alice)
    assert AWAY in panel(table(game, alice, left=left))
    form = {"kind": "place", "tile": legal_move(game).removeprefix("place ")}
    answer = (
        client_of(alice)
        .post(reverse("move", args=[game.public_id, game.version + 1]), form, **HTMX)
        .content.decode()
    )
    assert Game.objects.get(pk=game.pk).version > game.version
    assert PANEL in answer
    assert AWAY not in answer


def test_refused_move_leaves_the_panel(game: Game, alice: User) -> None:
    answer = client_of(alice).post(
        reverse("move", args=[game.public_id, game.version + 1]), {"kind": "place", "tile": "99Z"}, **HTMX
    )
    assert answer.status_code == 422
    assert PANEL not in answer.content.decode()


def test_finished_game_begins_with_its_result(game: Game, alice: User) -> None:
    left, game = game.version, play_to_the_end(game)
    assert PANEL not in table(game, alice, after=left, left=left)


@pytest.mark.parametrize("left", ["", "x", "-5", "1.5", "٣"])
def test_senseless_version_tells_nothing(left: str, game: Game, client: Client) -> None:
    answer = client.get(reverse("table", args=[game.public_id]), {"left": left}, **HTMX)
    assert answer.status_code == 200
    assert PANEL not in answer.content.decode()


def test_version_that_is_not_there_yet_tells_nothing(game: Game, alice: User) -> None:
    assert PANEL not in table(game, alice, after=game.version - 1, left=game.version + 5)


def test_long_absence_is_told_in_short(game: Game, bob: User) -> None:
    left, game = game.version, play_on(game, 40)
    told = panel(table(game, bob, after=left, left=left))
    assert 1 <= told.count("<p>") <= 9
    assert "a lone tile" not in told
