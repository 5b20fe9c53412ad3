"""A restored copy of the database holds every game as it was, and each replays.

`make backup-check GAMES=500` takes more games than the tests do each day.
"""

import contextlib
import gzip
import os
import shutil
import sqlite3
import time
from io import StringIO
from random import Random
from typing import Any, cast

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from accounts.models import User
from acquire_site.backup import backup_check, backup_file, database_aside, postgres_schemas, sqlite_files
from acquire_site.backup import restore as restoring
from acquire_site.backup.backup_error import BackupError
from games.lobby.game_start import start_game
from games.models import Game, Heartbeat, LogEntry, ProcessSign
from games.play.deadlines.outages import SWEEPER
from games.play.play_move import play_move
from games.processes.process_signs import SignOfLife
from tests.support.databases_aside import reach_databases_aside
from tests.support.played_site import missing

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

GAMES = int(os.environ.get("BACKUP_GAMES", "25"))
SYSTEMS = [("acquire", "avalon-hill"), ("acquire", "classic"), ("acquisition", "standard")]


@pytest.fixture(autouse=True)
def programs():
    if connection.vendor == "postgresql" and not shutil.which("pg_dump"):
        missing("postgres")


@pytest.fixture(autouse=True)
def nothing_is_kept(transactional_db):
    """Remove the databases that a test has kept."""
    yield
    beside = database_aside.databases()
    for name in beside.kept():
        beside.remove(name)


@pytest.fixture(autouse=True)
def look_aside(transactional_db, monkeypatch):
    reach_databases_aside(monkeypatch)


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
    path = tmp_path / f"copy{backup_file.suffix()}"
    call_command("backup", path, stdout=StringIO())
    assert path.stat().st_mode & 0o077 == 0

    # The site goes on, and then all of it is lost.
    play_on(Game.objects.first().pk, 3, Random(1))
    User.objects.create_user("too-late")
    assert f"{GAMES} games" in restore(path, "--check")
    assert User.objects.filter(username="too-late").exists(), "a look at the copy changed the site"
    call_command("flush", interactive=False, verbosity=0)
    assert not Game.all_games.exists()

    told = restore(path, "--sample", "0")
    print(told)
    assert f"Replayed {GAMES} games" in told and ": 0 faults" in told
    assert whole_database() == before
    # Rows can be added: the sequences continue after the last keys.
    User.objects.create_user("new-here")


def test_altered_copy_is_detected(tmp_path):
    some_games(3, moves=6)
    move = LogEntry.objects.filter(kind=LogEntry.Kind.MOVE).first()
    LogEntry.objects.filter(pk=move.pk).update(events=[])
    path = tmp_path / f"copy{backup_file.suffix()}"
    call_command("backup", path, stdout=StringIO())
    with pytest.raises(CommandError, match="not what their logs say"):
        restore(path, "--check")


def test_restore_does_not_overwrite_existing_games_by_mistake(tmp_path):
    some_games(1)
    path = tmp_path / f"copy{backup_file.suffix()}"
    call_command("backup", path, stdout=StringIO())
    with pytest.raises(CommandError, match="Use --replace"):
        restore(path)
    with pytest.raises(CommandError, match="nothing was overwritten"):
        call_command("backup", path)
    assert "Replayed 1 games" in restore(path, "--replace")


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
        (folder / f"acquire-202601{day}-030000{backup_file.suffix()}").touch()
    (folder / "acquire-of-mine.dump").touch()
    call_command("backup", "--keep", "2", stdout=StringIO())
    names = sorted(found.name for found in folder.iterdir())
    assert len(names) == 3
    assert names[0] == f"acquire-20260103-030000{backup_file.suffix()}"
    assert "acquire-of-mine.dump" in names


# -- What is restored never destroys what was there ------------------------------------------------


def backup_of(number, path):
    """Make a backup of some games at this path, then let the site go on by one user."""
    some_games(number, moves=6)
    call_command("backup", path, stdout=StringIO())
    User.objects.create_user("too-late")
    return path


@pytest.fixture
def copy(tmp_path):
    return backup_of(3, tmp_path / f"copy{backup_file.suffix()}")


def rows_of(name):
    """The tables beside the live one that hold the games of this database."""
    beside = database_aside.databases()
    with database_aside.connected(beside, name):
        return User.objects.using(name).filter(username="too-late").count()


@pytest.mark.parametrize("share", [0.3, 0.7, 0.99])
def test_a_copy_that_is_cut_off_changes_nothing(copy, share):
    content = copy.read_bytes()
    copy.write_bytes(content[: int(len(content) * share)])
    before = whole_database()
    with pytest.raises(CommandError, match=r"read whole|damaged") as refusal:
        restore(copy, "--replace")
    assert str(refusal.value).endswith(". The site's database is as it was.")
    assert whole_database() == before
    assert database_aside.databases().kept() == []


def test_a_damaged_copy_changes_nothing(copy):
    content = bytearray(copy.read_bytes())
    # Some pages of a disk.
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 40960] = bytes(byte ^ 0xFF for byte in content[middle : middle + 40960])
    copy.write_bytes(content)
    before = whole_database()
    with pytest.raises(CommandError):
        restore(copy, "--replace")
    assert whole_database() == before


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="pg_restore checks what it reads by itself")
def test_a_single_changed_byte_of_a_sqlite_backup_is_noticed(copy):
    content, before = copy.read_bytes(), whole_database()
    # The last bytes are the checksum and the length.
    for place in range(len(content) - 8, len(content)):
        changed = bytearray(content)
        changed[place] ^= 1
        copy.write_bytes(changed)
        with pytest.raises(CommandError, match="read whole"):
            restore(copy, "--replace")
    assert whole_database() == before


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="pg_restore checks what it reads by itself")
def test_a_name_changed_in_a_sqlite_backup_is_noticed(copy):
    plain = gzip.decompress(copy.read_bytes())
    changed = plain.replace(b"host-0", b"host-9")
    assert changed != plain
    # As a fault of the disk would: the checksum is that of what was written.
    copy.write_bytes(gzip.compress(changed, mtime=0)[:-8] + copy.read_bytes()[-8:])
    with pytest.raises(CommandError, match="read whole"):
        restore(copy, "--replace")
    assert User.objects.filter(username="too-late").exists()


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="backups of PostgreSQL are as they were")
def test_a_plain_sqlite_backup_of_an_earlier_release_is_restored(copy, tmp_path):
    plain = tmp_path / "copy.sqlite3"
    plain.write_bytes(gzip.decompress(copy.read_bytes()))
    assert "Replayed 3 games" in restore(plain, "--replace")
    assert not User.objects.filter(username="too-late").exists()


def test_the_database_before_is_kept_until_it_is_dropped(copy):
    told = restore(copy, "--replace")
    assert not User.objects.filter(username="too-late").exists()
    [kept] = database_aside.databases().kept()
    assert f"kept as {kept}" in told
    assert restore("--list").strip() == kept
    assert rows_of(kept) == 1
    restore("--drop", kept)
    assert database_aside.databases().kept() == []
    assert restore("--list").strip() == "No database is kept."


def test_a_kept_database_can_be_put_back(copy):
    before = whole_database()
    restore(copy, "--replace")
    restored = whole_database()
    [kept] = database_aside.databases().kept()
    restore("--back", kept)
    assert whole_database() == before
    # And back again: what was restored is kept now.
    [kept] = database_aside.databases().kept()
    restore("--back", kept)
    assert whole_database() == restored
    User.objects.create_user("new-here")


def test_a_name_under_which_nothing_is_kept_is_refused(copy):
    for option in ("--back", "--drop"):
        with pytest.raises(CommandError, match=r"No database is kept as before_1\. There are: none\."):
            restore(option, "before_1")
        with pytest.raises(CommandError, match="No database is kept as public"):
            restore(option, "public")


def test_a_backup_does_not_hold_what_is_kept(copy, tmp_path):
    """Else each backup after a restore would grow, and bring back what was dropped."""
    restore(copy, "--replace")
    second = tmp_path / f"second{backup_file.suffix()}"
    call_command("backup", second, stdout=StringIO())
    assert second.stat().st_size < copy.stat().st_size * 1.5
    restore(second, "--replace")
    assert len(database_aside.databases().kept()) == 2


def test_a_copy_with_faults_is_restored_only_on_request(tmp_path):
    some_games(2, moves=6)
    move = LogEntry.objects.filter(kind=LogEntry.Kind.MOVE).first()
    LogEntry.objects.filter(pk=move.pk).update(events=[])
    path = backup_of(0, tmp_path / f"copy{backup_file.suffix()}")
    with pytest.raises(CommandError, match="not what their logs say"):
        restore(path, "--replace")
    assert User.objects.filter(username="too-late").exists()
    restore(path, "--replace", "--accept-faults")
    assert not User.objects.filter(username="too-late").exists()


@pytest.fixture
def nearly_empty(tmp_path):
    """A backup of a site that has hardly begun."""
    path = tmp_path / f"copy{backup_file.suffix()}"
    backup_of(1, path)
    return path


@pytest.mark.parametrize("what", ["games", "users"])
def test_a_copy_with_far_less_than_the_site_is_restored_only_on_request(nearly_empty, what):
    if what == "games":
        host = User.objects.get(username="host-0")
        for _ in range(restoring.HANDFUL):
            start_game(system="acquire", preset="classic", host=host, players=[host, "random"])
    else:
        for number in range(restoring.HANDFUL):
            User.objects.create_user(f"later-{number}")
    games, users = Game.all_games.count(), User.objects.count()
    with pytest.raises(CommandError, match="Use --accept-fewer") as refusal:
        restore(nearly_empty, "--replace")
    assert f"The backup has 1 games and 1 users, the site's database {games} games and {users} users" in str(
        refusal.value
    )
    assert database_aside.databases().kept() == []
    restore(nearly_empty, "--replace", "--accept-fewer")
    assert (Game.all_games.count(), User.objects.count()) == (1, 1)


def test_a_small_site_can_be_replaced_by_a_smaller_one(nearly_empty):
    for number in range(restoring.HANDFUL - 2):
        User.objects.create_user(f"later-{number}")
    assert User.objects.count() == restoring.HANDFUL
    restore(nearly_empty, "--replace")
    assert User.objects.count() == 1


def test_a_copy_of_a_newer_version_is_refused(tmp_path):
    some_games(1)
    recorder = MigrationRecorder(connection)
    recorder.record_applied("games", "9999_from_the_future")
    try:
        path = backup_of(0, tmp_path / f"copy{backup_file.suffix()}")
    finally:
        recorder.record_unapplied("games", "9999_from_the_future")
    with pytest.raises(CommandError, match=r"games\.9999_from_the_future"):
        restore(path, "--replace")
    assert User.objects.filter(username="too-late").exists()


def test_a_running_site_is_not_replaced(copy, monkeypatch):
    Heartbeat.objects.create(name=SWEEPER, at=timezone.now())
    monkeypatch.setattr(time, "sleep", lambda _: Heartbeat.objects.update(at=timezone.now()))
    with pytest.raises(CommandError, match="The site is running"):
        restore(copy, "--replace")
    assert User.objects.filter(username="too-late").exists()


def test_a_site_that_is_started_during_the_restore_is_not_replaced(copy, monkeypatch):
    replayed = backup_check.replay

    def replay_beside_a_sweeper(*arguments):
        Heartbeat.objects.create(name=SWEEPER, at=timezone.now())
        return replayed(*arguments)

    monkeypatch.setattr(backup_check, "replay", replay_beside_a_sweeper)
    with pytest.raises(CommandError, match="The site is running"):
        restore(copy, "--replace")
    assert User.objects.filter(username="too-late").exists()


def show_sign(kind):
    """Show a sign of life of a process, without a heartbeat of the sweeper."""
    sign = SignOfLife(kind)
    sign.show()
    return sign


@pytest.mark.parametrize("kind", ["web", "worker", "sweeper"])
def test_a_site_without_heartbeats_is_not_replaced(copy, monkeypatch, kind):
    sign = show_sign(kind)
    monkeypatch.setattr(time, "sleep", lambda _: sign.show())
    with pytest.raises(
        CommandError, match=rf"The site is running: the {ProcessSign.Kind(kind).label}, process"
    ):
        restore(copy, "--replace")
    assert User.objects.filter(username="too-late").exists()


def test_a_web_process_that_is_started_during_the_restore_is_noticed(copy, monkeypatch):
    replayed = backup_check.replay

    def replay_beside_a_web_process(*arguments):
        show_sign("web")
        return replayed(*arguments)

    monkeypatch.setattr(backup_check, "replay", replay_beside_a_web_process)
    with pytest.raises(CommandError, match="The site is running: the web process"):
        restore(copy, "--replace")


def test_a_process_that_was_killed_holds_up_a_restore_for_a_while_only(copy, monkeypatch):
    monkeypatch.setattr(restoring, "_WATCH_SECONDS", 0.2)
    show_sign("web")
    assert "Waiting" in restore(copy, "--replace")
    assert not User.objects.filter(username="too-late").exists()


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="it is about the files of SQLite")
@pytest.mark.parametrize(("code", "is_kept"), [("SQLITE_READONLY", False), ("SQLITE_CORRUPT", True)])
def test_only_a_damaged_sqlite_file_is_moved_away_with_its_log(tmp_path, monkeypatch, code, is_kept):
    """A file that cannot be written may have its newest moves in the log beside it."""
    live, new = tmp_path / "live", tmp_path / "live.aside_1"
    for file in (live, new):
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("CREATE TABLE t (x)")
    log = tmp_path / "live-wal"
    opened = sqlite_files._close_whole

    def fail(path):
        if path != live:
            return opened(path)
        log.write_bytes(b"moves")
        error = sqlite3.OperationalError(code)
        error.sqlite_errorcode = getattr(sqlite3, code)
        raise error

    monkeypatch.setattr(sqlite_files, "_close_whole", fail)
    files = sqlite_files.SqliteFiles()
    monkeypatch.setattr(files, "_live", live)
    if is_kept:
        assert files.swap("aside_1", "before_20260301_033000")
        assert (tmp_path / "live.before_20260301_033000-wal").exists()
        return
    with pytest.raises(BackupError, match=code):
        files.swap("aside_1", "before_20260301_033000")
    assert log.read_bytes() == b"moves"
    assert new.exists()


def test_two_restores_do_not_meet(copy):
    with (
        database_aside.databases().lock(),
        pytest.raises(CommandError, match="Another restore or drill is running"),
    ):
        restore(copy, "--replace")


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="only PostgreSQL has a pool")
def test_restore_does_with_a_pool_of_one_connection(monkeypatch):
    pool = {"min_size": 1, "max_size": 1, "timeout": 2}
    connection.close()
    monkeypatch.setitem(
        connection.settings_dict, "OPTIONS", {**connection.settings_dict["OPTIONS"], "pool": pool}
    )
    try:
        with database_aside.databases().lock():
            assert User.objects.count() == 0
    finally:
        connection.close()
        cast(Any, connection).close_pool()  # only connections to PostgreSQL have one


def test_what_somebody_holds_is_not_replaced(copy, monkeypatch):
    """A transaction that goes on, of a process that the sweeper's silence does not show."""
    monkeypatch.setattr(postgres_schemas, "_LIMITS", "SET LOCAL lock_timeout = '200ms'")
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT count(*) FROM games_game")
            with pytest.raises(CommandError, match="The database is in use"):
                restore(copy, "--replace")
            cursor.execute("ROLLBACK")
    finally:
        other.close()
    assert User.objects.filter(username="too-late").exists()
    restore(copy, "--replace")
