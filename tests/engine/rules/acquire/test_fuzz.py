"""The fuzz test finds faults in the rules and tells how to repeat them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games.engine.rules.acquire import legal_moves, mergers, moves, tile_placement, turns
from games.engine.rules.acquire.bonuses import pay_bonuses
from games.engine.rules.acquire.state import State, ask_purchase
from games.engine.rules.acquisition import state as acquisition
from games.engine.rules.acquisition import tile_placement as tiles
from games.engine.rules.acquisition.buildings import count
from tests.fuzz import random_games

ROOT = Path(__file__).parents[4]


def generous_bonus(state: State, chain: int) -> None:
    pay_bonuses(state, chain)
    state.cash[0] += 100


def lost_tile(state: State, hand: list[int]) -> int:
    hand.append(state.bag.pop())
    state.bag[:1] = []
    return 1


def every_tile_playable(state: State, hand: list[int]) -> tuple[moves.Place, ...]:
    return tuple(moves.PLACE[square] for square in hand)


def lost_share(state: State, square: int) -> None:
    state.tile = square
    tile_placement._found(state, state.size.index(0, 1))
    state.bank[1] -= 1


def loans(state: State) -> object:
    return moves.purchases((1 << 16) - 4)[0]


SABOTAGE: list[tuple[object, str, Callable[..., object], str]] = [
    (mergers, "pay_bonuses", generous_bonus, "by what was told"),
    (turns, "_fill", lost_tile, "is in 0 places"),
    (turns, "playable", every_tile_playable, "a dead or blocked tile can be played"),
    (tile_placement, "_ask_for_chain", lost_share, "shares held and"),
    (legal_moves, "_purchases", loans, "owes"),
    (mergers, "_absorb", lambda state: ask_purchase(state), "pending"),
    (turns, "begin_turn", lambda state: None, "seat"),
]


@pytest.mark.plain
@pytest.mark.parametrize(("module", "name", "instead", "fault"), SABOTAGE, ids=[row[1] for row in SABOTAGE])
def test_fault_in_acquire_rules_is_found(
    module: object, name: str, instead: object, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, instead)
    with pytest.raises(random_games.FaultyGame) as found:
        for number in range(200):
            random_games.play_game(number)
    message = str(found.value)
    assert fault in message
    assert f"again: python -m tests.fuzz --game {message.split()[1].rstrip(',')}" in message
    assert "board:" in message


def counts_twice(state: acquisition.State, squares: list[int], by: int) -> None:
    count(state, squares, 2 * by)


SABOTAGE_OF_ACQUISITION: list[tuple[object, str, Callable[..., object], str]] = [
    (tiles, "count", counts_twice, "counted as"),
    (tiles, "has_room", lambda state, square: True, "the open squares are not"),
    (tiles, "_close", lambda state, squares: None, "the open squares are not"),
]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("module", "name", "instead", "fault"),
    SABOTAGE_OF_ACQUISITION,
    ids=[row[1] for row in SABOTAGE_OF_ACQUISITION],
)
def test_fault_in_acquisition_rules_is_found(
    module: object, name: str, instead: object, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, instead)
    with pytest.raises(random_games.FaultyGame) as found:
        for number in range(50):
            random_games.play_game(number, "acquisition")
    message = str(found.value)
    assert fault in message
    assert f"tests.fuzz --game {message.split()[1].rstrip(',')} --system acquisition" in message


def test_random_game_is_repeatable() -> None:
    assert random_games.play_game(123) == random_games.play_game(123)
    assert random_games.game_seed(1, 0) != random_games.game_seed(2, 0)


@pytest.mark.parametrize(
    "arguments",
    [["--game", "7", "--system", "acquisition"], ["--games", "3", "--processes", "1"], ["--moves", "10"]],
)
def test_fuzz_runs_from_command_line(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "tests.fuzz", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "No fault" in done.stdout
