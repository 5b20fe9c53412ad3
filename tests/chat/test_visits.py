"""Marks of what is new since the last visit."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from accounts.models import User
from games.models import Game, GameVisit
from games.play.visits import record_visit
from tests.support.clients import client_of
from tests.support.games import legal_move, play_on

pytestmark = pytest.mark.django_db


def marked(game: Game, user: User, **query: Any) -> tuple[int, int]:
    """Number of log turns and of squares marked as new on the user's table."""
    page = client_of(user).get(reverse("table", args=[game.public_id]), query).content.decode()
    return page.count(' class="unseen"'), page.count('class="square unseen')


def test_first_visit_has_no_marks(game: Game, alice: User) -> None:
    play_on(game, 12)
    assert marked(game, alice) == (0, 0)


def test_next_visit_marks_what_is_new(game: Game, alice: User, carol: User, clock: Traveller) -> None:
    play_on(game, 12)
    for viewer in (alice, carol):
        marked(game, viewer)
    clock.shift(3600)
    play_on(game, 12, seed=2)
    for viewer in (alice, carol):
        turns, squares = marked(game, viewer)
        assert turns > 2 and squares > 1
        assert marked(game, viewer) == (turns, squares), "another look in the same visit shows the same"
    clock.shift(3600)
    assert marked(game, alice) == (0, 0), "the next visit finds it all known"


def test_page_in_background_keeps_marks(game: Game, alice: User, clock: Traveller) -> None:
    marked(game, alice)
    clock.shift(3600)
    play_on(game, 12)
    assert marked(game, alice, away=1) == marked(game, alice, away=1) != (0, 0)
    clock.shift(3600)
    assert marked(game, alice) != (0, 0)


def test_page_in_foreground_again_clears_marks(game: Game, alice: User, clock: Traveller) -> None:
    marked(game, alice)
    clock.shift(3600)
    game = play_on(game, 12)
    marked(game, alice, away=1)
    answer = client_of(alice).get(reverse("table", args=[game.public_id]), {"after": game.version})
    assert answer.status_code == 204
    assert marked(game, alice) != (0, 0)
    clock.shift(3600)
    assert marked(game, alice) == (0, 0)


def test_visit_lasts_while_page_is_open(game: Game, alice: User, clock: Traveller) -> None:
    marked(game, alice)
    clock.shift(3600)
    game = play_on(game, 12)
    before = marked(game, alice)
    for _ in range(4):
        clock.shift(1200)
        client_of(alice).get(reverse("table", args=[game.public_id]), {"after": game.version})
    assert marked(game, alice) == before != (0, 0)


def test_move_clears_marks(game: Game, alice: User, bob: User, clock: Traveller) -> None:
    for player in (alice, bob):
        marked(game, player)
    clock.shift(3600)
    game = play_on(game, 12)
    while game.waiting_for_id is None:
        game = play_on(game, 1)
    player = game.waiting_for
    assert marked(game, player) != (0, 0)
    address = reverse("move", args=[game.public_id, game.version + 1])
    assert client_of(player).post(address, {"move": legal_move(game)}).status_code == 302
    assert GameVisit.objects.get(user=player, game=game).seen_before == game.version + 1


def test_repeated_old_move_keeps_visit(game: Game, alice: User) -> None:
    while game.waiting_for != alice:
        game = play_on(game, 1)
    marked(game, alice)
    address = reverse("move", args=[game.public_id, game.version + 1])
    sent = {"move": legal_move(game)}
    client_of(alice).post(address, sent)
    game = play_on(game, 12)
    record_visit(game.pk, alice, game.version)
    GameVisit.objects.filter(user=alice).update(seen_before=game.version)
    assert client_of(alice).post(address, sent).status_code == 302
    assert (GameVisit.objects.get(user=alice).seen_before, GameVisit.objects.get(user=alice).seen) == (
        game.version,
        game.version,
    )


def test_marks_are_separate_for_each_user(game: Game, alice: User, bob: User) -> None:
    game = play_on(game, 12)
    record_visit(game.pk, alice, 3)
    assert marked(game, alice) != (0, 0)
    assert marked(game, bob) == (0, 0)


def test_log_shows_where_last_visit_ended(game: Game, alice: User) -> None:
    game = play_on(game, 30)
    record_visit(game.pk, alice, game.version - 8)
    page = client_of(alice).get(reverse("log", args=[game.public_id])).content.decode()
    new, known = page.split("Already seen")
    assert ' class="unseen"' in new
    assert ' class="unseen"' not in known


def test_visitor_is_not_tracked(game: Game, client: Client) -> None:
    client.get(reverse("table", args=[game.public_id]))
    assert not GameVisit.objects.exists()
