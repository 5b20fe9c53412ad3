"""Games in which a bot is to move, and bots that think or fail."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from games.engine.bots.bot_levels import BOTS, Bot
from games.models import Game
from tests.support.games import play_on


@dataclass
class Broken:
    """A bot with a fault."""

    fault: type[Exception] = ZeroDivisionError

    def choose(self, seen: Any, legal: Any, rng: Any, out_of_time: Any) -> Any:
        raise self.fault


@dataclass
class Searching:
    """A bot that may search; it notes what it was allowed."""

    seconds: float | None = 3.0
    times: list[Any] = field(default_factory=list)
    chosen: str = ""

    def choose(self, seen: Any, legal: Any, rng: Any, out_of_time: Any) -> Any:
        self.times.append(out_of_time)
        self.chosen = str(legal[-1])
        return legal[-1]


def up_to_computer(game: Game) -> Game:
    while not game.seats.get(number=game.seat_to_move).bot_level:
        game = play_on(game, 1, game.version)
    return game


def level(monkeypatch: pytest.MonkeyPatch, bot: Any, name: str = "random") -> None:
    """Make the level of this name choose as `bot` does."""
    playing = Bot(name.title(), "plays in a test.", bot.choose, getattr(bot, "seconds", None))
    monkeypatch.setitem(BOTS["acquire"], name, playing)
