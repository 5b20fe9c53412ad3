"""Processes that play games."""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker

import pytest

from games.engine.bots.arena.worker_processes import WorkerLost, in_order, in_processes


def square(number: int) -> int:
    return number * number


def slow_first(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number


def missing_file(number: int) -> int:
    raise FileNotFoundError(f"There is no file {number}.")


def children() -> list[int]:
    """The worker processes of this process."""
    return sorted(child.pid for child in multiprocessing.active_children() if child.pid)


@pytest.mark.parametrize("processes", [1, 2, 9])
def test_every_number_is_answered_once(processes: int) -> None:
    answers = sorted(in_processes(square, [3, 4, 5, 6, 7], processes))
    assert answers == [(3, 9), (4, 16), (5, 25), (6, 36), (7, 49)]
    assert children() == []


def test_no_numbers_start_no_process() -> None:
    assert list(in_processes(square, [], 2)) == []


def test_answers_come_in_order_where_asked_for() -> None:
    numbers = range(20)
    assert list(in_order(in_processes(slow_first, numbers, 2), numbers)) == [*numbers]


def test_answer_in_order_does_not_wait_for_later_ones() -> None:
    def answers() -> Iterator[tuple[int, str]]:
        yield 5, "five"
        yield 3, "three"
        raise AssertionError("one more was asked for")

    ordered = in_order(answers(), [3, 5, 9])
    assert [next(ordered), next(ordered)] == ["three", "five"]


@pytest.mark.parametrize("processes", [1, 2])
def test_error_of_a_game_is_raised(processes: int) -> None:
    """Also one that looks like a broken pipe."""
    with pytest.raises(FileNotFoundError, match=r"There is no file \d\.") as raised:
        list(in_processes(missing_file, range(4), processes))
    assert children() == []
    # The line that failed is named, also that of another process.
    places = [str(entry) for entry in raised.traceback] + getattr(raised.value, "__notes__", [])
    assert any("missing_file" in place for place in places)


@pytest.mark.parametrize("which", [0, 1])
def test_killed_process_is_noticed(which: int) -> None:
    games = in_processes(square, range(1_000_000), 2)
    next(games)
    os.kill(children()[which], signal.SIGKILL)
    with pytest.raises(WorkerLost, match="was killed; the same command goes on"):
        list(games)
    assert children() == []


def test_interrupt_does_not_reach_starting_process(monkeypatch: pytest.MonkeyPatch) -> None:
    start = multiprocessing.process.BaseProcess.start

    def interrupted(process: multiprocessing.process.BaseProcess) -> None:
        start(process)
        os.kill(process.pid or 0, signal.SIGINT)

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", interrupted)
    # As in a process that has started nothing yet.
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]
    assert len(list(in_processes(square, range(4), 2))) == 4


def test_closed_run_leaves_no_process() -> None:
    games: Iterator[tuple[int, int]] = in_processes(square, range(1_000_000), 2)
    next(games)
    assert len(children()) == 2
    games.close()  # type: ignore[attr-defined]
    assert children() == []
