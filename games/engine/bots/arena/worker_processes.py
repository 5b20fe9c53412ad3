"""Processes that play games, several at once."""

import gc
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from traceback import format_exc
from typing import TypeVar

Answer = TypeVar("Answer")


class WorkerLost(Exception):
    """A process that played has ended; the message is a sentence."""


def in_processes(
    play: Callable[[int], Answer], numbers: Iterable[int], processes: int
) -> Iterator[tuple[int, Answer]]:
    """Play the games of these numbers; yield each number and its answer, in the order in which they end.

    Other processes get `play` pickled; with one process all happens in this one. Raises what `play` raises,
    and WorkerLost if a process was killed.
    """
    if processes == 1:
        yield from ((number, play(number)) for number in numbers)
        return
    waiting = iter(numbers)
    # Spawned, not forked, for the same behaviour on every system.
    context = get_context("spawn")
    workers = []
    busy: dict[Connection, int] = {}
    try:
        for number in islice(waiting, processes):
            here, there = context.Pipe()
            worker = context.Process(target=_work, args=(play, there), daemon=True)
            with _ignore_interrupts():
                worker.start()
            there.close()
            workers.append(worker)
            with _lost_worker():
                here.send(number)
            busy[here] = number
        yield from _answers(waiting, busy)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def in_order(answers: Iterable[tuple[int, Answer]], numbers: Iterable[int]) -> Iterator[Answer]:
    """The answers in the order of their numbers, each as soon as all before it are there."""
    early: dict[int, Answer] = {}
    wanted = iter(numbers)
    following = next(wanted, None)
    for number, answer in answers:
        early[number] = answer
        while following in early:
            yield early.pop(following)
            following = next(wanted, None)


def _answers(waiting: Iterator[int], busy: dict[Connection, int]) -> Iterator[tuple[int, Answer]]:
    """Yield the answers from the pipes, and send each idle process its next number."""
    while busy:
        for pipe in wait([*busy]):
            assert isinstance(pipe, Connection)
            with _lost_worker():
                answer = pipe.recv()
            if isinstance(answer, Exception):
                raise answer
            yield busy.pop(pipe), answer
            number = next(waiting, None)
            if number is not None:
                with _lost_worker():
                    pipe.send(number)
                busy[pipe] = number


@contextmanager
def _lost_worker() -> Iterator[None]:
    """Raise WorkerLost where a pipe is used whose process has ended."""
    try:
        yield
    except (EOFError, OSError):
        raise WorkerLost("A process that played was killed; the same command goes on.") from None


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Block Ctrl-C for processes started in this context, as the parent alone ends them."""
    # Otherwise the first worker would start the tracker, which unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(play: Callable[[int], object], pipe: Connection) -> None:
    """Play the requested games until the pipe closes."""
    # Games leave no reference cycles, and to look for them takes a twelfth of the time.
    gc.disable()
    with suppress(EOFError, OSError):
        while True:
            number = pipe.recv()
            try:
                answer = play(number)
            except Exception as error:
                # A pipe carries no traceback.
                error.add_note(format_exc())
                answer = error
            pipe.send(answer)
