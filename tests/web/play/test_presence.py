"""The dots of a live table that show who is here."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.clocks.site_presence import SEEN_MARK
from games.lobby.game_start import start_game
from games.models import Game, Heartbeat
from games.play import page_presence
from games.play.seats.left_seats import keep_left_seat
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.support.practice_tables import practise

pytestmark = pytest.mark.django_db

LIVE: dict[str, Any] = {"pace": 30, "bank": 180, "cap": 180}
DOT = re.compile(r'<span class="here"[^>]*aria-label="At the table"[^>]*data-here="(\d)"\s*(hidden)?\s*>')


def dots(client: Client, game: Game) -> dict[int, bool]:
    page = client.get(game.get_absolute_url()).content.decode()
    return {int(number): not hidden for number, hidden in DOT.findall(page)}


def told(client: Client, game: Game) -> dict[str, Any]:
    found: dict[str, Any] = client.get(reverse("presence", args=[game.public_id])).json()
    return found


def answer(client: Client, game: Game) -> list[int]:
    here: list[int] = told(client, game)["here"]
    return here


@pytest.mark.parametrize(("system", "preset"), [("acquire", "course"), ("acquisition", "standard")])
def test_table_and_answer_show_the_same_players(system: str, preset: str, alice: User, bob: User) -> None:
    game = start_game(system=system, preset=preset, host=alice, players=[alice, bob, "random"], **LIVE)
    number = {seat.user: seat.number for seat in game.seats.all()}
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    assert answer(Client(), game) == [number[alice]]
    assert dots(Client(), game) == {seat: seat == number[alice] for seat in range(3)}
    assert answer(client_of(bob), game) == sorted([number[alice], number[bob]])


def test_table_by_mail_has_no_dots(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 86400})
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    assert (answer(client_of(alice), game), dots(client_of(alice), game)) == ([], {})


@pytest.fixture
def left(clock: Any, start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A live game of three, just left by bob and open to the others."""
    game = start(alice, bob, carol, preset="course", terms=LIVE)
    for user in (alice, bob, carol):
        page_presence.mark_visible(user.pk, game.pk, user.username)
    page_presence.mark_closed("bob")
    return game


def stay(clock: Any, game: Game, seconds: int) -> None:
    clock.shift(timedelta(seconds=seconds))
    page_presence.keep_open(["alice", "carol"])


AWAY = "bob has been away for {time}. After a minute a computer player takes over."


def test_table_and_answer_tell_who_is_away(clock: Any, left: Game, alice: User) -> None:
    client = client_of(alice)
    assert (told(client, left)["away"], told(client, left)["changes"]) == ([], True)
    for seconds, time in ((20, "20 seconds"), (25, "45 seconds"), (45, "2 minutes")):
        stay(clock, left, seconds)
        assert told(client, left)["away"] == [AWAY.format(time=time)]
        assert AWAY.format(time=time) in client.get(left.get_absolute_url()).content.decode()


def test_nobody_is_told_of_their_own_absence(clock: Any, left: Game, bob: User) -> None:
    stay(clock, left, 30)
    assert (told(client_of(bob), left)["away"], told(client_of(bob), left)["changes"]) == ([], False)


def test_nothing_is_said_of_a_computer_that_will_not_come(clock: Any, left: Game) -> None:
    for page in ("alice", "carol"):
        page_presence.mark_closed(page)
    clock.shift(timedelta(seconds=30))
    assert told(Client(), left)["away"] == [
        f"{name} has been away for 30 seconds." for name in ("alice", "bob", "carol")
    ]


def test_reader_without_a_socket_is_not_away(clock: Any, left: Game, alice: User, bob: User) -> None:
    stay(clock, left, 30)
    client_of(bob).get(reverse("table", args=[left.public_id]), {"after": left.version})
    assert told(client_of(alice), left)["away"] == []


@pytest.fixture
def kept(clock: Any, left: Game) -> Game:
    """The game, in which a computer now keeps the seat of bob."""
    Heartbeat.objects.create(name=SEEN_MARK, at=timezone.now(), detail=timezone.now().isoformat())
    stay(clock, left, 40)
    stay(clock, left, 25)
    assert keep_left_seat(left.pk, 1, timezone.now())
    return left


def test_others_read_how_to_wait_for_the_player(kept: Game, alice: User) -> None:
    page = client_of(alice).get(kept.get_absolute_url()).content.decode()
    assert wording.COMPUTER_PLAYS_FOR_OTHER % {"name": "bob"} in page
    assert f'<a href="{reverse("pace", args=[kept.public_id])}">Change the pace</a>' in page


def test_player_is_offered_the_seat(kept: Game, bob: User) -> None:
    client = client_of(bob)
    page = client.get(kept.get_absolute_url()).content.decode()
    assert wording.COMPUTER_PLAYS_FOR_YOU in page
    assert wording.TAKE_SEAT_BACK in page
    answer = client.post(reverse("reclaim-seat", args=[kept.public_id]), follow=True)
    assert wording.CAME_BACK in answer.content.decode()
    assert wording.TAKE_SEAT_BACK not in answer.content.decode()


def test_practice_table_tells_nothing(alice: User, bob: User) -> None:
    game = practise(alice)
    assert client_of(bob).get(reverse("presence", args=[game.public_id])).status_code == 404
