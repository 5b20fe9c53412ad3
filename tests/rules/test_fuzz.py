"""The fuzz test finds faults in the rules and tells how to repeat them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games.rules import acquisition
from games.rules.acquire import State, legal, merging, placing, turning
from games.rules.acquire.bonuses import pay_bonuses
from games.rules.acquisition import placing as tiles
from games.rules.acquisition import scoring
from tests import fuzz

ROOT = Path(__file__).parents[2]


def generous_bonus(state: State, chain: int) -> None:
    pay_bonuses(state, chain)
    state.cash[0] += 100


def lost_tile(state: State, hand: list[int]) -> int:
    hand.append(state.bag.pop())
    state.bag[:1] = []
    return 1


def every_tile_playable(state: State, hand: list[int]) -> tuple[placing.Place, ...]:
    return tuple(placing.PLACE[square] for square in hand)


def lost_share(state: State, square: int) -> None:
    state.tile = square
    placing._found(state, state.size.index(0, 1))
    state.bank[1] -= 1


def loans(state: State) -> object:
    return legal.purchases((1 << 16) - 4)[0]


SABOTAGE: list[tuple[object, str, Callable[..., object], str]] = [
    (merging, "pay_bonuses", generous_bonus, "by what was told"),
    (turning, "_fill", lost_tile, "is in 0 places"),
    (turning, "playable", every_tile_playable, "a dead or blocked tile can be played"),
    (placing, "_ask_for_chain", lost_share, "shares held and"),
    (legal, "_purchases", loans, "owes"),
    (merging, "_absorb", lambda state: turning.ask_purchase(state), "pending"),
    (turning, "begin_turn", lambda state: None, "seat"),
]


@pytest.mark.parametrize(("module", "name", "instead", "fault"), SABOTAGE, ids=[row[1] for row in SABOTAGE])
def test_fault_in_acquire_rules_is_found(
    module: object, name: str, instead: object, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, instead)
    with pytest.raises(fuzz.FaultyGame) as found:
        for number in range(200):
            fuzz.play_game(number)
    message = str(found.value)
    assert fault in message
    assert f"again: python -m tests.fuzz --game {message.split()[1].rstrip(',')}" in message
    assert "board:" in message


def counts_twice(state: acquisition.State, squares: list[int], by: int) -> None:
    scoring.count(state, squares, 2 * by)


SABOTAGE_OF_ACQUISITION: list[tuple[object, str, Callable[..., object], str]] = [
    (tiles, "count", counts_twice, "counted as"),
    (tiles, "has_room", lambda state, square: True, "the open squares are not"),
    (tiles, "_close", lambda state, squares: None, "the open squares are not"),
]


@pytest.mark.parametrize(
    ("module", "name", "instead", "fault"),
    SABOTAGE_OF_ACQUISITION,
    ids=[row[1] for row in SABOTAGE_OF_ACQUISITION],
)
def test_fault_in_acquisition_rules_is_found(
    module: object, name: str, instead: object, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, instead)
    with pytest.raises(fuzz.FaultyGame) as found:
        for number in range(50):
            fuzz.play_game(number, "acquisition")
    message = str(found.value)
    assert fault in message
    assert f"tests.fuzz --game {message.split()[1].rstrip(',')} --system acquisition" in message


def test_random_game_is_repeatable() -> None:
    assert fuzz.play_game(123) == fuzz.play_game(123)
    assert fuzz.game_seed(1, 0) != fuzz.game_seed(2, 0)


@pytest.mark.parametrize(
    "arguments",
    [["--game", "7", "--system", "acquisition"], ["--games", "3", "--processes", "1"], ["--moves", "10"]],
)
def test_fuzz_runs_from_command_line(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "tests.fuzz", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "No fault" in done.stdout
