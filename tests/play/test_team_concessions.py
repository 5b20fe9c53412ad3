"""Team games that people give up: a team concedes as a whole."""

from collections import Counter

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.log.concession_wishes import wishes
from games.log.end_proposals import votes_underway
from games.log.standings import standings
from games.models import Game, Kind, LogEntry, Notification
from games.notifications.outbox import outbox_rows
from games.play import game_ticks
from games.play.game_view import game_view
from games.play.seats import concession
from games.play.seats.concession import concede, withdraw
from games.play.seats.seat_handover import STAND_IN_LEVEL
from games.web.notifications import delivery
from games.web.notifications.notification_text import sentence
from games.web.play.proposal_panel import proposed
from tests.support.clients import client_of
from tests.support.games import NewGame, leave_to_bot
from tests.support.mailboxes import with_mailbox

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(alice: User, bob: User, carol: User) -> list[User]:
    return [alice, bob, carol, User.objects.create_user("dora")]


@pytest.fixture
def game(start: NewGame, people: list[User]) -> Game:
    """Two teams of two: alice with carol, bob with dora."""
    return start(*people, teams="two", seating="joining")


def rulings(game: Game) -> list[str]:
    return list(game.moves.filter(kind=LogEntry.Kind.RULING).values_list("text", flat=True))


def now(game: Game) -> Game:
    return Game.with_secrets.get(pk=game.pk)


def test_one_partner_alone_only_wishes_to_concede(game: Game, alice: User) -> None:
    concede(game_id=game.pk, by=alice)
    concede(game_id=game.pk, by=alice)
    assert now(game).is_running
    assert rulings(game) == []
    assert not game.seats.exclude(concession_order=None).exists()
    assert wishes(game) == {0}


def test_both_partners_concede_and_the_others_win(game: Game, alice: User, carol: User) -> None:
    concede(game_id=game.pk, by=carol)
    concede(game_id=game.pk, by=alice)
    over = now(game)
    assert (over.is_finished, over.ending) == (True, Game.Ending.CONCEDED)
    assert rulings(game) == ["concede 0", "concede 2"]
    assert wishes(game) == set()
    assert {seat: rank for rank, seat, _ in standings(over, list(over.seats.all()))} == {
        1: 1,
        3: 1,
        0: 2,
        2: 2,
    }


def test_end_by_a_team_is_told_once(game: Game, alice: User, bob: User, carol: User) -> None:
    for user in (alice, bob, carol):
        with_mailbox(user)
    concede(game_id=game.pk, by=carol)
    concede(game_id=game.pk, by=alice)
    told = outbox_rows.waiting().filter(game=game, kind=Kind.FINISHED)
    assert {sentence(row) for row in told} == {"The game is over because a team conceded."}
    per_reader = Counter(told.values_list("user__username", "endpoint"))
    assert per_reader and set(per_reader.values()) == {1}


def test_opponents_get_no_sign_of_a_wish(game: Game, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(game_ticks, "schedule_ticks", sent.append)
    monkeypatch.setattr(concession, "schedule_ticks", sent.append, raising=False)
    concede(game_id=game.pk, by=alice)
    withdraw(game_id=game.pk, by=alice)
    assert sent == []


def test_partner_alone_gets_the_news_of_a_wish_once(game: Game, people: list[User]) -> None:
    for user in people:
        with_mailbox(user)
    concede(game_id=game.pk, by=people[0])
    concede(game_id=game.pk, by=people[0])
    told = outbox_rows.waiting().filter(game=game, kind=Kind.CONCESSION)
    assert {row.user for row in told} == {people[2]}
    assert len({row.endpoint_id for row in told}) == len(told)
    assert {sentence(row) for row in told} == {
        "alice wants your team to concede. It concedes only if all of you want to. Open the game to respond."
    }


def test_news_of_a_wish_is_not_sent_after_it_was_taken_back(game: Game, people: list[User]) -> None:
    with_mailbox(people[2])
    concede(game_id=game.pk, by=people[0])
    withdraw(game_id=game.pk, by=people[0])
    Notification.objects.update(due=timezone.now())
    delivery.deliver(30.0)
    assert mail.outbox == []


def test_news_of_a_wish_is_mailed(game: Game, people: list[User]) -> None:
    with_mailbox(people[2])
    concede(game_id=game.pk, by=people[0])
    Notification.objects.filter(kind=Kind.CONCESSION).update(due=timezone.now())
    delivery.deliver(30.0)
    assert [letter.subject for letter in mail.outbox if "wants your team to concede" in letter.subject]


def test_wish_that_comes_and_goes_is_mailed_once(game: Game, people: list[User]) -> None:
    with_mailbox(people[2])
    for _ in range(3):
        concede(game_id=game.pk, by=people[0])
        withdraw(game_id=game.pk, by=people[0])
    concede(game_id=game.pk, by=people[0])
    for _ in range(2):
        Notification.objects.filter(kind=Kind.CONCESSION, state="waiting").update(due=timezone.now())
        delivery.deliver(30.0)
        withdraw(game_id=game.pk, by=people[0])
        concede(game_id=game.pk, by=people[0])
    assert len([letter for letter in mail.outbox if "wants your team to concede" in letter.subject]) == 1


def test_partner_hears_of_each_wish(start: NewGame, people: list[User]) -> None:
    six = [*people, User.objects.create_user("emil"), User.objects.create_user("fay")]
    game = start(*six, teams="two", seating="joining")
    with_mailbox(six[4])
    concede(game_id=game.pk, by=six[0])
    concede(game_id=game.pk, by=six[2])
    withdraw(game_id=game.pk, by=six[0])
    waiting = outbox_rows.waiting().filter(game=game, kind=Kind.CONCESSION, user=six[4])
    assert {row.about for row in waiting} == {"carol"}


def test_wish_that_nobody_is_left_to_share_becomes_a_concession(game: Game, alice: User, carol: User) -> None:
    concede(game_id=game.pk, by=alice)
    client, address = client_of(alice), reverse("ending", args=[game.public_id])
    waits = "Your partners have not all agreed yet."
    for url in (address, game.get_absolute_url()):
        assert waits in client.get(url).content.decode()
    leave_to_bot(game, carol)
    assert waits not in client.get(game.get_absolute_url()).content.decode()
    assert waits not in client.get(address).content.decode()
    client.post(reverse("confirm-ending", args=[game.public_id, "concede"]))
    assert now(game).ending == Game.Ending.CONCEDED


def test_wish_can_be_taken_back(game: Game, alice: User, carol: User) -> None:
    concede(game_id=game.pk, by=alice)
    withdraw(game_id=game.pk, by=alice)
    concede(game_id=game.pk, by=carol)
    assert now(game).is_running
    assert wishes(game) == {2}


def test_opponents_wish_does_not_concede_for_a_team(game: Game, alice: User, bob: User) -> None:
    concede(game_id=game.pk, by=alice)
    concede(game_id=game.pk, by=bob)
    assert now(game).is_running


def test_partner_who_may_come_back_is_asked_too(game: Game, alice: User, carol: User) -> None:
    leave_to_bot(game, carol)
    game.seats.filter(user=carol).update(reserved_until="2100-01-01T00:00Z")
    concede(game_id=game.pk, by=alice)
    assert now(game).is_running
    game.seats.filter(user=carol).update(reserved_until=None)
    concede(game_id=game.pk, by=alice)
    assert now(game).ending == Game.Ending.CONCEDED


def test_bot_account_in_the_team_is_not_asked(game: Game, alice: User, bob: User, carol: User) -> None:
    User.objects.filter(pk=carol.pk).update(is_bot_account=True)
    concede(game_id=game.pk, by=alice)
    assert now(game).ending == Game.Ending.CONCEDED


def test_computer_in_the_team_is_not_asked(start: NewGame, alice: User, bob: User) -> None:
    options = {"teams": "three", "seating": "joining"}
    game = start(alice, bob, "random", "easy", "random", "random", **options)
    concede(game_id=game.pk, by=alice)
    assert now(game).is_running
    gone = game.seats.exclude(concession_order=None)
    assert dict(gone.values_list("number", "bot_level")) == {0: STAND_IN_LEVEL, 3: "easy"}
    concede(game_id=game.pk, by=bob)
    over = now(game)
    assert over.ending == Game.Ending.CONCEDED
    ranks = {seat: rank for rank, seat, _ in standings(over, list(over.seats.all()))}
    assert ranks == {2: 1, 5: 1, 1: 2, 4: 2, 0: 3, 3: 3}


def test_only_partners_learn_of_the_wish(game: Game, alice: User, people: list[User]) -> None:
    concede(game_id=game.pk, by=alice)
    told = {}
    for user in people:
        look = game_view(game.public_id, user)
        assert look is not None
        panel = proposed(look, votes_underway(game))
        told[user.username] = panel.sentence if panel else ""
    assert told == {
        "alice": "You want your team to concede. Your partners have not all agreed yet.",
        "bob": "",
        "carol": "alice wants your team to concede.",
        "dora": "",
    }
    for user in people:
        page = client_of(user).get(reverse("ending", args=[game.public_id])).content.decode()
        assert ("These partners want to concede: alice." in " ".join(page.split())) is (
            user.username == "carol"
        )


def test_page_concedes_and_changes_its_mind(game: Game, alice: User, carol: User) -> None:
    address = reverse("confirm-ending", args=[game.public_id, "concede"])
    said = client_of(alice).get(address).content.decode()
    assert "Your team concedes as soon as every partner wants to." in said
    client_of(alice).post(address)
    assert wishes(game) == {0}
    client_of(alice).post(address, {"say": "no"})
    assert wishes(game) == set()
    client_of(alice).post(address)
    client_of(carol).post(address)
    assert now(game).ending == Game.Ending.CONCEDED
