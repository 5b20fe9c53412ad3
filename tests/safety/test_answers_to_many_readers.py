"""Answers to many readers at once: each reader gets what they would get alone, with nothing kept.

Pages, tables and logs are asked for in random order and by several threads, which share what the process
keeps. There are hidden holdings, a practice table with open and covered hands, a seat that has changed hands,
and moves that were taken back. The twins keep by less than all that a text or a square depends on.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.test import Client, RequestFactory

from accounts.models import User
from games.lobby.game_start import start_game
from games.models import Game
from games.play.seats.substitutes import take_over_seat
from games.play.takebacks import take_back
from games.refusals import Refusal
from games.web.presenters import table_markup, turn_text
from tests.safety.crowd import Crowd
from tests.safety.leaks import recorded_answers
from tests.support.clients import client_of
from tests.support.games import leave_to_bot, play_on
from tests.support.kept_texts import by_name_and_chain, forget, forget_pages, keep_by, without_reader
from tests.support.practice_tables import decide, open_hand, practise

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

THREADS = 4
ROUNDS = 3

PATHS = ("/games/{}/", "/games/{}/table/", "/games/{}/log/")


@dataclass(frozen=True)
class Look:
    """A request of one reader: the address and the session."""

    path: str
    session: str

    def answer(self, handler: BaseHandler) -> bytes:
        """The body of the answer, without what is random by design."""
        request = RequestFactory().get(
            self.path, headers={"HX-Request": "true"} if "table" in self.path else {}
        )
        if self.session:
            request.COOKIES[settings.SESSION_COOKIE_NAME] = self.session
        answer: Any = handler.get_response(request)
        assert answer.status_code == 200, f"{answer.status_code} to {self.path}"
        return recorded_answers.masked(answer.content)


@pytest.fixture
def looks(clock: Any) -> list[Look]:
    """Looks at four games, each by all who may look."""
    users = [User.objects.create_user(name) for name in ("ann", "bert", "cleo")]
    host, browsers = users[0], [client_of(user) for user in users]
    practice = practise(host)
    for _ in range(15):
        practice = decide(practice)
    with_open_hand = client_of(host)
    open_hand(with_open_hand, practice)
    hidden = play_on(_start(users, options={"holdings": "hidden"}), 50)
    found = [*_looks(practice, [browsers[0], with_open_hand])]
    for game in (hidden, _handed_over(clock, users), _with_moves_taken_back(users)):
        found += _looks(game, [*browsers, Client()])
    return found


def _start(players: list[User], **terms: Any) -> Game:
    usual = {"skips": False, "visibility": Game.Visibility.PUBLIC, **terms}
    return start_game(system="acquire", preset="avalon-hill", host=players[0], players=players, **usual)


def _handed_over(clock: Any, players: list[User]) -> Game:
    """A game in which a computer stood in for the first player, and the last one has taken the seat."""
    game = play_on(_start(players[:2], pace=3600, overrun="take"), 30)
    leave_to_bot(game, players[0])
    game = play_on(game, 8)
    clock.shift(timedelta(days=2))
    take_over_seat(game_id=game.pk, number=game.seats.get(user=players[0]).number, user=players[2])
    return play_on(game, 8)


def _with_moves_taken_back(players: list[User]) -> Game:
    game, backs = play_on(_start(players), 20), 0
    while backs < 3:
        mover = game.waiting_for
        game = play_on(game, 1)
        with suppress(Refusal):
            take_back(game_id=game.pk, number=game.version + 1, to=game.version - 1, by=mover)
            backs += 1
            game = Game.with_secrets.get(pk=game.pk)
    return game


def _looks(game: Game, clients: list[Client]) -> Iterator[Look]:
    for client in clients:
        session = client.cookies.get(settings.SESSION_COOKIE_NAME)
        for path in PATHS:
            yield Look(path.format(game.public_id), session.value if session else "")


@pytest.fixture
def handler() -> BaseHandler:
    handler = BaseHandler()
    handler.load_middleware()
    return handler


@pytest.fixture
def expected(looks: list[Look], handler: BaseHandler) -> list[bytes]:
    """The answer to each look with nothing kept; the first look of a reader shows what is new."""
    for look in looks:
        look.answer(handler)
    answers = []
    for look in looks:
        forget()
        forget_pages()
        answers.append(look.answer(handler))
    return answers


def wrong(looks: list[Look], expected: list[bytes], handler: BaseHandler) -> list[str]:
    """Look several times in random order and by several threads; return what was answered otherwise."""
    forget()
    forget_pages()
    order = [number for number in range(len(looks)) for _ in range(ROUNDS)]
    Random("any order").shuffle(order)
    found = []
    with Crowd(THREADS) as crowd:
        for first in range(0, len(order), THREADS):
            numbers = order[first : first + THREADS]
            answers = crowd.at_once(*(lambda look=looks[number]: look.answer(handler) for number in numbers))
            for number, answer in zip(numbers, answers, strict=True):
                if isinstance(answer, Exception):
                    raise answer
                if answer != expected[number]:
                    found.append(looks[number].path + recorded_answers.difference(expected[number], answer))
    return found


def test_everybody_gets_the_answer_that_they_would_get_alone(
    looks: list[Look], expected: list[bytes], handler: BaseHandler
) -> None:
    assert len(looks) == 3 * (2 + 4 + 4 + 4) and len(set(expected)) == len(looks)
    assert wrong(looks, expected, handler) == []
    assert turn_text._told.cache_info().hits > turn_text._told.cache_info().misses


def test_answer_with_a_paragraph_of_another_reader_is_detected(
    looks: list[Look], expected: list[bytes], handler: BaseHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_text, "_told", keep_by(turn_text._told, without_reader))
    assert wrong(looks, expected, handler)


def test_answer_with_a_square_of_another_reader_is_detected(
    looks: list[Look], expected: list[bytes], handler: BaseHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_markup, "_square", keep_by(table_markup._square, by_name_and_chain))
    assert wrong(looks, expected, handler)
