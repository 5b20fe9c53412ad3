"""Mails name games by their people, and the most urgent first."""

from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.lobby.join_game import join
from games.models import Game, Kind, Notification
from games.notifications import notify
from games.notifications.outbox import claim
from games.play.deadlines import overdue
from games.web.notifications import mail_message
from games.web.notifications.mail_message import MAX_SUBJECT_LENGTH, MailMessage
from games.web.text.game_titles import title_for, titles_in_brackets
from tests.notifications.conftest import NOON, rows
from tests.support import wording
from tests.support.mailboxes import changed, with_mailbox

pytestmark = pytest.mark.django_db


@pytest.fixture
def carol(carol: User) -> User:
    return with_mailbox(carol)


@pytest.fixture
def open_game(clock: Traveller, alice: User) -> Game:
    return create_game(host=alice, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))


def other_game(host: User) -> Game:
    return create_game(host=host, terms=GameTerms(system="acquire", preset="classic", least=4, most=4))


def game_of(*people: User | str, hours: float = 48, **terms: object) -> Game:
    host = next(person for person in people if isinstance(person, User))
    return start_game(
        system="acquire",
        preset="classic",
        host=host,
        players=list(people),
        pace=round(hours * 3600),
        **terms,  # type: ignore[arg-type]
    )


def game_that_asks(user: User, *others: User | str, **terms: object) -> Game:
    """A game in which the user begins."""
    while True:
        game = game_of(user, *others, **terms)  # type: ignore[arg-type]
        if game.waiting_for_id == user.pk:
            return game
        game.delete()


def mail_to(user: User) -> MailMessage:
    """The mail with everything that waits for the user and is not a reminder of later."""
    Notification.objects.filter(user=user).exclude(kind=Kind.REMINDER).update(due=NOON - timedelta(days=9))
    claimed = claim.claim_letter()
    assert claimed is not None and claimed.user == user
    written = mail_message.compose_mail(claimed)
    assert written is not None
    return written


def only_for(user: User, *kinds: Kind) -> None:
    Notification.objects.exclude(user=user, kind__in=kinds).delete()


def test_game_is_named_by_its_people_and_its_name(alice: User, bob: User, carol: User) -> None:
    game = game_of(alice, bob, carol)
    first, second = (seat.name for seat in game.seats.exclude(user=alice).order_by("number"))
    assert title_for(game, alice) == f"Game with {first} and {second}"
    assert titles_in_brackets(game, alice) == [f"with {first} and {second}", f"with {first} and 1 other"]
    game.name = "Friday club"
    assert title_for(game, alice) == f"Friday club, with {first} and {second}"
    assert titles_in_brackets(game, alice)[-1] == "Friday club"
    assert title_for(game, None).count(",") == 2


def test_game_without_other_people_is_named_by_its_only_one(alice: User, open_game: Game) -> None:
    assert title_for(open_game, alice) == "alice’s game"


def test_subject_names_fewer_people_where_all_do_not_fit(clock: Traveller, alice: User) -> None:
    long = [User.objects.create_user(f"{letter}{'m' * 9}") for letter in "bcd"]
    game = game_that_asks(alice, *long)
    only_for(alice, Kind.DECISION)
    first = game.seats.exclude(user=alice).order_by("number").first()
    assert first is not None
    subject = mail_to(alice).subject
    assert subject == f"{wording.YOUR_TURN_TO_PLACE} (with {first.name} and 2 others)"
    assert len(subject) <= MAX_SUBJECT_LENGTH


def test_mail_about_an_extension_says_what_is_asked_and_until_when(
    clock: Traveller, alice: User, bob: User
) -> None:
    game = game_of(alice, bob, hours=24)
    late = changed(User.objects.get(pk=game.waiting_for_id), time_zone="Europe/Berlin")
    Notification.objects.all().delete()
    clock.shift(timedelta(hours=25))
    assert overdue.settle_timeout(game.pk, game.version)
    assert rows(late, Kind.LATE)
    only_for(late, Kind.LATE)
    written = mail_to(late)
    other = bob if late == alice else alice
    game.refresh_from_db()
    assert game.deadline is not None
    assert written.subject == f"Extension: {wording.PLACE_A_TILE} (with {other})"
    assert f"Game with {other}\n" in written.text
    ends = game.deadline.astimezone(late.tzinfo)
    assert f"Move by {ends:%a} {ends.day} {ends:%B, %H:%M} (Europe/Berlin)." in written.text


def test_mail_about_a_lost_seat_names_the_people(
    clock: Traveller, alice: User, bob: User, carol: User
) -> None:
    game = game_of(alice, bob)
    game.seats.filter(user=alice).update(user=carol)
    Notification.objects.all().delete()
    notify.notify_seat_lost(game, alice.pk, carol)
    written = mail_to(alice)
    assert written.subject.startswith(f"{wording.TOOK_OVER_YOUR_SEAT.format(about='carol')} (with ")
    assert "bob" in written.subject
    assert f"Classic, game {game.public_id}" in written.text


def test_subject_names_a_newcomer_once(
    clock: Traveller, alice: User, bob: User, carol: User, open_game: Game
) -> None:
    join(game_id=open_game.pk, user=bob)
    only_for(alice, Kind.JOINED)
    assert mail_to(alice).subject == "bob joined"
    Notification.objects.all().delete()
    notify.notify_joined(open_game, bob)
    join(game_id=other_game(alice).pk, user=carol)
    only_for(alice, Kind.JOINED)
    assert mail_to(alice).subject == "bob joined and 1 more update"


def test_subject_names_the_others_beside_a_newcomer(
    clock: Traveller, alice: User, bob: User, carol: User
) -> None:
    game = other_game(alice)
    for user in (bob, carol):
        join(game_id=game.pk, user=user)
    only_for(alice, Kind.JOINED)
    assert mail_to(alice).subject == "bob joined (with carol)"


def test_most_urgent_game_stands_first_and_in_the_subject(
    clock: Traveller, alice: User, bob: User, carol: User
) -> None:
    game_that_asks(alice, bob, hours=48)
    game_that_asks(alice, carol, hours=12)
    only_for(alice, Kind.DECISION)
    written = mail_to(alice)
    assert written.subject == "Your turn in 2 games (first: with carol)"
    assert written.text.index("Game with carol") < written.text.index("Game with bob")


def test_reminder_of_one_of_several_games_stands_in_the_subject(
    clock: Traveller, alice: User, bob: User, carol: User
) -> None:
    game_that_asks(alice, bob, hours=300)
    urgent = game_that_asks(alice, carol, hours=24)
    Notification.objects.exclude(user=alice, kind=Kind.DECISION).exclude(
        user=alice, kind=Kind.REMINDER, game=urgent
    ).delete()
    Notification.objects.filter(kind=Kind.DECISION, game=urgent).delete()
    clock.shift(timedelta(hours=20))
    Notification.objects.filter(kind=Kind.REMINDER).update(due=NOON)
    assert mail_to(alice).subject == f"Reminder: {wording.PLACE_A_TILE} (with carol) and 1 more update"
