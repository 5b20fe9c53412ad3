"""The desk names what needs somebody now, each with its age, and nothing that is hidden."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import services
from games.models import Game, Kind, Notification
from games.queries import health
from games.queries.desk import Case, Concern, desk

from .conftest import play_on
from .test_computers import up_to_computer

pytestmark = pytest.mark.django_db


def ago(**time: float) -> Any:
    return timezone.now() - timedelta(**time)


def cases(concern: Concern) -> list[Case]:
    return desk(timezone.now())[concern]


def told(concern: Concern) -> list[str]:
    return [case.sentence for case in cases(concern)]


def test_a_site_where_all_goes_well_has_nothing_on_its_desk(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    play_on(start(alice, bob, "random", terms={"pace": 86400}), 10)
    assert desk(timezone.now()) == {concern: [] for concern in Concern}


# -- Games -----------------------------------------------------------------------------------------


@pytest.fixture
def game(start: Callable[..., Game], alice: User) -> Game:
    return up_to_computer(start(alice, "random"))


def test_a_computer_that_does_not_move_makes_a_stuck_game(game: Game) -> None:
    Game.objects.update(due=ago(seconds=50))
    assert told(Concern.STUCK) == []
    Game.objects.update(due=ago(minutes=5))
    [case] = cases(Concern.STUCK)
    assert (case.model, case.key) == ("games.game", game.pk)
    assert case.sentence.startswith(f"{game}: the computer in seat ")
    assert "should have moved 300 seconds ago" in case.sentence or "5 minutes ago" in case.sentence
    assert case.since == Game.objects.get().due


def test_a_computer_that_fails_is_told_as_such_with_how_often(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.update(due=ago(minutes=5), state={"nonsense": "5C"})
    for _ in range(3):
        with pytest.raises(KeyError):
            services.play_computer(game.pk, game.version)
    seat = (game.decider or 0) + 1
    assert told(Concern.FAILED) == [f"{game}: the computer in seat {seat} failed 3 times."]
    assert told(Concern.STUCK) == []  # once is enough


def test_a_computer_that_failed_and_was_moved_for_needs_nobody(game: Game) -> None:
    services.note_lost_worker(game.pk, game.version)
    assert len(told(Concern.FAILED)) == 1
    services.play_computer(game.pk, game.version)
    assert told(Concern.FAILED) == []


def test_a_game_that_asks_nobody_is_stuck(start: Callable[..., Game], alice: User, bob: User) -> None:
    game = start(alice, bob)
    Game.objects.update(asked=None)
    assert told(Concern.STUCK) == [f"{game}: seat {(game.decider or 0) + 1} is asked, in which nobody sits."]
    Game.objects.update(decider=None)
    assert told(Concern.STUCK) == [f"{game}: it runs, and nobody is asked."]


def test_a_practice_table_that_waits_for_whoever_is_at_the_device_is_not_stuck(alice: User) -> None:
    terms = services.Terms(system="acquire", preset="avalon-hill", least=2, most=2, practice=True)
    people = [services.Named("Ann"), services.Named("Ben")]
    game = services.start_practice(host=alice, terms=terms, players=people)
    assert game.is_running and game.asked_id is None
    assert told(Concern.STUCK) == []
    assert not health.stuck(timezone.now()).exists()


def test_time_that_is_over_without_a_consequence_is_told(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    game = start(alice, bob, terms={"pace": 3600})
    Game.objects.update(deadline=ago(minutes=4))
    assert told(Concern.OVERDUE) == []
    Game.objects.update(deadline=ago(hours=3))
    [case] = cases(Concern.OVERDUE)
    seat = (game.decider or 0) + 1
    assert case.sentence == f"{game}: the time of seat {seat} was over, and nothing followed."
    assert case.since == Game.objects.get().deadline


def test_a_paused_game_needs_nobody(start: Callable[..., Game], alice: User, bob: User) -> None:
    start(alice, bob, terms={"pace": 3600})
    Game.objects.update(decider=None, deadline=ago(hours=3), paused=timezone.now())
    assert not any(desk(timezone.now()).values())


def test_the_sentences_about_one_game_are_those_of_the_doctor(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    """What a row says of itself and what the database finds is the same, for games in every state."""
    games = [start(alice, bob, terms={"pace": 3600}) for _ in range(5)]
    change = [
        {},
        {"decider": None},
        {"asked": None, "deadline": None},
        {"deadline": ago(hours=1)},
        {"deadline": ago(hours=1), "paused": ago(hours=2)},
    ]
    for game, columns in zip(games, change, strict=True):
        Game.objects.filter(pk=game.pk).update(**columns)
    now = timezone.now()
    for found, says in ((health.stuck, health.is_stuck), (health.overdue, health.is_overdue)):
        keys = {game.pk for game in found(now)}
        assert keys == {game.pk for game in Game.objects.all() if says(game, now)}
        assert keys


# -- News ------------------------------------------------------------------------------------------


def test_news_that_was_given_up_is_told_by_person_and_leads_to_the_list(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    game = start(alice, bob)
    Notification.objects.all().delete()
    for version in (0, 1):
        Notification.objects.create(
            user=alice, game=game, kind=Kind.DECISION, version=version, due=ago(hours=1),
            state=Notification.State.GIVEN_UP, settled=ago(hours=1 + version),
        )  # fmt: skip
    [case] = cases(Concern.UNSENT)
    assert case.sentence == "2 messages for alice were given up."
    assert case.search == "state__exact=given+up&q=alice"
    Notification.objects.update(settled=ago(days=8))
    assert cases(Concern.UNSENT) == []


def test_an_outbox_that_grows_is_told_once(start: Callable[..., Game], alice: User, bob: User) -> None:
    game = start(alice, bob)
    Notification.objects.all().delete()
    for user in (alice, bob):
        Notification.objects.create(user=user, game=game, kind=Kind.STARTED, due=ago(minutes=11))
    assert told(Concern.UNSENT) == ["2 messages are due and were not sent: are workers running?"]
    Notification.objects.update(due=ago(minutes=9))
    assert told(Concern.UNSENT) == []


# -- Reports and sign-ups --------------------------------------------------------------------------


def sign_up(*names: str, mail: str = "club.example", **columns: Any) -> None:
    for name in names:
        User.objects.create_user(name, email=f"{name}@{mail}", **columns)


def test_new_members_with_names_alike_are_told(db: None) -> None:
    sign_up("Spam-1", "spam22")
    assert told(Concern.SIGN_UP) == []
    sign_up("SPAM_3")
    sign_up("somebody", mail="elsewhere.example")
    [case] = cases(Concern.SIGN_UP)
    assert case.sentence == "3 new accounts have names alike: SPAM_3, spam22, Spam-1."
    assert (case.model, case.search) == ("accounts.user", "q=spam")
    User.objects.update(date_joined=ago(days=4))
    assert cases(Concern.SIGN_UP) == []


def test_new_members_of_one_rare_mail_domain_are_told_and_those_of_a_common_one_are_not(db: None) -> None:
    sign_up("anna", "bert", "cleo", "dora", mail="gmail.com")
    sign_up("emil", "fritz", "greta", mail="farm.example")
    assert told(Concern.SIGN_UP) == []
    sign_up("hans", mail="farm.example")
    [sentence] = told(Concern.SIGN_UP)
    assert sentence == "4 new accounts have their mail at farm.example: hans, greta, fritz, emil."


def test_one_disposable_mailbox_is_enough(db: None) -> None:
    sign_up("anna", mail="mailinator.com")
    assert told(Concern.SIGN_UP) == ["anna: mail goes to mailinator.com, where anybody can read it."]


def test_guests_and_those_who_were_shut_out_are_not_looked_at(db: None) -> None:
    sign_up("Guest-1", "Guest-2", "Guest-3", is_guest=True)
    sign_up("spam1", "spam2", "spam3", is_active=False)
    assert told(Concern.SIGN_UP) == []


# -- Cost ------------------------------------------------------------------------------------------


def test_each_source_asks_the_database_once_and_only_if_it_is_wanted(
    start: Callable[..., Game], alice: User, bob: User
) -> None:
    for _ in range(3):
        start(alice, bob, terms={"pace": 3600})
    Game.objects.update(deadline=ago(hours=3))
    with CaptureQueriesContext(connection) as taken:
        desk(timezone.now())
    assert len(taken) == 4
    with CaptureQueriesContext(connection) as taken:
        assert list(desk(timezone.now(), [Concern.OVERDUE])) == [Concern.OVERDUE]
    assert len(taken) == 1
