"""Limits hold for many requests at once, and refusals say when to come back."""

from collections.abc import Callable, Iterator
from threading import Barrier
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.urls import reverse

from accounts.models import User
from games.engine.rules.acquire.state import decider
from games.lobby.invite import invite
from games.models import ChatMessage, Game, Invitation, Seat
from games.players import limits
from tests.safety.crowd import Call
from tests.safety.race_stage import Stage, kept, legal
from tests.safety.seat_races import opened
from tests.support import wording
from tests.support.locks import without_row_locks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def stage(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Stage]:
    threads = 32 if connection.vendor == "postgresql" else 8
    with Stage(word=request.config.getoption("--deal"), threads=threads) as stage:
        cache.clear()
        yield stage


def check_answers(answers: list[HttpResponse], *, most: int, at_least: int) -> int:
    """Check that the others were told when to come back; return how many got through."""
    late = [answer for answer in answers if answer.status_code == 429]
    for answer in late:
        text = answer.content.decode()
        # Waiting does not help a member with too many games.
        assert ("Retry-After" in answer) is not ("Finish one first." in text)
        assert int(answer.get("Retry-After", "1")) > 0
        assert any(word in text for word in ("Wait a minute", "again", "come back", "tomorrow", "first.")), (
            text
        )
    through = len(answers) - len(late)
    assert at_least <= through <= most, f"{through} got through, {at_least} to {most} may"
    return through


def posting(stage: Stage, user: User, url: str, count: int, **data: Any) -> list[Call]:
    return [
        stage.post(user, url, {key: f"{text}{place}" for key, text in data.items()}) for place in range(count)
    ]


# -- Our own limits, exact --------------------------------------------------------------------------------


def test_simultaneous_starts_respect_the_game_limit(stage: Stage) -> None:
    user, room = stage.people[0], 3
    for _ in range(limits.MAX_UNFINISHED_GAMES - room):
        opened(user)
    data = {"system": "acquire", "preset": "classic", "level": "random", "opponents": "1"}
    answers = stage.at_once(*[stage.post(user, reverse("play-now"), data)] * stage.threads)
    check_answers(answers, most=room, at_least=room)
    assert Seat.objects.filter(user=user, ended=None).count() == limits.MAX_UNFINISHED_GAMES


def test_simultaneous_joins_respect_the_game_limit(stage: Stage) -> None:
    host, user, room = stage.people[0], stage.people[1], 3
    for _ in range(limits.MAX_UNFINISHED_GAMES - room):
        opened(user)
    games = [opened(host) for _ in range(min(stage.threads, limits.MAX_UNFINISHED_GAMES))]
    answers = stage.at_once(*[stage.post(user, reverse("join", args=[game.public_id]), {}) for game in games])
    check_answers(answers, most=room, at_least=room)
    assert Seat.objects.filter(user=user, ended=None).count() == limits.MAX_UNFINISHED_GAMES


def test_simultaneous_invitations_respect_the_limit(stage: Stage) -> None:
    host = stage.people[0]
    games = [opened(host, visibility=Game.Visibility.INVITED, most=6) for _ in range(2)]
    sent = limits.MAX_INVITATIONS_PER_DAY - 3
    for place in range(sent):
        invite(game_id=games[place % 2].pk, user=stage.people[1 + place // 2], by=host)
    url = reverse("invite", args=[games[0].public_id])
    crowd = stage.people[-min(stage.threads, 20) :]
    answers = stage.at_once(*[stage.post(host, url, {"who": user.username}) for user in crowd])
    check_answers(answers, most=3, at_least=3)
    assert Invitation.objects.filter(invited_by=host).count() == limits.MAX_INVITATIONS_PER_DAY


def test_simultaneous_messages_respect_the_limit(stage: Stage) -> None:
    game, user = stage.game(), stage.people[0]
    url = reverse("chat", args=[game.public_id])
    results = []
    for _ in range(3):
        results += stage.at_once(*posting(stage, user, url, stage.threads, text=f"{len(results)} line "))
    through = check_answers(results, most=12, at_least=min(6, stage.threads))
    assert ChatMessage.objects.filter(game=game).count() == through


def moves_at_once(stage: Stage) -> list[HttpResponse]:
    """Make a move in each of many games of one person, all at once."""
    user, others = stage.people[0], stage.people[1 : 1 + min(stage.threads, 16)]
    asked: dict[str, Any] = {
        "at": lambda state, entries: decider(state) == 0,
        "options": {"seating": "joining"},
    }
    games = [stage.game(user, other, **asked) for other in others]
    answers = stage.at_once(
        *[
            stage.post(
                user, reverse("move", args=[game.public_id, game.version + 1]), {"move": legal(game)[0]}
            )
            for game in games
        ]
    )
    made = [kept(game).version - game.version for game in games]
    assert made == [int(answer.status_code == 302) for answer in answers]
    return answers


def test_simultaneous_moves_in_many_games_respect_the_limit(stage: Stage, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 5
    check_answers(moves_at_once(stage), most=5, at_least=5)


def test_move_limit_without_a_lock_is_detected(
    stage: Stage, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: everybody checks before anybody has moved."""
    without_row_locks(monkeypatch)
    settings.MOVES_PER_MINUTE = 5
    look, together = limits.check_moves, Barrier(16)

    def look_and_wait(user: User) -> None:
        look(user)
        together.wait(60)

    monkeypatch.setattr(limits, "check_moves", look_and_wait)
    with pytest.raises(AssertionError, match="16 got through"):
        check_answers(moves_at_once(stage), most=5, at_least=5)


def test_limit_checked_without_a_lock_is_detected(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: many see room for one more."""
    without_row_locks(monkeypatch)
    with pytest.raises(AssertionError):
        for _ in range(10):
            stage.clear()
            test_simultaneous_starts_respect_the_game_limit(stage)


# -- Limits counted by allauth: at most, and short by no more than the threads ------------------------------


def test_guests_per_address_are_limited(stage: Stage) -> None:
    data = {"system": "acquire", "preset": "classic", "level": "random", "opponents": "1"}
    answers = stage.at_once(*[stage.post(None, reverse("play-now"), data)] * stage.threads)
    check_answers(answers, most=5, at_least=1)
    assert User.objects.filter(is_guest=True).count() <= 5


def in_rounds(stage: Stage, count: int, call: Callable[[int], Call]) -> list[Any]:
    """Answers to this many calls or a few more, with all threads busy at a time."""
    answers: list[HttpResponse] = []
    while len(answers) < count:
        first = len(answers)
        answers += stage.at_once(*[call(first + place) for place in range(stage.threads)])
    return answers


def refused_by_page(answers: list[HttpResponse]) -> int:
    """Count the answers refused by a whole page, which says when to come back."""
    late = [answer for answer in answers if answer.status_code == 429]
    assert all(answer["Retry-After"] == "60" for answer in late)
    return len(late)


def test_password_attempts_per_account_are_limited(stage: Stage) -> None:
    """Five failures in five minutes; further attempts are refused unchecked, with a message."""
    User.objects.filter(pk=stage.people[0].pk).update(password=make_password("the right password"))
    log_in, wrong = reverse("account_login"), {"login": "racer0", "password": "wrong-password"}
    answers = in_rounds(stage, 20, lambda place: stage.post(None, log_in, wrong))
    refused = refused_by_page(answers)
    tried = [answer for answer in answers if "is wrong" in answer.content.decode()]
    told = [answer for answer in answers if wording.TOO_MANY_WRONG_PASSWORDS in answer.content.decode()]
    assert len(tried) + len(told) + refused == len(answers)
    assert 1 <= len(tried) <= 5
    # Now not even the right one is accepted.
    right = {**wrong, "password": "the right password"}
    assert stage.at_once(stage.post(None, log_in, right))[0].status_code != 302


def test_log_ins_per_address_are_limited(stage: Stage) -> None:
    """Thirty requests a minute, under any names."""
    answers = in_rounds(
        stage,
        64,
        lambda place: stage.post(
            None, reverse("account_login"), {"login": f"nobody{place}", "password": "wrong-password"}
        ),
    )
    through = len(answers) - refused_by_page(answers)
    assert 1 <= through <= 30
    assert len(answers) - through >= 30


def test_sign_ups_per_address_are_limited(stage: Stage) -> None:
    """Twenty accounts a minute."""
    password = {"password1": "a long enough secret", "password2": "a long enough secret", "consent": "on"}
    answers = in_rounds(
        stage,
        32,
        lambda place: stage.post(
            None, reverse("account_signup"), {"username": f"newcomer{place}", **password}
        ),
    )
    through = len(answers) - refused_by_page(answers)
    made = User.objects.filter(username__startswith="newcomer").count()
    assert 1 <= made <= through <= 20


def test_confirmation_mail_is_sent_once_in_three_minutes(stage: Stage) -> None:
    user = stage.people[0]
    EmailAddress.objects.create(user=user, email="racer@mail.example", primary=True, verified=False)
    send = {"action_send": "", "email": "racer@mail.example"}
    mail.outbox.clear()
    answers = in_rounds(stage, 16, lambda place: stage.post(user, reverse("account_email"), send))
    refused_by_page(answers)
    assert len(mail.outbox) == 1


def test_password_resets_are_limited(stage: Stage) -> None:
    """Three requests in ten minutes for one address; those that come together may get one mail."""
    user = stage.people[0]
    User.objects.filter(pk=user.pk).update(email="racer@mail.example", password=make_password("secret"))
    EmailAddress.objects.create(user=user, email="racer@mail.example", primary=True, verified=True)
    mail.outbox.clear()
    send = stage.post(None, reverse("account_reset_password"), {"email": "racer@mail.example"})
    answers = in_rounds(stage, 16, lambda place: send)
    told = [answer for answer in answers if wording.TOO_MANY_EMAILS in answer.content.decode()]
    taken = [answer for answer in answers if answer.status_code == 302]
    assert len(taken) + len(told) + refused_by_page(answers) == len(answers)
    assert 1 <= len(mail.outbox) <= len(taken) <= 3


def test_mails_are_limited(stage: Stage) -> None:
    user = stage.people[0]
    EmailAddress.objects.create(user=user, email="racer@mail.example", primary=True, verified=True)
    answers = stage.at_once(*[stage.post(user, reverse("trial-mail"), {})] * stage.threads)
    check_answers(answers, most=10, at_least=1)
    assert len(mail.outbox) <= 10
