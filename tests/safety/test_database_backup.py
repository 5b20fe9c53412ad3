"""A restored copy of the database holds every game as it was, and each replays.

`make backup-check GAMES=500` takes more games than the tests do each day.
"""

import os
import shutil
from io import StringIO
from random import Random

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.models import User
from acquire_site import database_backup
from games.lobby.game_start import start_game
from games.models import Game, LogEntry
from games.play.play_move import play_move
from tests.support.played_site import missing

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

GAMES = int(os.environ.get("BACKUP_GAMES", "25"))
SYSTEMS = [("acquire", "avalon-hill"), ("acquire", "classic"), ("acquisition", "standard")]


@pytest.fixture(autouse=True)
def programs():
    if connection.vendor == "postgresql" and not shutil.which("pg_dump"):
        missing("postgres")


@pytest.fixture(autouse=True)
def look_aside(transactional_db, monkeypatch):
    """Let a test reach the database in which a copy is inspected, whose name is not known ahead."""
    guarded = BaseDatabaseWrapper.ensure_connection

    def ensure_connection(self):
        if not self.alias.startswith("aside-"):
            guarded(self)
        elif self.connection is None:
            with self.wrap_database_errors:
                self.connect()

    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", ensure_connection)


def some_games(number, moves=12):
    """Create this many games, each some moves longer than the one before; every 25th is finished."""
    rng = Random(number)
    for index in range(number):
        system, preset = SYSTEMS[index % len(SYSTEMS)]
        host = User.objects.create_user(f"host-{index}")
        players = [host, *["random"] * (1 + index % 3)]
        # One transaction per game: this test is about the copy, not about waiting for the disk.
        with transaction.atomic():
            game = start_game(system=system, preset=preset, host=host, players=players)  # type: ignore[arg-type]
            play_on(game.pk, 10_000 if index % 25 == 24 else index % moves, rng)


def play_on(pk, moves, rng):
    for _ in range(moves):
        game = Game.with_secrets.get(pk=pk)
        if game.seat_to_move is None:
            return
        state = game.rule_system.state_from_json(game.state)
        move = str(rng.choice(game.rule_system.legal_moves(state)))
        seat = game.seats.get(number=game.seat_to_move)
        play_move(game_id=pk, number=game.version + 1, seat=seat.number, text=move, by=seat.user)


def whole_database():
    """Every row of each of our tables."""
    return {
        model._meta.label: sorted(model._base_manager.values_list(), key=str)
        for label in ("accounts", "games", "auth", "sessions", "account")
        for model in apps.get_app_config(label).get_models()
    }


def restore(*arguments):
    out = StringIO()
    call_command("restore", *map(str, arguments), stdout=out, stderr=out)
    return out.getvalue()


def test_restored_database_equals_the_original_and_replays(tmp_path):
    some_games(GAMES)
    before = whole_database()
    path = tmp_path / f"copy{database_backup.suffix()}"
    call_command("backup", path, stdout=StringIO())
    assert path.stat().st_mode & 0o077 == 0

    # The site goes on, and then all of it is lost.
    play_on(Game.objects.first().pk, 3, Random(1))
    User.objects.create_user("too-late")
    assert f"{GAMES} games" in restore(path, "--check")
    assert User.objects.filter(username="too-late").exists(), "a look at the copy changed the site"
    call_command("flush", interactive=False, verbosity=0)
    assert not Game.all_games.exists()

    told = restore(path)
    print(told)
    assert f"{GAMES} games" in told and ", 0 faults" in told
    assert whole_database() == before
    # Rows can be added: the sequences continue after the last keys.
    User.objects.create_user("new-here")


def test_altered_copy_is_detected(tmp_path):
    some_games(3, moves=6)
    move = LogEntry.objects.filter(kind=LogEntry.Kind.MOVE).first()
    LogEntry.objects.filter(pk=move.pk).update(events=[])
    path = tmp_path / f"copy{database_backup.suffix()}"
    call_command("backup", path, stdout=StringIO())
    with pytest.raises(CommandError, match="not what their logs say"):
        restore(path, "--check")


def test_restore_does_not_overwrite_existing_games_by_mistake(tmp_path):
    some_games(1)
    path = tmp_path / f"copy{database_backup.suffix()}"
    call_command("backup", path, stdout=StringIO())
    with pytest.raises(CommandError, match="use --replace"):
        restore(path)
    with pytest.raises(CommandError, match="nothing was overwritten"):
        call_command("backup", path)
    assert "1 games" in restore(path, "--replace")


@pytest.mark.parametrize(
    "content", [None, b"", b"nonsense", b"SQLite format 3\0 and then nonsense", b"PGDMP"]
)
def test_file_that_is_no_copy_changes_nothing(tmp_path, content):
    path = tmp_path / "copy"
    if content is not None:
        path.write_bytes(content)
    User.objects.create_user("marta")
    with pytest.raises(CommandError):
        restore(path, "--check")
    assert User.objects.filter(username="marta").exists()
    assert [found.name for found in tmp_path.iterdir() if found != path] == []


def test_oldest_copies_are_deleted(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in ("01", "02", "03"):
        (folder / f"acquire-202601{day}-030000{database_backup.suffix()}").touch()
    (folder / "acquire-of-mine.dump").touch()
    call_command("backup", "--keep", "2", stdout=StringIO())
    names = sorted(found.name for found in folder.iterdir())
    assert len(names) == 3
    assert names[0] == f"acquire-20260103-030000{database_backup.suffix()}"
    assert "acquire-of-mine.dump" in names
