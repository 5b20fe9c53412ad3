"""The commands `arena` and `ladder`."""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.bots.arena import ladder_plan
from games.engine.bots.arena.ladder_plan import Row
from games.engine.bots.arena.match import BrokenGame
from games.engine.bots.arena.match_runner import play_missing_games
from games.engine.bots.arena.results_file import Results
from tests.support.played_site import ROOT

PLAYERS = ["--players", "medium,random", "--processes", "1"]


@pytest.fixture(autouse=True)
def data(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_arena_plays_prints_and_stores_match(capsys, data):
    call_command("arena", *PLAYERS, "--games", "3", "--seed", "7")
    out = capsys.readouterr().out
    assert "3 games of 2 players, acquire, avalon-hill, seed 7" in out
    path = data / "arena" / "medium-random-acquire-avalon-hill-seed7.jsonl"
    assert str(path) in out
    assert len(path.read_text().splitlines()) == 4


def test_last_line_of_arena_is_json(capsys, data):
    command = ["arena", "--players", "medium,random, random,random", "--games", "4", "--processes", "2"]
    call_command(*command, "--json", "--preset", "course", "--out", str(data / "deep" / "here"))
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told.keys() == {"games", "seats"}
    assert told["games"] == 4
    assert [seat["player"] for seat in told["seats"]] == ["medium", "random"]
    for seat in told["seats"]:
        assert seat.keys() == {
            *("player", "share", "low", "high", "mean_money", "win_money", "win_money_reach"),
            *("ms_mean", "ms_max"),
        }
        assert 0 <= seat["low"] <= seat["share"] <= seat["high"] <= 1
    assert sum(seat["share"] for seat in told["seats"]) == pytest.approx(1)
    assert (data / "deep" / "here").exists()


def test_arena_continues_and_counts_requested_games(capsys, data):
    told = []
    for games in ("2", "5", "2"):
        call_command("arena", *PLAYERS, "--games", games, "--json")
        told.append(json.loads(capsys.readouterr().out.splitlines()[-1]))
    assert [one["games"] for one in told] == [2, 5, 2]
    assert told[0] == told[2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "medium,marta"], "There is no player 'marta'"),
        (["--players", "medium"], "2 to 6 players"),
        (["--players", "medium,random", "--preset", "poker"], "There is no preset 'poker'"),
        (["--players", "medium,random", "--system", "chess"], "There is no rule system 'chess'"),
        (["--players", "medium,random", "--games", "0"], "--games is 1 or more"),
        (["--players", "medium,random", "--processes", "-1"], "--processes is 1 or more"),
        (["--players", "medium,random", "--out", "/"], "The results cannot be kept"),
        (["--players", "medium,random", "--games", "some"], "invalid int value"),
        (["--games", "4"], "--players"),
    ],
)
def test_invalid_arguments_of_arena_are_refused_with_sentence(arguments, sentence):
    with pytest.raises(CommandError, match=sentence) as refused:
        call_command("arena", *arguments)
    assert refused.value.returncode in (1, 2)


def test_file_of_other_match_is_refused(data):
    call_command("arena", *PLAYERS, "--games", "1", "--out", str(data / "file"))
    with pytest.raises(CommandError, match="another match") as refused:
        call_command("arena", *PLAYERS, "--games", "1", "--seed", "2", "--out", str(data / "file"))
    assert refused.value.returncode == 2


def test_ctrl_c_keeps_finished_games_of_arena(data):
    """With a real terminal and real processes."""
    ours, terminal = pty.openpty()
    command = [sys.executable, "manage.py", "arena", "--players", "medium,random,random", "--games", "100000"]
    command += ["--processes", "2", "--out", str(data / "match")]
    running = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=terminal,
        stderr=terminal,
        stdin=terminal,
        start_new_session=True,
        # A process in the background of a shell ignores Ctrl-C, and its children inherit that.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    os.close(terminal)
    shown = b""
    try:
        while b"] 3/100000" not in shown:
            shown += os.read(ours, 1000)
        os.killpg(running.pid, signal.SIGINT)
        # Read to the end: a full terminal blocks the process that writes to it.
        with suppress(OSError):
            while text := os.read(ours, 1000):
                shown += text
        assert running.wait(60) == 130
    finally:
        running.kill()
    os.close(ours)
    said = shown.decode()
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    finished = len((data / "match").read_text().splitlines()) - 1
    assert f"Stopped after {finished} of 100000 games" in said
    call_command("arena", "--players", "medium,random,random", "--games", "3", "--out", str(data / "match"))


@pytest.fixture
def rows(monkeypatch):
    rows = (
        Row("goals", "medium", "random", 3, 2, goal=0.1),
        Row("tables", "medium", "random", 1, 3, goal=0.999),
        Row("presets", "medium", "random", 2, 2, preset="course", real_time=True),
    )
    monkeypatch.setattr(ladder_plan, "ROWS", rows)


def ladder(data: Path, *arguments: str) -> str:
    """Run the command and return its page."""
    call_command("ladder", "--page", str(data / "docs" / "page.md"), "--processes", "1", *arguments)
    return (data / "docs" / "page.md").read_text()


def test_ladder_plays_every_match_and_writes_page(rows, data, capsys):
    page = ladder(data)
    assert "not yet played" not in page
    assert "so far" not in page
    assert page.count("| medium against") == 3
    assert "2. medium against 1 random: goal 99.9%, not reached" in capsys.readouterr().out
    assert len(list((data / "ladder").iterdir())) == 3


def test_ladder_plays_single_matches_and_continues(rows, data):
    assert ladder(data, "--only", "2").count("not yet played") == 2
    before = {path.name: path.read_text() for path in (data / "ladder").iterdir()}
    assert "not yet played" not in ladder(data)
    for name, text in before.items():
        assert (data / "ladder" / name).read_text() == text


def test_totals_make_same_page_without_games(rows, data):
    page = ladder(data)
    shutil.rmtree(data / "ladder")
    assert ladder(data) == page
    assert not (data / "ladder").exists()


def test_page_is_written_after_each_match(rows, data, monkeypatch):
    """The third match fails; the page has the first two."""
    play_row = ladder_plan.play_row

    def broken(row, *others):
        if row.preset:
            raise BrokenGame("It broke.")
        return play_row(row, *others)

    monkeypatch.setattr(ladder_plan, "play_row", broken)
    with pytest.raises(CommandError, match=r"It broke\."):
        ladder(data)
    assert (data / "docs" / "page.md").read_text().count("not yet played") == 1


def test_ctrl_c_leaves_page_of_finished_games(rows, data, monkeypatch):
    def interrupted(row, folder, kept, processes):
        with Results(row.path(folder), row.match) as results:
            yield next(play_missing_games(results, 1, processes)).game
        raise KeyboardInterrupt

    monkeypatch.setattr(ladder_plan, "play_row", interrupted)
    with pytest.raises(CommandError, match="goes on from there"):
        ladder(data)
    assert "| 1 of 2 so far |" in (data / "docs" / "page.md").read_text()
    assert len(list((data / "docs" / "ladder").iterdir())) == 1


@pytest.mark.parametrize(
    "arguments", [["--only", "4"], ["--only", "0"], ["--processes", "0"], ["--only", "two"]]
)
def test_invalid_arguments_of_ladder_are_refused(rows, data, arguments):
    with pytest.raises(CommandError) as refused:
        ladder(data, *arguments)
    assert refused.value.returncode in (1, 2)
    assert not (data / "docs").exists()
