"""On SQLite, where one writer locks out all others, nobody waits who only looks at a page."""

import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.models.write_if_free import write_if_free
from accounts.web.membership import known_browsers, member_middleware
from games.analysis import advice as advice_module
from games.chat.messages import say
from games.models import Game, GameVisit
from games.play import visits
from games.play.bots.bot_cache import bot_cache
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

# Long enough for a test to see that a request waits, short enough to wait for its end.
SHORT_PATIENCE_MS = 50

PAGES = ["", "table/", "talk/", "log/"]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    game = play_on(start(alice, bob), 6)
    say(game_id=game.pk, user=bob, text="Good luck.")
    return game


@pytest.fixture
def reader(game: Game, alice: User) -> Client:
    """A member who has not been here today, and has not seen the latest of the game."""
    client = client_of(alice)
    User.objects.filter(pk=alice.pk).update(last_seen=timezone.localdate() - timedelta(days=2))
    return client


@pytest.fixture
def writer() -> Iterator[sqlite3.Connection]:
    """Another process that is writing, until it is rolled back."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL locks rows, not the database")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    if other.in_transaction:
        other.rollback()
    other.close()


@pytest.mark.parametrize("page", PAGES)
def test_page_is_answered_while_another_process_writes(
    page: str, game: Game, reader: Client, writer: sqlite3.Connection
) -> None:
    answer = reader.get(f"{game.get_absolute_url()}{page}", headers=HTMX if page == "table/" else {})
    # The writer has not let go, so the answer cannot have waited for it.
    assert writer.in_transaction
    assert answer.status_code == 200


def test_visit_that_could_not_be_recorded_is_recorded_by_the_next_look(
    game: Game, alice: User, reader: Client, writer: sqlite3.Connection
) -> None:
    mine = GameVisit.objects.filter(game=game, user=alice)
    reader.get(game.get_absolute_url())
    assert not mine.exists()
    writer.rollback()
    reader.get(game.get_absolute_url())
    assert mine.get().seen == game.version
    alice.refresh_from_db()
    assert alice.last_seen == timezone.localdate()


def test_expired_advice_is_read_while_another_process_writes(game: Game, writer: sqlite3.Connection) -> None:
    writer.rollback()
    assert bot_cache.add(advice_module._cache_key(game), [], 1)
    writer.execute("UPDATE site_cache SET expires = '2000-01-01 00:00:00'")
    writer.execute("BEGIN IMMEDIATE")
    assert advice_module.advice(game) == advice_module.AdviceState()
    assert writer.in_transaction


def test_expired_picture_is_drawn_while_another_process_writes(
    start: NewGame, alice: User, bob: User, writer: sqlite3.Connection
) -> None:
    writer.rollback()
    game = play_to_the_end(start(alice, bob))
    client, address = client_of(alice), reverse("picture", args=[game.public_id])
    first = client.get(address).content
    writer.execute("UPDATE site_cache SET expires = '2000-01-01 00:00:00'")
    writer.execute("BEGIN IMMEDIATE")
    answer = client.get(address)
    assert writer.in_transaction
    assert answer.content == first


def test_session_is_renewed_by_a_later_request_if_another_process_begins_to_write(
    game: Game, reader: Client, writer: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.rollback()
    monkeypatch.setattr(known_browsers, "remember", lambda *_: writer.execute("BEGIN IMMEDIATE"))
    answer = reader.get(game.get_absolute_url())
    assert writer.in_transaction
    assert answer.status_code == 200
    assert "seen" not in reader.session
    writer.rollback()
    monkeypatch.undo()
    reader.get(game.get_absolute_url())
    assert reader.session["seen"] == timezone.localdate().isoformat()


def insist(write: Callable[[], Any]) -> bool:
    write()
    return True


@pytest.mark.parametrize("module", [visits, member_middleware])
def test_page_that_insists_on_writing_waits_for_the_writer(
    module: Any, game: Game, reader: Client, writer: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a page that insists gives up when its patience with the writer ends."""
    monkeypatch.setattr(module, "write_if_free", insist)
    connection.ensure_connection()
    connection.connection.execute(f"PRAGMA busy_timeout = {SHORT_PATIENCE_MS}")
    with pytest.raises(OperationalError, match="locked"):
        reader.get(game.get_absolute_url())


def test_patience_of_other_writes_is_as_before(alice: User, writer: sqlite3.Connection) -> None:
    connection.ensure_connection()
    before = connection.connection.execute("PRAGMA busy_timeout").fetchone()
    touch = User.objects.filter(pk=alice.pk).update
    assert not write_if_free(lambda: touch(last_seen=timezone.localdate()))
    assert connection.connection.execute("PRAGMA busy_timeout").fetchone() == before != (0,)
    writer.rollback()
    assert write_if_free(lambda: touch(last_seen=timezone.localdate()))
