"""News of the end of a rated game say how the reader's rating changes, or why it does not."""

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.models import Game, GameOutcome, Notification
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.notifications.outbox import claim
from games.ratings.result_queue import count_results
from games.web.notifications import mail_message
from tests.notifications.conftest import minutes
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.mailboxes import changed
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(clock: Traveller, start: NewGame, alice: User, bob: User) -> Game:
    """A rated game that has just ended, and of which alice is to hear at once."""
    game = play_to_the_end(start(alice, bob, terms={"rated": True}))
    changed(alice, mail_mode=User.MailMode.AT_ONCE)
    Notification.objects.exclude(user=alice, kind="finished").delete()
    Notification.objects.update(due=timezone.now())
    return game


def mail() -> str:
    """The text of the mail that is due; "" for none."""
    claimed = claim.claim_letter()
    written = claimed and mail_message.compose_mail(claimed)
    return written.text if written else ""


def test_mail_waits_for_the_rating_and_tells_it(ended: Game, alice: User, clock: Traveller) -> None:
    assert mail() == ""
    count_results()
    clock.shift(minutes(0.1))
    change = ended.rating_changes.get(user=alice, players=0, month="")
    assert change.mu != change.mu_before
    assert "Your rating went from 1500 to " in mail()


def test_mail_does_not_wait_for_long(ended: Game, clock: Traveller) -> None:
    clock.shift(minutes(2))
    told = mail()
    assert told
    assert "rating" not in told.partition("\n-- ")[0]


def test_mail_says_why_no_rating_changes(ended: Game, bob: User, clock: Traveller) -> None:
    changed(bob, is_guest=True)
    count_results()
    clock.shift(minutes(0.1))
    assert "No ratings changed because a guest played." in mail()


def test_mail_about_an_unrated_game_says_nothing_of_ratings(
    start: NewGame, alice: User, bob: User, clock: Traveller
) -> None:
    play_to_the_end(start(alice, bob, terms={"rated": False}))
    assert GameOutcome.objects.get().due is not None
    Notification.objects.exclude(user=alice, kind="finished").delete()
    clock.shift(minutes(60))
    assert "rating" not in mail().partition("\n-- ")[0]


@pytest.mark.parametrize("digest", [False, True])
def test_wait_for_the_rating_never_brings_a_mail_forward_nor_divides_the_daily_one(
    ended: Game, clock: Traveller, digest: bool
) -> None:
    due = timezone.now() if digest else timezone.now() + minutes(30)
    Notification.objects.update(due=due, digest=digest)
    assert bool(mail()) is digest
    assert Notification.objects.get().due >= due


def test_mail_about_an_end_by_a_moderator_tells_the_rating(
    start: NewGame, alice: User, bob: User, clock: Traveller
) -> None:
    game = play_on(start(alice, bob, terms={"rated": True}), 6)
    perform_action(GAME_ACTIONS["end-with-standings"], game, None, "The players agreed.")
    count_results()
    Notification.objects.exclude(user=alice, kind="finished").delete()
    clock.shift(minutes(60))
    told = mail()
    assert "A moderator ended the game with the current standings. Your rating " in told
