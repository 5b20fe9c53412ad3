"""Runs the missing games of a match, several at once."""

import gc
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait

from games.engine.bots.arena.match import BrokenGame, Match, Result, play
from games.engine.bots.arena.results_file import Results, ResultsError


def play_missing_games(results: Results, games: int, processes: int = 1, start: int = 0) -> Iterator[Result]:
    """Play the missing games from `start` to before `games`; yield each once it is stored in the file.

    One game of a former run is repeated, except in real time. Raises ResultsError if it differs, and
    BrokenGame if a game cannot be played.
    """
    if results.games and not results.match.real_time:
        _repeat_first_game(results)
    missing = [number for number in range(start, games) if number not in results.games]
    for result in _in_processes(results.match, missing, processes):
        results.add(result)
        yield result


def _repeat_first_game(results: Results) -> None:
    first = min(results.games)
    if not play(results.match, first).repeats(results.games[first]):
        raise ResultsError(
            f"Game {first} of {results.path} comes out differently today: players or rules have changed."
            " Delete the file or name another one."
        )


def _in_processes(match: Match, numbers: Iterable[int], processes: int) -> Iterator[Result]:
    """Play the games of these numbers and yield them in the order in which they end."""
    if processes == 1:
        yield from (play(match, number) for number in numbers)
        return
    waiting = iter(numbers)
    # Spawned, not forked, for the same behaviour on every system.
    context = get_context("spawn")
    workers = []
    busy: list[Connection] = []
    try:
        for number in islice(waiting, processes):
            here, there = context.Pipe()
            worker = context.Process(target=_work, args=(match, there), daemon=True)
            with _ignore_interrupts():
                worker.start()
            there.close()
            here.send(number)
            workers.append(worker)
            busy.append(here)
        yield from _results(waiting, busy)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _results(waiting: Iterator[int], busy: list[Connection]) -> Iterator[Result]:
    """Yield the results from the pipes, and send each idle process its next number."""
    try:
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                answer = pipe.recv()
                if isinstance(answer, BrokenGame):
                    raise answer
                yield answer
                number = next(waiting, None)
                if number is None:
                    busy.remove(pipe)
                else:
                    pipe.send(number)
    except (EOFError, OSError):
        raise BrokenGame("A process that played was killed; the same command goes on.") from None


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


def _work(match: Match, pipe: Connection) -> None:
    """Play the requested games until the pipe closes."""
    # Games leave no reference cycles, and to look for them takes a twelfth of the time.
    gc.disable()
    with suppress(EOFError, OSError):
        while True:
            number = pipe.recv()
            try:
                answer: Result | BrokenGame = play(match, number)
            except BrokenGame as error:
                answer = error
            pipe.send(answer)
