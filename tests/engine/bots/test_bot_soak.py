"""The soak test: games of bots end, and faults are found and can be repeated."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.bots.bot_levels import BOTS, Bot
from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.moves import Move
from games.engine.rules.rule_systems import SYSTEMS
from tests.fuzz import random_games
from tests.support.proof import seeds
from tests.tools import bot_soak

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]


def dawdler(seen: acquire_rule_system.Observation, legal: Any, rng: Random, *asked: Any) -> Move:
    """Return a move that may no longer be legal."""
    return (
        acquire_rule_system.parse_move("buy nothing") if seen.decision.kind == "place" else rng.choice(legal)
    )


def dreamer(*asked: Any) -> Move:
    raise LookupError("lost in thought")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("part", seeds(1, 4))
def test_games_of_all_levels_end_with_legal_choices(part: int, system: str) -> None:
    for index in range(10):
        assert bot_soak.play_game(random_games.game_seed(part, index), system) > 5


@pytest.mark.parametrize(("choose", "fault"), [(dawdler, "IllegalMove"), (dreamer, "lost in thought")])
def test_fault_of_level_is_found_and_repeatable(
    choose: Callable[..., Move], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS["acquire"], "medium", Bot("Medium", "is faulty.", choose))
    with pytest.raises(random_games.FaultyGame) as found:
        for number in range(50):
            bot_soak.play_game(number)
    message = str(found.value)
    assert fault in message
    assert f"again: python -m tests.tools.bot_soak --game {message.split()[1].rstrip(',')}" in message


def test_endless_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "LONGEST", 30)
    with pytest.raises(random_games.FaultyGame, match="the game does not end"):
        bot_soak.play_game(1)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_level_takes_part(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set()

    def noting(bot: Bot) -> Callable[..., Any]:
        asked.add(bot.name)
        return bot.choose

    monkeypatch.setattr(bot_soak, "hurried", noting)
    rng = Random(1)
    for _ in range(30):
        bot_soak.sit_down(system, random_games.GAMES[system].new_game(rng), rng)
    assert asked == {bot.name for bot in BOTS[system].values()}


def test_only_searching_levels_are_hurried() -> None:
    @dataclass(frozen=True)
    class Search:
        tries: int
        purchases: int

        def choose(self, *asked: Any) -> tuple[int, int]:
            return self.tries, self.purchases

    assert bot_soak.hurried(Bot("Deep", "thinks.", Search(3000, 25).choose))() == (8, 3)
    for bots in BOTS.values():
        for bot in bots.values():
            searching = bot.advise is not None
            assert (bot_soak.hurried(bot) != bot.choose) is searching


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "7"], "No fault in"),
        (["--games", "3", "--processes", "1", "--system", "acquisition"], "3 games, "),
    ],
)
def test_soak_runs_from_command_line(arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", "tests.tools.bot_soak", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "No fault" in done.stdout
    assert said in done.stdout
