"""Coach marks at the table: when they are shown, and how they go."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.clients import client_of
from tests.support.games import NewGame, make_room, play_to_the_end, put
from tests.support.htmx import HTMX
from tests.support.merger_game import SEATED
from tests.support.practice_tables import practise

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A game of three in which alice places one of two tiles: 5I founds a chain, 4A makes one grow."""
    return placing(start(alice, bob, carol, **SEATED))


def placing(game: Game) -> Game:
    chains = {"tower": "1A-3A", "lone": "5H"}
    rules = "avalon-hill seating=joining"
    return put(game, position(chains, hands=["5I 4A", "12I", "12G"], rules=rules, decision="place 0"))


def mark(client: Client, game: Game) -> str:
    """The name of the coach mark on the table, "" for none."""
    html = client.get(f"{game.get_absolute_url()}table/", **HTMX).content.decode()
    found = re.findall(r'class="coach-mark" data-mark="(\w+)"', html)
    assert len(found) <= 1
    return str(found[0]) if found else ""


def address(game: Game) -> str:
    return reverse("coach-mark", args=[game.public_id])


def test_newcomer_is_told_about_the_decision(game: Game, alice: User) -> None:
    html = client_of(alice).get(game.get_absolute_url()).content.decode()
    assert 'data-mark="place"' in html
    [announced] = re.findall(r'data-announce="([^"]*)"', html)
    assert announced.startswith("Your turn: place a tile. Each tile says what it would do.")


def test_nobody_else_is_told(game: Game, bob: User) -> None:
    assert mark(client_of(bob), game) == mark(client_of(), game) == ""


def test_read_mark_is_not_shown_again_on_any_device(game: Game, alice: User) -> None:
    phone, desk = client_of(alice), client_of(alice)
    answer = phone.post(address(game), {"mark": "place"}, **HTMX)
    assert (answer.status_code, answer.content) == (200, b"")
    assert mark(desk, game) == "chain"
    desk.post(address(game), {"mark": "chain"}, **HTMX)
    assert mark(phone, game) == ""


def test_plain_form_leads_back_to_the_table(game: Game, guest: User, alice: User) -> None:
    for user in (alice, guest):
        answer = client_of(user).post(address(game), {"mark": "place"})
        assert answer.headers["Location"] == game.get_absolute_url()
        assert User.objects.get(pk=user.pk).read_coach_marks == "place "


@pytest.mark.parametrize("posted", [{}, {"mark": "nothing"}, {"mark": "x" * 5000}])
def test_nonsense_marks_nothing_as_read(game: Game, alice: User, posted: dict[str, str]) -> None:
    client = client_of(alice)
    assert client.post(address(game), posted).status_code == 302
    assert mark(client, game) == "place"


def test_visitor_is_led_to_the_log_in(game: Game) -> None:
    assert (
        client_of().post(address(game), {"mark": "place"}).headers["Location"].startswith("/accounts/login/")
    )


def test_answer_reads_the_mark_beside_it(game: Game, alice: User) -> None:
    client, url = client_of(alice), reverse("move", args=[game.public_id, game.version + 1])
    table = client.post(url, {"kind": "place", "tile": "5I", "coach": "place"}, **HTMX).content.decode()
    assert User.objects.get(pk=alice.pk).read_coach_marks == "place "
    assert 'data-mark="found"' in table


def test_refused_answer_reads_no_mark(game: Game, alice: User) -> None:
    client, url = client_of(alice), reverse("move", args=[game.public_id, game.version + 1])
    answer = client.post(url, {"kind": "place", "tile": "12G", "coach": "place"}, **HTMX)
    assert answer.status_code == 422
    assert 'data-mark="place"' in answer.content.decode()


def test_member_who_has_finished_a_game_is_not_told(
    start: NewGame, game: Game, alice: User, bob: User
) -> None:
    make_room(alice, bob)
    play_to_the_end(start(alice, bob))
    client = client_of(alice)
    assert mark(client, game) == ""
    User.objects.filter(pk=alice.pk).update(coach_marks=User.CoachMarks.ON)
    assert mark(client, game) == "place"


def test_member_who_wants_none_is_not_told(game: Game, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(coach_marks=User.CoachMarks.OFF)
    assert mark(client_of(alice), game) == ""


@pytest.mark.parametrize("page", ["explore/", "at/0/", "log/"])
def test_other_pages_of_the_game_have_no_mark(game: Game, alice: User, page: str) -> None:
    answer = client_of(alice).get(f"{game.get_absolute_url()}{page}", follow=True)
    assert b"coach-mark" not in answer.content


def test_practice_table_tells_its_host(alice: User) -> None:
    game = placing(practise(alice, options=SEATED))
    client = client_of(alice)
    assert mark(client, game) == ""
    client.post(reverse("hand", args=[game.public_id]), {"seat": "0"}, **HTMX)
    assert mark(client, game) == "place"
    assert client.post(address(game), {"mark": "place"}, **HTMX).status_code == 200


def test_table_takes_as_many_queries_with_a_mark_as_without(game: Game, alice: User) -> None:
    client = client_of(alice)
    client.get(game.get_absolute_url())
    taken = []
    for choice in ("first game", "off"):
        User.objects.filter(pk=alice.pk).update(coach_marks=choice)
        with CaptureQueriesContext(connection) as asked:
            assert (mark(client, game) != "") == (choice == "first game")
        taken.append(len(asked))
    assert taken[0] == taken[1]
