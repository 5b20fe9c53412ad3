"""Each fault of the site is told in words, with the command that mends it."""

import re
import shlex
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games import sweeper
from games.clocks import machine_clock
from games.models import Game, Heartbeat, ProcessSign, RatingLedger
from games.moderation import site_health
from games.play.deadlines import clock_watch
from games.play.deadlines.outages import SWEEPER, record_heartbeat
from games.processes.process_signs import SignOfLife
from tests.support import wording
from tests.support.finished_games import won_by
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


def told() -> list[str]:
    return [f"{found.name}: {found.sentence}" for found in site_health.health_problems(timezone.now())]


def run(command: str) -> None:
    """Run the command that a sentence ends with."""
    call_command(*shlex.split(command.removeprefix("manage.py ")), stdout=StringIO())


@pytest.fixture
def stuck(start: Callable[..., Game], alice: User) -> Game:
    """A game whose computer should have moved long ago."""
    record_heartbeat()
    game = start(alice, "random")
    Game.objects.filter(pk=game.pk).update(
        seat_to_move=1, waiting_for=None, bot_due_at=timezone.now() - timedelta(minutes=5)
    )
    return Game.objects.get(pk=game.pk)


def test_the_command_that_the_alarm_names_frees_a_stuck_game(stuck: Game) -> None:
    (sentence,) = told()
    command = re.search(r"manage\.py moderate_game \w+ run-computer .*$", sentence)
    assert command is not None
    run(command[0])
    assert told() == []


def test_game_that_asks_nobody_is_freed_the_same_way(stuck: Game) -> None:
    Game.objects.update(seat_to_move=None, bot_due_at=None)
    (sentence,) = told()
    assert wording.NOBODYS_TURN in sentence
    run(sentence.partition("manage.py ")[2])
    assert told() == []


def test_the_command_that_the_alarm_names_ends_an_overdue_turn(
    clock: Any, start: Callable[..., Game], alice: User, bob: User
) -> None:
    start(alice, bob, preset="course", terms={"pace": 86400})
    clock.shift(timedelta(days=1, minutes=6))
    Heartbeat.objects.update_or_create(name=SWEEPER, defaults={"at": timezone.now()})
    (sentence,) = told()
    assert sentence.startswith("overdue: ")
    run(sentence.rpartition(": ")[2])
    assert told() == []


def test_clock_that_jumped_is_told_until_a_person_says_that_it_is_right(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = timezone.now()
    sweeper.sweep()
    monkeypatch.setattr(machine_clock, "steady", lambda: started.timestamp())
    clock.shift(timedelta(hours=1))
    SignOfLife(ProcessSign.Kind.SWEEPER).show()
    sweeper.sweep()
    # The sweeper lives, so its old heartbeat is no alarm of its own.
    (sentence,) = told()
    assert sentence.startswith("clock: The sweeper does not trust the clock of its machine: it jumped 3600 s")
    run(sentence.rpartition(": ")[2])
    sweeper.sweep()
    assert told() == []


def test_sweeper_that_doubted_its_clock_and_died_is_missed(clock: Any) -> None:
    record_heartbeat()
    Heartbeat.objects.create(name=clock_watch.DOUBT_MARK, at=timezone.now(), detail="it jumped 3600 s ahead")
    clock.shift(timedelta(minutes=7))
    assert [sentence.partition(":")[0] for sentence in told()] == ["clock", "sweeper"]


def test_heartbeat_of_the_future_is_an_alarm() -> None:
    """The twin of a silent sweeper: a negative age once counted as a fresh one."""
    record_heartbeat()
    Heartbeat.objects.update(at=timezone.now() + timedelta(hours=1))
    (sentence,) = told()
    assert re.match(r"clock: The sweeper was last seen 3\d\d\d seconds in the future", sentence)
    assert site_health.metrics()["sweeper_age_seconds"][1] < -60


def test_clocks_of_two_machines_may_differ_a_little() -> None:
    record_heartbeat()
    Heartbeat.objects.update(at=timezone.now() + timedelta(seconds=30))
    assert told() == []


def test_the_command_that_the_alarm_names_recounts_ratings_of_an_earlier_release(
    start: NewGame, alice: User, bob: User
) -> None:
    record_heartbeat()
    won_by(start, alice, bob)
    assert told() == []
    RatingLedger.objects.filter(system="acquire").update(method="")
    (sentence,) = told()
    assert sentence.startswith(
        "ratings: The ratings of acquire were computed by the rules of an earlier release"
    )
    run(sentence.rpartition(": ")[2])
    assert told() == []
