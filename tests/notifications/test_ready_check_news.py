"""The news of a ready check, on the devices of those who do not see it."""

from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.lobby import ready_check
from games.lobby.join_game import join
from games.models import Endpoint, Game, Kind, Notification
from games.notifications.outbox.claim import claim_letter, claim_message
from games.play import page_presence
from games.play.deadlines.ready_deadlines import READY_TIME
from games.web.notifications.mail_sections import section
from tests.notifications.conftest import rows
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.fixture
def game(clock: Traveller, create: NewGame, alice: User, bob: User) -> Game:
    """A live game of alice, who has a webhook and is asked, that bob has just filled."""
    Endpoint.objects.create(user=alice, kind="json", url="https://hooks.example/in")
    game = create(alice, least=2, most=2, start=Game.Start.FULL, pace=30, bank=180)
    join(game_id=game.pk, user=bob)
    Notification.objects.exclude(kind=Kind.CHECK).delete()
    return game


def test_device_of_who_is_asked_hears_of_it_soon(
    game: Game, alice: User, bob: User, clock: Traveller
) -> None:
    assert claim_message() is None
    clock.shift(5 * SECOND)
    claimed = claim_message()
    assert claimed is not None and claimed.user == alice
    told = section(claimed.rows, alice)
    assert told is not None and "lose your seat" in told.sentences[0]
    assert rows(bob) == []


def test_nobody_gets_an_email_about_it(game: Game, clock: Traveller) -> None:
    clock.shift(5 * SECOND)
    assert claim_letter() is None


def test_who_sees_the_room_is_not_told(game: Game, alice: User, clock: Traveller) -> None:
    clock.shift(SECOND)
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    clock.shift(4 * SECOND)
    assert claim_message() is None
    [row] = rows(alice)
    assert (row.state, row.outcome) == (Notification.State.DROPPED, "seen")


def test_answered_check_is_not_told(game: Game, alice: User, clock: Traveller) -> None:
    ready_check.answer(game_id=game.pk, user=alice)
    clock.shift(5 * SECOND)
    while claim_message():
        pass
    [row] = rows(alice, Kind.CHECK)
    assert (row.state, row.outcome) == (Notification.State.DROPPED, "over")


def test_check_that_is_over_is_not_told(game: Game, alice: User, clock: Traveller) -> None:
    clock.shift(READY_TIME)
    ready_check.settle(game.pk)
    while claim_message():
        pass
    [row] = rows(alice, Kind.CHECK)
    assert (row.state, row.outcome) == (Notification.State.DROPPED, "over")
