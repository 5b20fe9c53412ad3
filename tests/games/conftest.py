"""The cast: alice and bob, and games for them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import services
from games.models import Game
from tests.support.bot_games import Searching, level
from tests.support.hidden_state import Viewer


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def carol(db: None) -> User:
    return User.objects.create_user("carol")


@pytest.fixture
def guest(db: None) -> User:
    return User.objects.create_user("Guest-1", is_guest=True)


@pytest.fixture
def create() -> Callable[..., Game]:
    """Open a game that waits for players; keywords are its `Terms`."""

    def create(host: User, **terms: Any) -> Game:
        usual = {"system": "acquire", "preset": "avalon-hill", "least": 2, "most": 4, "skips": False}
        return services.create_game(host=host, terms=services.Terms(**{**usual, **terms}))

    return create


@pytest.fixture
def start() -> Callable[..., Game]:
    """Start a game of Acquire for these people and levels of computer opponents.

    Keywords are options of the rules, `terms` is everything else. Every decision is asked, so that the
    entries of the log are the moves that a test makes, unless `terms` say otherwise.
    """

    def start(
        *players: User | str,
        preset: str = "avalon-hill",
        terms: dict[str, Any] | None = None,
        **options: object,
    ) -> Game:
        host = next(player for player in players if isinstance(player, User))
        asked = {"skips": False, **(terms or {})}
        return services.start_game(
            system="acquire", preset=preset, host=host, players=players, options=options, **asked
        )

    return start


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> Searching:
    """The computer at the table searches."""
    bot = Searching()
    level(monkeypatch, bot)
    return bot


@pytest.fixture
def viewers(alice: User, bob: User) -> Callable[[Game], list[Viewer]]:
    """Both players, a member who watches, a stranger, and a moderator."""

    def viewers(game: Game) -> list[Viewer]:
        carol = User.objects.create_user("carol")
        staff = User.objects.create_superuser("staff")
        found = [Viewer("a stranger", Client(), None)]
        for user in (alice, bob, carol, staff):
            client = Client()
            client.force_login(user)
            seat = game.seats.filter(user=user).values_list("number", flat=True).first()
            found.append(Viewer(user.username, client, seat))
        return found

    return viewers
