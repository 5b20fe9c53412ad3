"""Playing the games of a match that are still missing, several at once."""

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait

from .matches import BrokenGame, Match, Result, play
from .results import Results, ResultsError


def played(results: Results, games: int, processes: int = 1, start: int = 0) -> Iterator[Result]:
    """Play what is missing of the games from `start` to before `games`; give each when it is in the file.

    Games of former runs must come out the same today: one of them is played again, unless the clock had
    a say in it. Raises ResultsError when it differs, BrokenGame when a game cannot be played.
    """
    if results.games and not results.match.real_time:
        _play_again(results)
    missing = [number for number in range(start, games) if number not in results.games]
    for result in _in_processes(results.match, missing, processes):
        results.add(result)
        yield result


def _play_again(results: Results) -> None:
    first = min(results.games)
    if not play(results.match, first).repeats(results.games[first]):
        raise ResultsError(
            f"Game {first} of {results.path} comes out differently today: players or rules have changed."
            " Delete the file or name another one."
        )


def _in_processes(match: Match, numbers: Iterable[int], processes: int) -> Iterator[Result]:
    """The games of these numbers, in the order in which they end."""
    if processes == 1:
        yield from (play(match, number) for number in numbers)
        return
    todo = iter(numbers)
    # Started anew, not forked: that is the same on every system.
    context = get_context("spawn")
    workers = []
    busy: list[Connection] = []
    try:
        for number in islice(todo, processes):
            here, there = context.Pipe()
            worker = context.Process(target=_work, args=(match, there), daemon=True)
            with _deaf_to_ctrl_c():
                worker.start()
            there.close()
            here.send(number)
            workers.append(worker)
            busy.append(here)
        yield from _answers(todo, busy)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _answers(todo: Iterator[int], busy: list[Connection]) -> Iterator[Result]:
    """What comes out of the pipes; each is asked again as long as there is something to do."""
    try:
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                answer = pipe.recv()
                if isinstance(answer, BrokenGame):
                    raise answer
                yield answer
                number = next(todo, None)
                if number is None:
                    busy.remove(pipe)
                else:
                    pipe.send(number)
    except (EOFError, OSError):
        raise BrokenGame("A process that played was killed; the same command goes on.") from None


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """What is started meanwhile never hears Ctrl-C: it reaches the whole family, and the parent ends it."""
    # Else the first start would start it on the way, which unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(match: Match, pipe: Connection) -> None:
    """Play what is asked for until nobody asks any more."""
    with suppress(EOFError, OSError):
        while True:
            number = pipe.recv()
            try:
                answer: Result | BrokenGame = play(match, number)
            except BrokenGame as error:
                answer = error
            pipe.send(answer)
