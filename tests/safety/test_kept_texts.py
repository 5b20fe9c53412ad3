"""Texts and squares that a process keeps for all readers: nobody gets what was worded for another.

Tables of many readers are drawn twice: each with nothing kept, and all in random order, in several threads
that share what is kept. Both must be the same. There are hidden holdings, a practice table whose hands are
opened one after the other, a seat that changes hands, and moves that are taken back.

The twins keep by less than all that a text or a square depends on, and tables differ.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.template.loader import render_to_string
from django.test import override_settings
from django.utils import timezone

from accounts.models import User
from games.lobby import game_start
from games.lobby.game_start import start_game
from games.models import Game
from games.play.game_view import GameView, game_view
from games.play.seats.practice_hands import OpenHand
from games.play.seats.substitutes import take_over_seat
from games.play.takebacks import take_back
from games.refusals import Refusal
from games.web.presenters import board_shapes, table_markup, turn_text
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import table_persons
from tests.support.games import leave_to_bot, play_on
from tests.support.kept_texts import by_name_and_chain, by_number_of_pieces, forget, keep_by, without_reader
from tests.support.practice_tables import decide, practise
from tests.tools import fixed_seeds
from tests.web.presenters.presenter_cases import NO_REQUEST

pytestmark = pytest.mark.django_db

Draw = Callable[[], str]
THREADS = 4
ROUNDS = 2


@pytest.fixture(scope="module")
def tables(django_db_setup: None, django_db_blocker: Any) -> list[Draw]:
    """Tables at several moments of five games, each for all its readers; to draw them takes no database."""
    now = timezone.now()
    with (
        django_db_blocker.unblock(),
        time_machine.travel(now, tick=False) as clock,
        override_settings(ACQUISITION_PERMISSION="The tests, always"),
        mock.patch.object(game_start, "new_seed", fixed_seeds.drawn("kept texts")),
        transaction.atomic(),
    ):
        ann, bert, cleo = (User.objects.create_user(name) for name in ("ann", "bert", "cleo"))
        games = [
            _hidden_holdings(ann, bert, cleo),
            _practice(ann),
            _handed_over(clock, bert, cleo),
            _taken_back(cleo, ann, bert),
            _city(ann, bert, cleo),
        ]
        found = [drawn for game in games for drawn in game]
        transaction.set_rollback(True)
    return found


@pytest.fixture(scope="module")
def expected(tables: list[Draw]) -> list[str]:
    """Each table as it is drawn with nothing kept."""
    pages = []
    for draw in tables:
        forget()
        pages.append(draw())
    return pages


def _started(*players: User, system: str = "acquire", preset: str = "avalon-hill", **terms: Any) -> Game:
    return start_game(
        system=system, preset=preset, host=players[0], players=players, **{"skips": False, **terms}
    )


def _readers(game: Game, *readers: Any) -> Iterator[Draw]:
    """The table and the whole log for each of these users and, if anybody may watch, a visitor."""
    for user in readers if game.is_practice else (*readers, AnonymousUser()):
        for whole_log in (False, True):
            look = game_view(game.public_id, user, whole_log=whole_log)
            assert look is not None
            yield _drawing(look)


def _drawing(look: GameView) -> Draw:
    """Return a function that draws the table anew, without the database."""
    seated = table_persons(look.seats)
    table = PRESENTERS[look.game.system]

    def draw() -> str:
        for entry in look.entries:
            entry.__dict__.pop("decoded_events", None)
        entries = log_entry_views(look, look.entries, look.game.version - 5)
        context = table.context(look.seen, people(seated, look.seat), entries)
        log = table.log_context(look.seen.rules, people(seated, look.seat), entries)
        page = render_to_string(table.TEMPLATE, {**NO_REQUEST, **context, "version": 1, "move_url": "/move/"})
        return f"{page}{log}"

    return draw


def _hidden_holdings(*players: User) -> Iterator[Draw]:
    game = _started(*players, options={"holdings": "hidden"})
    for _ in range(5):
        game = play_on(game, 10)
        yield from _readers(game, *players)


def _practice(host: User) -> Iterator[Draw]:
    game = practise(host)
    for _ in range(12):
        game = decide(game)
        yield from _readers(game, host)
        assert game.seat_to_move is not None
        opened = OpenHand(game.seat_to_move, game.version)
        if (look := game_view(game.public_id, host, opened=opened)) is not None:
            yield _drawing(look)


def _handed_over(clock: Any, *players: User) -> Iterator[Draw]:
    """One player leaves, a computer plays on, and a third one takes the seat."""
    game = play_on(_started(*players, pace=3600, overrun="take"), 30)
    leave_to_bot(game, players[0])
    game = play_on(game, 8)
    yield from _readers(game, *players)
    later = User.objects.create_user("dora")
    clock.shift(timedelta(days=2))
    take_over_seat(game_id=game.pk, number=game.seats.get(user=players[0]).number, user=later)
    game = play_on(game, 8)
    yield from _readers(game, *players, later)


def _taken_back(*players: User) -> Iterator[Draw]:
    game = play_on(_started(*players), 20)
    backs = 0
    while backs < 3:
        mover = game.waiting_for
        game = play_on(game, 1)
        before = list(_readers(game, *players))
        with suppress(Refusal):
            take_back(game_id=game.pk, number=game.version + 1, to=game.version - 1, by=mover)
            backs += 1
            game = Game.with_secrets.get(pk=game.pk)
            yield from [*before, *_readers(game, *players)]


def _city(*players: User) -> Iterator[Draw]:
    game = _started(*players, system="acquisition", preset="standard")
    for _ in range(2):
        game = play_on(Game.with_secrets.get(pk=game.pk), 15)
        yield from _readers(game, *players)


def wrong(tables: list[Draw], expected: list[str]) -> int:
    """Draw all tables some times in random order and several threads; return how many differ."""
    forget()
    order = [number for number in range(len(tables)) for _ in range(ROUNDS)]
    Random("any order").shuffle(order)
    with ThreadPoolExecutor(THREADS) as pool:
        pages = list(pool.map(lambda number: tables[number](), order))
    return sum(page != expected[number] for number, page in zip(order, pages, strict=True))


def test_nobody_gets_what_was_drawn_for_another(tables: list[Draw], expected: list[str]) -> None:
    assert len(tables) > 100 and len(set(expected)) > 60
    assert wrong(tables, expected) == 0
    assert turn_text._told.cache_info().hits > turn_text._told.cache_info().misses
    assert table_markup._square.cache_info().hits > table_markup._square.cache_info().misses


def test_paragraph_kept_without_its_reader_is_detected(
    tables: list[Draw], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        turn_text,
        "_told",
        keep_by(turn_text._told, without_reader),
    )
    assert wrong(tables, expected) > 0


def test_paragraph_kept_without_the_names_is_detected(
    tables: list[Draw], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        turn_text,
        "_told",
        keep_by(turn_text._told, lambda events, people, *rest: (events, people.reader, people.html, *rest)),
    )
    assert wrong(tables, expected) > 0


def test_paragraph_kept_without_being_taken_back_is_detected(
    tables: list[Draw], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        turn_text,
        "_told",
        keep_by(turn_text._told, lambda events, people, note, gone, *rest: (events, people, note, *rest)),
    )
    assert wrong(tables, expected) > 0


def test_square_kept_by_name_and_chain_is_detected(
    tables: list[Draw], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        table_markup,
        "_square",
        keep_by(table_markup._square, by_name_and_chain),
    )
    assert wrong(tables, expected) > 0


def test_board_kept_by_its_number_of_pieces_is_detected(
    tables: list[Draw], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_shapes, "_svg", keep_by(board_shapes._svg, by_number_of_pieces))
    assert wrong(tables, expected) > 0


def test_language_is_part_of_what_is_kept() -> None:
    forget()
    nobody = people([])

    def tell(*_: Any) -> list[str]:
        return [str(turn_text.get_language())]

    said: list[str] = []
    for language in ("en", "de", "en"):
        with mock.patch.object(turn_text, "get_language", lambda language=language: language):
            said += turn_text._paragraphs([LogEntryView(1)], nobody, None, tell)
    assert said == ["en", "de", "en"]
    assert turn_text._told.cache_info().currsize == 2
