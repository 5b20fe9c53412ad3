"""The time of a new game in its form."""

from typing import Any

import pytest

from accounts.models import User
from games.lobby.game_lists import OpenGameFilter, open_games
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.models import Game
from games.web.lobby.new_game_form import NewGameForm
from games.web.text.game_titles import format_duration, format_pace

pytestmark = pytest.mark.django_db


def form(user: User, **chosen: Any) -> NewGameForm:
    data = {
        "preset": "avalon-hill", "least": 2, "most": 4, "visibility": "public", "start": "full",
        "unit": "days", "pace": 3, **chosen,
    }  # fmt: skip
    return NewGameForm(user, "acquire", data)


def times(user: User, **chosen: Any) -> tuple[Any, ...]:
    filled = form(user, **chosen)
    assert filled.is_valid(), filled.errors
    terms = filled.terms()
    return terms.pace, terms.bank, terms.cap, terms.off


@pytest.mark.parametrize(("speed", "pace", "bank"), [("fast", 30, 180), ("evening", 60, 300)])
def test_live_set_has_seconds_and_a_bank_of_minutes(alice: User, speed: str, pace: int, bank: int) -> None:
    assert times(alice, speed=speed, bank=99, off="nights") == (pace, bank, bank, "")


def test_own_live_pace_has_a_bank_in_minutes(alice: User) -> None:
    assert times(alice, speed="own", unit="seconds", pace=45, bank=10) == (45, 600, 600, "")


def test_pace_by_mail_keeps_its_units(alice: User) -> None:
    assert times(alice, speed="own", unit="hours", pace=5, bank=6, off="nights") == (
        5 * 3600,
        6 * 3600,
        None,
        "nights",
    )


@pytest.mark.parametrize(("unit", "pace"), [("seconds", 29), ("seconds", 121), ("hours", 100), ("days", 120)])
def test_pace_outside_its_unit_is_refused_with_a_sentence(alice: User, unit: str, pace: int) -> None:
    filled = form(alice, speed="own", unit=unit, pace=pace)
    assert not filled.is_valid()
    assert set(filled.errors) == {"pace"}


def test_live_set_is_remembered_as_itself(alice: User) -> None:
    filled = form(alice, speed="evening")
    assert filled.is_valid()
    again = NewGameForm(alice, "acquire", last=filled.remembered())
    assert (again["speed"].initial, again["bank"].initial) == ("evening", None)


def test_own_live_pace_is_remembered_as_own(alice: User) -> None:
    filled = form(alice, speed="own", unit="seconds", pace=30, bank=9)
    assert filled.is_valid()
    again = NewGameForm(alice, "acquire", last=filled.remembered())
    assert (again["speed"].initial, str(again["bank"].initial)) == ("own", "9")


def open_game(host: User, **time: Any) -> Game:
    terms = GameTerms(system="acquire", preset="avalon-hill", least=2, most=4, **time)
    return create_game(host=host, terms=terms)


def test_pace_is_named_in_lists(alice: User) -> None:
    game = open_game(alice, pace=30, bank=150, cap=150)
    assert format_pace(game) == "Live, 2.5\N{NO-BREAK SPACE}min + 30\N{NO-BREAK SPACE}s"
    game.time_bank = game.time_bank_cap = None
    assert format_pace(game) == "Live, 30\N{NO-BREAK SPACE}s per move"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(30, "30 seconds"), (60, "1 minute"), (90, "90 seconds"), (120, "2 minutes"), (130.5, "2 minutes")],
)
def test_short_durations_are_told_in_seconds(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words


def test_lobby_tells_live_games_from_fast_mail(alice: User, bob: User) -> None:
    live, mail = open_game(alice, pace=30), open_game(alice, pace=86400)
    assert list(open_games(bob, OpenGameFilter(pace=120))) == [live]
    assert list(open_games(bob, OpenGameFilter(pace=86400))) == [mail]
