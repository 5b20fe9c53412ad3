"""The players at the table of a live game."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Game
from games.models.presence import VISIBLE_FOR
from games.play import page_presence
from games.play.page_presence import seats_here, watching_members
from games.realtime import ticks
from tests.support.games import NewGame, play_to_the_end

pytestmark = pytest.mark.django_db

LIVE = {"pace": 30, "bank": 180, "cap": 180}


@pytest.fixture
def game(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A live game of alice, bob and a computer."""
    return start(alice, bob, "random", preset="course", terms=LIVE)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games whose open pages got a tick."""
    games: list[str] = []
    monkeypatch.setattr(ticks, "send_tick", lambda public_id, version, users: games.append(public_id))
    return games


def here(game: Game, reader: User | None = None) -> set[User | None]:
    game = Game.objects.get(pk=game.pk)
    seats = list(game.seats.select_related("user"))
    found = seats_here(game, seats, reader.pk if reader else None)
    return {seat.user for seat in seats if seat.number in found}


def test_player_with_a_visible_page_is_here(game: Game, alice: User) -> None:
    assert here(game) == set()
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    assert here(game) == {alice}


def test_player_is_gone_with_the_last_visible_page(game: Game, alice: User) -> None:
    for tab in ("tab", "other tab"):
        page_presence.mark_visible(alice.pk, game.pk, tab)
    page_presence.mark_hidden("tab")
    assert here(game) == {alice}
    page_presence.mark_hidden("other tab")
    assert here(game) == set()


def test_page_that_stops_reporting_is_gone(clock: Any, game: Game, alice: User) -> None:
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    clock.shift(VISIBLE_FOR - timedelta(seconds=1))
    assert here(game) == {alice}
    clock.shift(timedelta(seconds=2))
    assert here(game) == set()


def test_reader_is_here_before_the_socket_is_open(game: Game, bob: User) -> None:
    assert here(game, reader=bob) == {bob}


def test_spectator_is_at_no_seat(game: Game, carol: User) -> None:
    page_presence.mark_visible(carol.pk, game.pk, "tab")
    assert here(game, reader=carol) == set()


def test_page_of_another_game_does_not_count(game: Game, start: NewGame, alice: User, bob: User) -> None:
    other = start(alice, bob, preset="course", terms=LIVE)
    page_presence.mark_visible(alice.pk, other.pk, "tab")
    assert here(game) == set()


def test_nobody_is_shown_at_a_game_by_mail(start: NewGame, alice: User, bob: User, told: list[str]) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 86400})
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    assert (here(game, reader=alice), told) == (set(), [])


def test_nobody_is_shown_after_the_end(game: Game, alice: User, told: list[str]) -> None:
    play_to_the_end(game)
    told.clear()
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    assert (here(game, reader=alice), told) == (set(), [])


def test_pages_are_told_when_a_player_comes_or_goes(game: Game, alice: User, told: list[str]) -> None:
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    assert told == [game.public_id]
    page_presence.mark_hidden("tab")
    page_presence.mark_hidden("tab")
    assert told == [game.public_id] * 2
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    assert told == [game.public_id] * 3
    assert here(game) == {alice}


def test_pages_are_not_told_of_spectators(game: Game, carol: User, told: list[str]) -> None:
    page_presence.mark_visible(carol.pk, game.pk, "tab")
    page_presence.mark_hidden("tab")
    assert told == []


def test_members_who_watch_are_counted_once_and_without_players(
    game: Game, alice: User, carol: User, clock: Any
) -> None:
    for tab, user in enumerate((alice, carol, carol)):
        page_presence.mark_visible(user.pk, game.pk, str(tab))
    assert watching_members([game]) == {game.pk: 1}
    clock.shift(VISIBLE_FOR)
    assert watching_members([game]) == {}
