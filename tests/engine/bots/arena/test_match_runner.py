"""The match runner: interrupted and continued runs, in one process or several."""

import gc
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from games.engine.bots.arena import match_runner
from games.engine.bots.arena.match import BrokenGame, Match, Result, play
from games.engine.bots.arena.match_runner import play_missing_games
from games.engine.bots.arena.results_file import Results, ResultsError, read
from games.engine.bots.arena.worker_processes import WorkerLost
from games.engine.bots.bot_levels import BOTS, YARDSTICKS, Bot
from tests.support.played_site import ROOT
from tests.tools.bot_soak import hurried

MATCH = Match(("medium", "random"), seed=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results" / "match.jsonl"


def run(path: Path, games: int, match: Match = MATCH, processes: int = 1) -> list[int]:
    """Play, and return the numbers of the games that were missing."""
    with Results(path, match) as results:
        return sorted(result.game for result in play_missing_games(results, games, processes))


def finished(path: Path, match: Match = MATCH) -> dict[int, Result]:
    return read(path, match)[1]


def untimed(games: dict[int, Result]) -> dict[int, Result]:
    return {number: replace(game, seconds=(), slowest=(), took=0.0) for number, game in sorted(games.items())}


def test_results_file_has_match_and_games(path: Path) -> None:
    run(path, 3)
    head, *games = [json.loads(line) for line in path.read_text().splitlines()]
    assert head["match"]["players"] == ["medium", "random"]
    assert head["home"]["cores"] >= 1
    assert head["home"]["python"].startswith("3.")
    assert [game["game"] for game in games] == [0, 1, 2]
    assert finished(path)[1].repeats(play(MATCH, 1))


@pytest.fixture
def no_collections() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collections")
@pytest.mark.parametrize("system", BOTS)
def test_games_leave_no_reference_cycles(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their processes do not look for any, so cycles would fill the memory."""
    every = []
    for players in (BOTS[system], YARDSTICKS.get(system, {})):
        every += players
        for name, bot in players.items():
            monkeypatch.setitem(players, name, replace(bot, choose=hurried(bot)))
    for table in (every[::2], [*every[1::2], "random"]):
        match = Match(tuple(table), seed=3, system=system)
        play(match, 0)  # what is imported late has cycles
        gc.collect()
        play(match, 1)
        # A cycle in a move would leave thousands; threads of the test runner may leave a few.
        assert gc.collect() < 100, table


def test_run_continues_where_last_one_stopped(path: Path) -> None:
    assert run(path, 2) == [0, 1]
    assert run(path, 5) == [2, 3, 4]
    assert run(path, 5) == []


def test_missing_games_in_the_middle_are_played(path: Path) -> None:
    run(path, 4)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2] + lines[4:]))
    assert run(path, 4) == [1, 2]


def test_incomplete_line_is_played_again(path: Path) -> None:
    run(path, 3)
    path.write_text(path.read_text()[:-20])
    assert set(finished(path)) == {0, 1}
    assert run(path, 3) == [2]
    assert set(finished(path)) == {0, 1, 2}


def test_results_do_not_depend_on_number_of_processes(path: Path, tmp_path: Path) -> None:
    assert run(path, 5) == run(tmp_path / "two", 5, processes=2) == [0, 1, 2, 3, 4]
    assert untimed(finished(path)) == untimed(finished(tmp_path / "two"))


def test_more_processes_than_games_are_harmless(path: Path) -> None:
    assert run(path, 1, processes=3) == [0]
    assert run(path, 1, processes=3) == []


@pytest.mark.parametrize(
    "other",
    [
        replace(MATCH, seed=4),
        replace(MATCH, players=("random", "medium")),
        replace(MATCH, preset="course"),
        replace(MATCH, real_time=True),
    ],
)
def test_games_of_other_match_are_refused(path: Path, other: Match) -> None:
    run(path, 1)
    before = path.read_text()
    with pytest.raises(
        ResultsError, match=r"another match \(manage.py arena --players medium,random --games 1 "
    ):
        run(path, 1, other)
    with pytest.raises(ResultsError, match="name another file or delete it"):
        read(path, other)
    assert path.read_text() == before


@pytest.mark.parametrize(
    "data",
    [
        b"hello\n",
        b"hello",
        b"\xff\xfe\n",
        b"[]\n",
        b'{"match": 3}\n',
        b'{"match": {"players": []}}\n',
        b"\n",
        b"{}\n{}",
    ],
)
def test_foreign_file_is_refused_and_unchanged(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    with pytest.raises(ResultsError, match="holds no results"):
        run(path, 1)
    with pytest.raises(ResultsError, match="holds no results"):
        read(path, MATCH)
    assert path.read_bytes() == data


def test_only_one_run_writes_a_file(path: Path) -> None:
    with Results(path, MATCH), pytest.raises(ResultsError, match="written by another run"):
        run(path, 1)
    assert run(path, 1) == [0]


def test_results_of_changed_bots_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(path, 2)
    changed = Bot("Medium", "takes what comes first.", lambda seen, legal, rng, out_of_time: legal[0])
    monkeypatch.setitem(BOTS["acquire"], "medium", changed)
    with pytest.raises(ResultsError, match=r"Game 0 of .* comes out differently today"):
        run(path, 3)


def test_real_time_results_may_differ(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = replace(MATCH, real_time=True)
    run(path, 1, match)
    monkeypatch.setitem(BOTS["acquire"], "medium", BOTS["acquire"]["random"])
    assert run(path, 2, match) == [1]


def test_games_before_interrupt_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def interrupted(match: Match, number: int) -> Result:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise KeyboardInterrupt
        return play(match, number)

    monkeypatch.setattr(match_runner, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(path, 9)
    assert set(finished(path)) == {0, 1}


@pytest.mark.parametrize("processes", [1, 2])
def test_broken_game_ends_run(path: Path, processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot unknown in the worker processes breaks their games like a faulty one."""
    monkeypatch.setitem(BOTS["acquire"], "new", Bot("New", "is new.", lambda *asked: None))
    with pytest.raises(BrokenGame, match=r"Game \d of new-random"):
        run(path, 3, Match(("new", "random")), processes)


def test_games_before_killed_process_are_kept(path: Path) -> None:
    with Results(path, MATCH) as results:
        games = play_missing_games(results, 400, 2)
        next(games)
        os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)
        with pytest.raises(WorkerLost):
            list(games)
    assert 0 < len(finished(path)) < 400


def test_workers_end_when_parent_is_killed(tmp_path: Path) -> None:
    """A killed parent cannot end its workers; they notice the closed pipe."""
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import multiprocessing, os, pathlib
from games.engine.bots.arena.match import Match
from games.engine.bots.arena.match_runner import play_missing_games
from games.engine.bots.arena.results_file import Results
if __name__ == "__main__":
    with Results(pathlib.Path({str(tmp_path / "match")!r}), Match(("medium", "random"))) as results:
        for _ in play_missing_games(results, 10_000, 2):
            print(*[child.pid for child in multiprocessing.active_children()], flush=True)
            os.kill(os.getpid(), 9)
"""
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True, check=False, timeout=60
    )
    # The pipe to this test has closed, so both workers have ended.
    assert done.returncode == -signal.SIGKILL
    assert len(done.stdout.split()) == 2
    # Finished games are kept.
    assert len(read(tmp_path / "match", Match(("medium", "random")))[1]) == 1
