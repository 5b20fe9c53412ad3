"""Two members with bot accounts, a table for them, and requests by a bot account."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client

from accounts.api_access.api_tokens import make_token
from accounts.api_access.bot_accounts import register_program
from accounts.models import User
from games.models import Game
from games.play.play_move import play_move
from games.web.api.bots import decision_stream
from tests.conftest import alice, bob, carol, create, guest, start
from tests.support.games import NewGame

__all__ = ["alice", "bob", "carol", "create", "guest", "start"]

API = "/api/v1/program"


class Bot:
    """A bot account with its token, and the answers it gets."""

    def __init__(self, owner: User, name: str) -> None:
        self.user = register_program(owner, name).user
        self.token, self.text = make_token(self.user, "at home")

    def get(self, path: str) -> Any:
        return Client().get(f"{API}/{path}", headers={"Authorization": f"Bearer {self.text}"})

    def post(self, path: str, body: Any = None) -> Any:
        return Client(enforce_csrf_checks=True).post(
            f"{API}/{path}",
            {} if body is None else body,
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.text}"},
        )

    def decisions(self) -> list[Any]:
        """Decisions that it is asked."""
        found: list[Any] = self.get("decisions").json()["decisions"]
        return found

    def move(self, decision: Any, text: str = "") -> Any:
        """Answer a decision, by default with its first legal move."""
        path = f"games/{decision['game']}/moves/{decision['number']}"
        return self.post(path, {"move": text or decision["legal"][0]})


@pytest.fixture(autouse=True)
def no_pending_lookups(db: None) -> Iterator[None]:
    """Wait for threads that still look up a disconnected client before the tables are emptied."""
    yield
    decision_stream._thread.submit(connections.close_all).result()


@pytest.fixture(autouse=True)
def _fresh_limits(db: None) -> None:
    cache.clear()


@pytest.fixture
def greedy(alice: User) -> Bot:
    """A bot account of alice's."""
    return Bot(alice, "Greedy-bot")


@pytest.fixture
def table(start: NewGame, bob: User, greedy: Bot) -> Game:
    """A game of bob and alice's bot account, which is asked."""
    game = start(bob, greedy.user)
    if game.waiting_for_id != greedy.user.pk:
        play_one(game)
    while Game.objects.get(pk=game.pk).waiting_for_id != greedy.user.pk:
        play_one(game)
    return Game.objects.get(pk=game.pk)


def play_one(game: Game) -> None:
    """Make some legal move of the decider."""
    game = Game.with_secrets.get(pk=game.pk)
    state = game.rule_system.state_from_json(game.state)
    seat = game.seats.get(number=game.seat_to_move)
    play_move(
        game_id=game.pk,
        number=game.version + 1,
        seat=seat.number,
        text=str(game.rule_system.legal_moves(state)[0]),
        by=seat.user,
    )
