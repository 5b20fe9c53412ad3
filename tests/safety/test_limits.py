"""Limits hold when many requests come at once, and say when to come back."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.urls import reverse

from accounts.models import User
from games import services
from games.models import Game, Invitation, Line, Seat
from games.services import limits

from .racing_seats import opened
from .stage import Stage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def stage(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Stage]:
    threads = 32 if connection.vendor == "postgresql" else 8
    with Stage(word=request.config.getoption("--deal"), threads=threads) as stage:
        cache.clear()
        yield stage


def check_answers(answers: list[HttpResponse], *, most: int, at_least: int) -> int:
    """So many got through, the others were told when to come back, in a sentence; how many got through."""
    late = [answer for answer in answers if answer.status_code == 429]
    for answer in late:
        assert int(answer["Retry-After"]) >= 60
        text = answer.content.decode()
        assert any(word in text for word in ("Wait a minute", "again", "come back", "tomorrow", "first.")), (
            text
        )
    through = len(answers) - len(late)
    assert at_least <= through <= most, f"{through} got through, {at_least} to {most} may"
    return through


def posting(stage: Stage, user: User, url: str, count: int, **data: Any) -> list[Callable[[], HttpResponse]]:
    return [
        stage.post(user, url, {key: f"{text}{place}" for key, text in data.items()}) for place in range(count)
    ]


# -- Our own: exact ---------------------------------------------------------------------------------------


def test_who_starts_many_games_at_once_has_no_more_than_one_may(stage: Stage) -> None:
    user, room = stage.people[0], 3
    for _ in range(limits.MOST_UNFINISHED - room):
        opened(user)
    data = {"system": "acquire", "preset": "classic", "level": "random", "opponents": "1"}
    answers = stage.at_once(*[stage.post(user, reverse("play-now"), data)] * stage.threads)
    check_answers(answers, most=room, at_least=room)
    assert Seat.objects.filter(user=user, ended=None).count() == limits.MOST_UNFINISHED


def test_who_joins_many_games_at_once_sits_in_no_more_than_one_may(stage: Stage) -> None:
    host, user, room = stage.people[0], stage.people[1], 3
    for _ in range(limits.MOST_UNFINISHED - room):
        opened(user)
    games = [opened(host) for _ in range(min(stage.threads, limits.MOST_UNFINISHED))]
    answers = stage.at_once(*[stage.post(user, reverse("join", args=[game.public_id]), {}) for game in games])
    check_answers(answers, most=room, at_least=room)
    assert Seat.objects.filter(user=user, ended=None).count() == limits.MOST_UNFINISHED


def test_who_invites_many_at_once_sends_no_more_than_one_may(stage: Stage) -> None:
    host = stage.people[0]
    games = [opened(host, visibility=Game.Visibility.INVITED, most=6) for _ in range(2)]
    sent = limits.MOST_INVITATIONS - 3
    for place in range(sent):
        services.invite(game_id=games[place % 2].pk, user=stage.people[1 + place // 2], by=host)
    url = reverse("invite", args=[games[0].public_id])
    crowd = stage.people[-min(stage.threads, 20) :]
    answers = stage.at_once(*[stage.post(host, url, {"who": user.username}) for user in crowd])
    check_answers(answers, most=3, at_least=3)
    assert Invitation.objects.filter(invited_by=host).count() == limits.MOST_INVITATIONS


def test_chat_has_a_limit_that_many_lines_at_once_do_not_pass(stage: Stage) -> None:
    game, user = stage.game(), stage.people[0]
    url = reverse("talk", args=[game.public_id])
    results = []
    for _ in range(3):
        results += stage.at_once(*posting(stage, user, url, stage.threads, text=f"{len(results)} line "))
    through = check_answers(results, most=12, at_least=min(6, stage.threads))
    assert Line.objects.filter(game=game).count() == through


def test_a_limit_that_is_looked_at_without_a_lock_would_be_noticed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: many look at once, and all see room for one more."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    monkeypatch.setattr(limits, "lock", lambda user: None)
    with pytest.raises(AssertionError):
        for _ in range(10):
            stage.clear()
            test_who_starts_many_games_at_once_has_no_more_than_one_may(stage)


# -- Those of allauth's counting: never more, and no fewer than by the number of threads --------------------


def test_guests_of_one_address_are_made_no_more_than_may_be(stage: Stage) -> None:
    data = {"system": "acquire", "preset": "classic", "level": "random", "opponents": "1"}
    answers = stage.at_once(*[stage.post(None, reverse("play-now"), data)] * stage.threads)
    check_answers(answers, most=5, at_least=1)
    assert User.objects.filter(is_guest=True).count() <= 5


def test_passwords_are_tried_no_more_often_than_may_be(stage: Stage) -> None:
    data = {"login": "racer0", "password": "wrong-password"}
    results = []
    for _ in range(2):
        results += stage.at_once(*[stage.post(None, reverse("account_login"), data)] * stage.threads)
    tried = [answer for answer in results if "too many" not in answer.content.decode().lower()]
    assert 1 <= len([answer for answer in tried if answer.status_code == 200]) <= 10 + stage.threads


def test_test_mails_are_sent_no_more_than_may_be(stage: Stage) -> None:
    user = stage.people[0]
    user.emailaddress_set.create(email="racer@mail.example", primary=True, verified=True)
    answers = stage.at_once(*[stage.post(user, reverse("trial-mail"), {})] * stage.threads)
    check_answers(answers, most=10, at_least=1)
    assert len(mail.outbox) <= 10
