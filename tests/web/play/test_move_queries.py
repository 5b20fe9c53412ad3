"""A move with its answer takes few statements, and a look at a table fewer."""

import re
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game
from games.play import game_view, page_presence
from games.play.automation import automatic_moves
from games.play.automation.planned_turns import keep_plan
from games.play.automation.standing_orders import save_order
from tests.safety.headless_browser import asked
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, seen_by
from tests.support.planned_turns import random_plan
from tests.support.practice_tables import open_hand, practise

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

# With a deadline, decisions made in time are counted. With a time bank, the time left in it is stored, too,
# and a query asks whether clocks stand still because the site is busy.
MOST_FOR_A_MOVE = {"no limit": 16, "deadline": 17, "time bank": 19, "live": 23}
CLOCKS: dict[str, dict[str, Any]] = {
    "no limit": {},
    "deadline": {"pace": 86400},
    "time bank": {"pace": 3600, "bank": 18000},
    "live": {"pace": 60, "bank": 300},
}
# A live table also asks who looks at it and who has left it, and if somebody has, since when that counts.
MOST_FOR_A_LOOK = {"no limit": 5, "deadline": 5, "time bank": 5, "live": 10}

ROUNDS = 12


def statements(taken: CaptureQueriesContext) -> list[str]:
    """The statements of a request, without BEGIN, which PostgreSQL gets with the next one."""
    return [query["sql"] for query in taken.captured_queries if not query["sql"].startswith("BEGIN")]


def play(game: Game, clients: dict[int, Client], rounds: int) -> list[tuple[list[str], list[str]]]:
    """Play by htmx; return the statements of each second look at the table and of each move."""
    rng, found = Random(1), []
    for _ in range(rounds):
        game.refresh_from_db()
        client = clients[game.waiting_for_id]
        # The first look records how far its reader has come.
        client.get(game.get_absolute_url())
        with CaptureQueriesContext(connection) as look:
            page = client.get(game.get_absolute_url()).content.decode()
        question = asked(page)
        with CaptureQueriesContext(connection) as moved:
            answer = client.post(
                question.action, rng.choice(question.answers), headers={"HX-Request": "true"}
            )
        assert answer.status_code == 200
        found.append((statements(look), statements(moved)))
    return found


@pytest.fixture(params=CLOCKS)
def clock_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def played(
    start: NewGame, alice: User, bob: User, carol: User, clock_kind: str
) -> list[tuple[list[str], list[str]]]:
    clients = {user.pk: client_of(user) for user in (alice, bob, carol)}
    game = start(alice, bob, carol, terms=CLOCKS[clock_kind])
    page_presence.mark_visible(carol.pk, game.pk, "carol")
    page_presence.mark_closed("carol")
    play(game, clients, 6)  # the first move of a day, and of each player, records more
    return play(game, clients, ROUNDS)


def test_move_with_its_answer_takes_few_statements(
    clock_kind: str, played: list[tuple[list[str], list[str]]]
) -> None:
    most = max((moved for _, moved in played), key=len)
    assert len(most) <= MOST_FOR_A_MOVE[clock_kind], "\n".join(sql[:200] for sql in most)


def test_look_at_a_table_takes_few_queries(
    clock_kind: str, played: list[tuple[list[str], list[str]]]
) -> None:
    most = max((look for look, _ in played), key=len)
    assert len(most) <= MOST_FOR_A_LOOK[clock_kind], "\n".join(sql[:200] for sql in most)


@pytest.fixture
def reading_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_view, "prefetched", lambda owner, name: None)
    monkeypatch.setattr(automatic_moves, "prefetched", lambda owner, name: None)


def test_move_that_reads_the_game_again_takes_more(
    reading_again: None, clock_kind: str, played: list[tuple[list[str], list[str]]]
) -> None:
    """The twin: without what the move has in hand, the limit is exceeded."""
    assert max(len(moved) for _, moved in played) > MOST_FOR_A_MOVE[clock_kind]


@pytest.fixture
def still_time(clock: Any) -> None:
    """Time stands still, so that two answers show the same clock."""


def play_and_look(game: Game, clients: dict[int, Client], rng: Random) -> None:
    """Make a random move by htmx, and compare its answer with a new look at the table."""
    game.refresh_from_db()
    client, table = clients[who_is_asked(game)], f"{game.get_absolute_url()}table/"
    question = asked(client.get(game.get_absolute_url()).content.decode())
    answer = client.post(question.action, rng.choice(question.answers), headers={"HX-Request": "true"})
    fresh = client.get(table, headers={"HX-Request": "true"})
    assert answer.status_code == fresh.status_code == 200
    shown, _, cleared = answer.content.decode().partition('<div id="while-away"')
    assert "<dialog" not in cleared
    assert without_masks(shown) == without_masks(fresh.content.decode())


def who_is_asked(game: Game) -> int:
    return game.host_id if game.is_practice else game.waiting_for_id


def test_answer_shows_what_a_new_look_shows(
    still_time: None, start: NewGame, alice: User, bob: User, clock_kind: str
) -> None:
    clients = {user.pk: client_of(user) for user in (alice, bob)}
    game, rng = start(alice, bob, terms=CLOCKS[clock_kind]), Random(2)
    for _ in range(ROUNDS):
        play_and_look(game, clients, rng)


def test_answer_shows_orders_and_plans_as_a_new_look_does(
    still_time: None, start: NewGame, alice: User, bob: User
) -> None:
    clients = {user.pk: client_of(user) for user in (alice, bob)}
    game, rng = start(alice, bob, terms=CLOCKS["deadline"]), Random(3)
    for user in (alice, bob):
        save_order(game_id=game.pk, by=user, terms={"trade": 0}, once=False)
    for _ in range(ROUNDS):
        game.refresh_from_db()
        other = bob if game.waiting_for_id == alice.pk else alice
        keep_plan(game_id=game.pk, user=other, plan=random_plan(seen_by(game, other).seen, rng))
        play_and_look(game, clients, rng)


def test_answer_at_a_practice_table_shows_what_a_new_look_shows(still_time: None, alice: User) -> None:
    game, rng = practise(alice), Random(4)
    device = client_of(alice)
    for _ in range(ROUNDS):
        open_hand(device, game)
        play_and_look(game, {alice.pk: device}, rng)


def test_answer_that_ends_the_game_shows_what_a_new_look_shows(
    still_time: None, start: NewGame, alice: User, bob: User
) -> None:
    clients = {user.pk: client_of(user) for user in (alice, bob)}
    game, rng = start(alice, bob), Random(5)
    while not can_end(game := play_on(game, 1)):
        assert game.is_running
    while game.is_running:
        play_and_look(game, clients, rng)
        game = Game.with_secrets.get(pk=game.pk)


def can_end(game: Game) -> bool:
    """Return whether the player to move may declare the end of the game."""
    state = game.rule_system.state_from_json(game.state)
    return any(getattr(move, "end", False) for move in game.rule_system.legal_moves(state))


def without_masks(page: str) -> str:
    """The page without what is new in every answer: the masked tokens of its forms."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
