"""The doctor tells in words what is wrong, and never anything secret."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from acquire_site import health_probes
from games.models import Game, Heartbeat, Kind, LogEntry, Notification
from games.moderation import site_health
from games.play.deadlines.outages import record_heartbeat
from tests.support.games import play_on, play_to_the_end

TILE = re.compile(r"\b(?:1[0-2]|[1-9])[A-I]\b")


@pytest.fixture
def swept(db):
    record_heartbeat()


def examine(*arguments):
    """What the doctor says, and the exit code."""
    out = StringIO()
    try:
        call_command("doctor", *arguments, stdout=out)
    except SystemExit as end:
        return out.getvalue(), end.code
    return out.getvalue(), 0


def ago(**time):
    return timezone.now() - timedelta(**time)


def test_a_sound_site_is_called_sound(swept, start, alice, bob):
    play_to_the_end(start(alice, bob))
    play_on(start(alice, bob, "random"), 10)
    assert examine() == ("Nothing is wrong; 2 games were looked at closely.\n", 0)
    assert examine("--quiet") == ("", 0)


def test_a_sweeper_that_never_ran_is_missed(db):
    said, code = examine()
    assert "sweeper: The sweeper has never run: start manage.py sweep --loop." in said
    assert code == 1


def test_a_silent_sweeper_is_missed(swept):
    Heartbeat.objects.update(at=ago(minutes=7))
    assert "sweeper: The sweeper was last seen 7 minutes ago" in examine()[0]


def test_a_computer_that_does_not_move_makes_a_game_stuck(swept, start, alice):
    game = start(alice, "random")
    game = play_on(game, 0)
    while Game.objects.get(pk=game.pk).bot_due_at is None:
        play_on(game, 1)
    Game.objects.filter(pk=game.pk).update(bot_due_at=ago(seconds=50))
    assert examine()[1] == 0
    Game.objects.filter(pk=game.pk).update(bot_due_at=ago(minutes=5))
    said, code = examine()
    assert re.search(
        rf"stuck: Game {game} is stuck: the computer in seat \d should have moved 5 minutes", said
    )
    assert code == 1


def test_a_game_that_waits_for_nobody_is_stuck(swept, start, alice, bob):
    game = start(alice, bob)
    Game.objects.filter(pk=game.pk).update(waiting_for=None, deadline=None)
    assert "is asked, in which nobody sits" in examine()[0]
    Game.objects.filter(pk=game.pk).update(seat_to_move=None)
    assert "it runs, and nobody is asked" in examine()[0]


def test_a_paused_game_is_not_stuck(swept, start, alice, bob):
    game = start(alice, bob)
    Game.objects.filter(pk=game.pk).update(waiting_for=None, deadline=None, paused=timezone.now())
    assert examine()[1] == 0


def test_time_that_is_over_without_a_consequence_is_told(swept, start, alice, bob):
    game = start(alice, bob, terms={"pace": 3600})
    Game.objects.filter(pk=game.pk).update(deadline=ago(minutes=4))
    assert examine()[1] == 0
    Game.objects.filter(pk=game.pk).update(deadline=ago(hours=3))
    assert f"overdue: Game {game}: time was over 3 hours ago and nothing followed." in examine()[0]


def test_news_that_does_not_leave_is_told(swept, start, alice, bob):
    game = start(alice, bob)
    Notification.objects.all().delete()
    Notification.objects.create(user=alice, kind=Kind.DECISION, game=game, version=0, due=ago(minutes=11))
    assert "outbox: News that was due 11 minutes ago was not sent" in examine()[0]


def test_a_database_that_is_away_is_told(monkeypatch):
    def gone():
        raise OperationalError("a password of the database")

    monkeypatch.setattr(health_probes.connection, "cursor", gone)
    said, code = examine()
    assert "database: The database does not answer (OperationalError)." in said
    assert "password" not in said
    assert code == 1


def test_redis_that_is_away_is_told_and_the_rest_looked_at(swept, settings):
    settings.BROKER_URL, settings.CHANNEL_URLS = "redis://127.0.0.1:1/0", []
    said, code = examine()
    assert "redis: Redis does not answer" in said
    assert "1 things are wrong" in said
    assert code == 1


# -- Games that are not what their logs say --------------------------------------------------------


@pytest.fixture
def game(swept, start, alice, bob):
    return play_on(start(alice, bob), 12)


def faults(game):
    said, code = examine()
    assert code == 1
    # Not a tile, whatever is wrong: it might be one of a hand.
    assert not TILE.search(said)
    assert bytes(game.seed).hex() not in said
    return said


def test_a_move_that_the_rules_refuse_is_told_by_its_number(game):
    hand = game.rule_system.state_from_json(game.state).hands[0]
    assert hand
    move = game.moves.filter(kind=LogEntry.Kind.MOVE, text__startswith="place").last()
    tiles = {entry.text for entry in game.moves.all()}
    other = next(f"place {number}A" for number in range(1, 13) if f"place {number}A" not in tiles)
    LogEntry.objects.filter(pk=move.pk).update(text=other)
    assert f"game: Game {game}: entry {move.number} of its log does not replay." in faults(game)


def test_a_state_that_is_not_where_the_log_leads_is_told(game):
    state = {**game.state, "cash": [sum(game.state["cash"]), *[0] * (len(game.state["cash"]) - 1)]}
    Game.objects.filter(pk=game.pk).update(state=state)
    assert "the stored state is not where the log leads" in faults(game)


def test_a_state_that_cannot_be_read_is_told(game):
    Game.objects.filter(pk=game.pk).update(state={"nonsense": "5C"})
    assert "its state cannot be read" in faults(game)


def test_an_entry_that_is_missing_is_told(game):
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    assert f"it is at version {game.version + 1}, but its log ends with entry {game.version}" in faults(game)


def test_one_game_can_be_asked_about(game):
    said, code = examine(game.public_id)
    assert code == 0
    assert f"Game {game}: running, version {game.version}; a person in seat" in said
    with pytest.raises(CommandError, match="There is no game nowhere"):
        examine("nowhere")


def test_figures_count_what_the_doctor_would_tell(game):
    Game.objects.filter(pk=game.pk).update(waiting_for=None, deadline=None)
    told = {name: value for name, (_, value) in site_health.metrics().items()}
    assert (told["games_running"], told["games_stuck"], told["deadlines_overdue"]) == (1, 1, 0)
    assert 0 <= told["sweeper_age_seconds"] < 60
