"""The integrity check says in words what is wrong, and never anything secret."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from acquire_site.health import service_health, site_report
from games.archive.replay import replay
from games.management.commands import check_games
from games.models import Game, Heartbeat, Kind, LogEntry, Notification
from games.moderation import integrity_check, site_health
from games.play.deadlines.outages import record_heartbeat
from tests.support import wording
from tests.support.games import play_on, play_to_the_end

TILE = re.compile(r"\b(?:1[0-2]|[1-9])[A-I]\b")


@pytest.fixture
def swept(db):
    record_heartbeat()


def examine(*arguments):
    """Return the output and the exit code of the command."""
    out = StringIO()
    try:
        call_command("doctor", *arguments, stdout=out)
    except SystemExit as end:
        return out.getvalue(), end.code
    return out.getvalue(), 0


def ago(**time):
    return timezone.now() - timedelta(**time)


def test_sound_site_has_no_faults(swept, start, alice, bob):
    play_to_the_end(start(alice, bob))
    play_on(start(alice, bob, "random"), 10)
    assert examine() == (f"{wording.NO_PROBLEMS} 2 games were checked in full.\n", 0)
    assert examine("--quiet") == ("", 0)


def test_game_that_moves_on_while_it_is_checked_has_no_faults(swept, start, alice, bob):
    game = play_on(start(alice, bob, "random"), 10)
    read_before = Game.all_games.defer(None).get(pk=game.pk)
    play_on(game, 20)
    assert integrity_check.faults(read_before) == []


def test_games_that_move_on_while_they_are_replayed_do_not_differ(start, alice, bob, monkeypatch):
    game = play_on(start(alice, bob, "random"), 10)
    numbers = iter([12])

    def replay_late(stale):
        for number in numbers:
            play_on(game, number)
        return replay(stale)

    monkeypatch.setattr(check_games, "replay", replay_late)
    out = StringIO()
    call_command("check_games", stdout=out)
    assert "0 differ" in out.getvalue()
    assert next(numbers, None) is None, "the game has moved on"


def test_sweeper_that_never_ran_is_reported(db):
    said, code = examine()
    assert "sweeper: The sweeper has never run. Start it: systemctl restart acquire" in said
    assert code == 1


def test_silent_sweeper_is_reported(swept):
    Heartbeat.objects.update(at=ago(minutes=7))
    assert "sweeper: The sweeper was last seen 7 minutes ago" in examine()[0]


def test_bot_that_does_not_move_makes_a_game_stuck(swept, start, alice):
    game = start(alice, "random")
    game = play_on(game, 0)
    while Game.objects.get(pk=game.pk).bot_due_at is None:
        play_on(game, 1)
    Game.objects.filter(pk=game.pk).update(bot_due_at=ago(seconds=50))
    assert examine()[1] == 0
    Game.objects.filter(pk=game.pk).update(bot_due_at=ago(minutes=5))
    said, code = examine()
    assert re.search(
        rf"stuck: Game {game} is stuck. The computer player in seat \d {wording.SHOULD_HAVE_MOVED} 5 minutes",
        said,
    )
    assert code == 1


def test_game_that_waits_for_nobody_is_stuck(swept, start, alice, bob):
    game = start(alice, bob)
    Game.objects.filter(pk=game.pk).update(waiting_for=None, deadline=None)
    assert wording.NOBODY_SITS_THERE in examine()[0]
    Game.objects.filter(pk=game.pk).update(seat_to_move=None)
    assert wording.NOBODYS_TURN in examine()[0]


def test_paused_game_is_not_stuck(swept, start, alice, bob):
    game = start(alice, bob)
    Game.objects.filter(pk=game.pk).update(waiting_for=None, deadline=None, paused=timezone.now())
    assert examine()[1] == 0


def test_unsettled_timeout_is_reported(swept, start, alice, bob):
    game = start(alice, bob, terms={"pace": 3600})
    Game.objects.filter(pk=game.pk).update(deadline=ago(minutes=4))
    assert examine()[1] == 0
    Game.objects.filter(pk=game.pk).update(deadline=ago(hours=3))
    assert f"overdue: Game {game}: a player ran out of time 3 hours ago and nothing happened." in examine()[0]


def test_unsent_notifications_are_reported(swept, start, alice, bob):
    game = start(alice, bob)
    Notification.objects.all().delete()
    Notification.objects.create(user=alice, kind=Kind.DECISION, game=game, version=0, due=ago(minutes=11))
    assert "outbox: A message that was due 11 minutes ago was not sent" in examine()[0]


@pytest.mark.django_db
def test_missing_migrations_are_told_and_nothing_that_follows_from_them(monkeypatch):
    monkeypatch.setattr(service_health, "missing_migrations", lambda: 2)
    monkeypatch.setattr(site_report, "health_problems", None)
    said, code = examine()
    assert said.splitlines()[0] == "migrations: Migrations: 2 not applied. Apply them: manage.py migrate"
    assert "database:" not in said
    assert code == 1


def test_missing_database_is_reported(monkeypatch):
    def gone():
        raise OperationalError("a password of the database")

    monkeypatch.setattr(service_health.connection, "cursor", gone)
    said, code = examine()
    assert (
        "database: The database does not answer (OperationalError). Restart it: systemctl restart postgresql"
        in said
    )
    assert "password" not in said
    assert code == 1


@pytest.mark.django_db
def test_failed_query_is_reported_with_the_log_of_the_database(monkeypatch):
    def fail(now):
        raise OperationalError("a row of the database")

    monkeypatch.setattr(site_report, "health_problems", fail)
    said, code = examine()
    assert (
        "database: The database returned an error (OperationalError). Its log says why:"
        " tail /var/log/postgresql/*.log (docker compose logs postgres)" in said
    )
    assert "a row" not in said
    assert code == 1


def test_missing_redis_is_reported_and_the_rest_is_checked(swept, settings):
    settings.BROKER_URL, settings.CHANNEL_URLS = "redis://127.0.0.1:1/0", []
    said, code = examine()
    assert "redis: Redis does not answer" in said
    assert "1 problem found" in said
    assert code == 1


# -- Games that differ from their logs -------------------------------------------------------------


@pytest.fixture
def game(swept, start, alice, bob):
    return play_on(start(alice, bob), 12)


def faults(game):
    said, code = examine()
    assert code == 1
    # No tile, whatever is wrong: it might be in a hand.
    assert not TILE.search(said)
    assert bytes(game.seed).hex() not in said
    return said


def test_illegal_move_is_reported_by_its_number(game):
    hand = game.rule_system.state_from_json(game.state).hands[0]
    assert hand
    move = game.moves.filter(kind=LogEntry.Kind.MOVE, text__startswith="place").last()
    tiles = {entry.text for entry in game.moves.all()}
    other = next(f"place {number}A" for number in range(1, 13) if f"place {number}A" not in tiles)
    LogEntry.objects.filter(pk=move.pk).update(text=other)
    assert f"game: Game {game}: Log entry {move.number} does not replay." in faults(game)


def test_state_that_differs_from_the_log_is_reported(game):
    state = {**game.state, "cash": [sum(game.state["cash"]), *[0] * (len(game.state["cash"]) - 1)]}
    Game.objects.filter(pk=game.pk).update(state=state)
    assert wording.LOG_DOES_NOT_LEAD_TO_POSITION in faults(game)


def test_unreadable_state_is_reported(game):
    Game.objects.filter(pk=game.pk).update(state={"nonsense": "5C"})
    assert wording.POSITION_UNREADABLE in faults(game)


def test_missing_entry_is_reported(game):
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    assert f"It is at version {game.version + 1}, but its log ends with entry {game.version}" in faults(game)


def test_single_game_can_be_checked(game):
    said, code = examine(game.public_id)
    assert code == 0
    assert f"Game {game}: in progress, version {game.version}; the person in seat" in said
    with pytest.raises(CommandError, match="No game has the ID nowhere"):
        examine("nowhere")


def test_figures_count_the_same_faults(game):
    Game.objects.filter(pk=game.pk).update(waiting_for=None, deadline=None)
    told = {name: value for name, (_, value) in site_health.metrics().items()}
    assert (told["games_running"], told["games_stuck"], told["deadlines_overdue"]) == (1, 1, 0)
    assert 0 <= told["sweeper_age_seconds"] < 60
