"""The dots of a live table that show who is here."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby.game_start import start_game
from games.models import Game
from games.play import page_presence
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.support.practice_tables import practise

pytestmark = pytest.mark.django_db

LIVE: dict[str, Any] = {"pace": 30, "bank": 180, "cap": 180}
DOT = re.compile(r'<span class="here"[^>]*aria-label="At the table"[^>]*data-here="(\d)"\s*(hidden)?\s*>')


def dots(client: Client, game: Game) -> dict[int, bool]:
    page = client.get(game.get_absolute_url()).content.decode()
    return {int(number): not hidden for number, hidden in DOT.findall(page)}


def answer(client: Client, game: Game) -> list[int]:
    found: list[int] = client.get(reverse("presence", args=[game.public_id])).json()["here"]
    return found


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


def test_practice_table_tells_nothing(alice: User, bob: User) -> None:
    game = practise(alice)
    assert client_of(bob).get(reverse("presence", args=[game.public_id])).status_code == 404
