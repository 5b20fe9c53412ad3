"""What is new since one last looked."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from accounts.models import User
from games.models import Game, GameVisit
from games.play.visits import record_visit
from tests.chat.conftest import browser_of
from tests.support.games import legal_move, play_on

pytestmark = pytest.mark.django_db


def marked(game: Game, user: User, **query: Any) -> tuple[int, int]:
    """How many turns of the log and how many squares are marked as new on the user's table."""
    page = browser_of(user).get(reverse("table", args=[game.public_id]), query).content.decode()
    return page.count(' class="unseen"'), page.count('class="square unseen')


def test_on_the_first_visit_nothing_is_marked(game: Game, alice: User) -> None:
    play_on(game, 12)
    assert marked(game, alice) == (0, 0)


def test_who_comes_back_finds_marked_what_happened_meanwhile(
    game: Game, alice: User, carol: User, clock: Traveller
) -> None:
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


def test_a_page_that_nobody_sees_makes_nothing_known(game: Game, alice: User, clock: Traveller) -> None:
    marked(game, alice)
    clock.shift(3600)
    play_on(game, 12)
    assert marked(game, alice, away=1) == marked(game, alice, away=1) != (0, 0)
    clock.shift(3600)
    assert marked(game, alice) != (0, 0)


def test_a_page_that_is_seen_again_and_has_nothing_new_to_fetch_makes_it_known(
    game: Game, alice: User, clock: Traveller
) -> None:
    marked(game, alice)
    clock.shift(3600)
    game = play_on(game, 12)
    marked(game, alice, away=1)
    answer = browser_of(alice).get(reverse("table", args=[game.public_id]), {"after": game.version})
    assert answer.status_code == 204
    assert marked(game, alice) != (0, 0)
    clock.shift(3600)
    assert marked(game, alice) == (0, 0)


def test_a_visit_lasts_as_long_as_the_page_is_seen(game: Game, alice: User, clock: Traveller) -> None:
    marked(game, alice)
    clock.shift(3600)
    game = play_on(game, 12)
    before = marked(game, alice)
    for _ in range(4):
        clock.shift(1200)
        browser_of(alice).get(reverse("table", args=[game.public_id]), {"after": game.version})
    assert marked(game, alice) == before != (0, 0)


def test_whoever_moves_has_seen_all_before(game: Game, alice: User, bob: User, clock: Traveller) -> None:
    for player in (alice, bob):
        marked(game, player)
    clock.shift(3600)
    game = play_on(game, 12)
    while game.waiting_for_id is None:
        game = play_on(game, 1)
    player = game.waiting_for
    assert marked(game, player) != (0, 0)
    address = reverse("move", args=[game.public_id, game.version + 1])
    assert browser_of(player).post(address, {"move": legal_move(game)}).status_code == 302
    assert GameVisit.objects.get(user=player, game=game).seen_before == game.version + 1


def test_an_old_move_sent_once_more_makes_nothing_new_again(game: Game, alice: User) -> None:
    while game.waiting_for != alice:
        game = play_on(game, 1)
    marked(game, alice)
    address = reverse("move", args=[game.public_id, game.version + 1])
    sent = {"move": legal_move(game)}
    browser_of(alice).post(address, sent)
    game = play_on(game, 12)
    record_visit(game.pk, alice, game.version)
    GameVisit.objects.filter(user=alice).update(seen_before=game.version)
    assert browser_of(alice).post(address, sent).status_code == 302
    assert (GameVisit.objects.get(user=alice).seen_before, GameVisit.objects.get(user=alice).seen) == (
        game.version,
        game.version,
    )


def test_every_reader_has_marks_of_their_own(game: Game, alice: User, bob: User) -> None:
    game = play_on(game, 12)
    record_visit(game.pk, alice, 3)
    assert marked(game, alice) != (0, 0)
    assert marked(game, bob) == (0, 0)


def test_the_log_says_where_the_known_begins(game: Game, alice: User) -> None:
    game = play_on(game, 30)
    record_visit(game.pk, alice, game.version - 8)
    page = browser_of(alice).get(reverse("log", args=[game.public_id])).content.decode()
    new, known = page.split("What you had seen before")
    assert ' class="unseen"' in new
    assert ' class="unseen"' not in known


def test_strangers_are_not_followed(game: Game, client: Client) -> None:
    client.get(reverse("table", args=[game.public_id]))
    assert not GameVisit.objects.exists()
