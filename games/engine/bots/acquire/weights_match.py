"""The match that new weights must win: one player with them against three with the weights in use.

It needs numpy.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from games.engine.bots.acquire.plan_search import PlanSearch
from games.engine.bots.acquire.self_play import PlayedGame, play_game, play_games
from games.engine.bots.acquire.stored_games import StoredGames
from games.engine.bots.acquire.valuation import valuation_of
from games.engine.bots.acquire.valuation_weights import digest, read_weights
from games.engine.bots.arena.sequential_test import SequentialTest
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import Observation

# The weights are taken when this share of the wins is more plausible than an equal one.
TEST: Final = SequentialTest(equal=1 / 4, better=0.32)
# Its games have numbers that no game of learning has; every second number is a table of four.
FIRST: Final = 1_000_000
STEP: Final = 2
SEATS: Final = 4


class WeightsMatch:
    """A match of at most `most` games, with `tries` tries for each move, kept in a folder.

    `new` and `used` are the weights files; `wins` are those of the new weights in the first `games` games,
    with shares of tied ones. Raises WeightsError if a file cannot be read.
    """

    def __init__(self, folder: Path, *, seed: int, new: Path, used: Path, tries: int, most: int) -> None:
        self._new, self._used = new, used
        self.most = most
        self._seed, self._tries = seed, tries
        digests = [digest(read_weights(file).values) for file in (new, used)]
        header = {"seed": seed, "tries": tries, "new": digests[0], "used": digests[1]}
        name = "match-" + "-".join(each[:8] for each in digests)
        self._stored = StoredGames(folder, name, FIRST, header, step=STEP)
        self.games = 0
        self.wins = 0.0
        for game in self._stored.games:
            self._count(game)

    @property
    def are_better(self) -> bool:
        """Return whether the new weights have proved better."""
        return self._verdict is True

    def play(self, processes: int = 1) -> Iterator[int]:
        """Play until there is a verdict, at most `most` games; yield the number of games after each."""
        play = partial(_play, self._seed, self._tries, str(self._new), str(self._used))
        missing = [FIRST + STEP * index for index in range(self.games, self.most)]
        if self._is_over:
            return
        for game in self._stored.add(play_games(play, missing, processes)):
            self._count(game)
            yield self.games
            if self._is_over:
                return

    @property
    def _verdict(self) -> bool | None:
        return TEST.verdict(self.wins, self.games)

    @property
    def _is_over(self) -> bool:
        return self.games >= self.most or self._verdict is not None

    def _count(self, game: PlayedGame) -> None:
        """Count the game and the share of its win, unless the match was over before."""
        if not self._is_over:
            self.games += 1
            self.wins += _share_of_win(game)


def _play(seed: int, tries: int, new: str, used: str, number: int) -> PlayedGame:
    hero = PlanSearch(tries, partial(valuation_of, new))
    other = PlanSearch(tries, partial(valuation_of, used))

    def choose(seen: Observation, legal: Sequence[Move], rng: Random) -> Move:
        search = hero if seen.decision.seat == _seat(number) else other
        return search.choose(seen, legal, rng)

    return play_game(seed, number, choose)


def _seat(number: int) -> int:
    """The seat of the new weights in the game of this number: each in turn."""
    return (number - FIRST) // STEP % SEATS


def _share_of_win(game: PlayedGame) -> float:
    *_, last = game.positions()
    best = max(last.cash)
    return (last.cash[_seat(game.number)] == best) / last.cash.count(best)
