"""Runs the missing games of a match, several at once."""

from collections.abc import Iterator
from functools import partial

from games.engine.bots.arena.match import Result, play
from games.engine.bots.arena.results_file import Results, ResultsError
from games.engine.bots.arena.worker_processes import in_processes


def play_missing_games(results: Results, games: int, processes: int = 1, start: int = 0) -> Iterator[Result]:
    """Play the missing games from `start` to before `games`; yield each once it is stored in the file.

    One game of a former run is repeated, except in real time. Raises ResultsError if it differs,
    BrokenGame if a game cannot be played, and WorkerLost if a process was killed.
    """
    if results.games and not results.match.real_time:
        _repeat_first_game(results)
    missing = [number for number in range(start, games) if number not in results.games]
    for _, result in in_processes(partial(play, results.match), missing, processes):
        results.add(result)
        yield result


def _repeat_first_game(results: Results) -> None:
    first = min(results.games)
    if not play(results.match, first).repeats(results.games[first]):
        raise ResultsError(
            f"Game {first} of {results.path} comes out differently today: players or rules have changed."
            " Delete the file or name another one."
        )
