"""Which matches say how strong the levels are: one table, the cheap ones first, and the playing of them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from .matches import Match, Result
from .playing import played
from .results import Home, Results, read
from .scores import Score, scores

# No game of this seed was played while the levels were made.
SEED: Final = 2718
# A match that takes longer than this ends with the games that were finished.
HOURS: Final = 2.0

Part = Literal["goals", "tables", "presets"]


@dataclass(frozen=True)
class Row:
    """A match of `hero` against so many of `others`, and the part of the page in which it is told.

    `goal` is what the lower end of the interval of the hero's share of the wins should reach, None
    where the figure is only reported.
    """

    part: Part
    hero: str
    others: str
    count: int
    games: int
    goal: float | None = None
    preset: str = ""
    real_time: bool = False

    @property
    def match(self) -> Match:
        players = (self.hero, *[self.others] * self.count)
        return Match(players, SEED, self.preset, real_time=self.real_time)

    def path(self, folder: Path) -> Path:
        """The file of its results among those of the other rows."""
        return folder / f"{self.match.name}.jsonl"


def _tables(hero: str, others: str, *seats: int, games: int = 200, with_goal: bool = True) -> Iterator[Row]:
    """A level against another at tables of several sizes: it should win more than its part."""
    for count in seats:
        yield Row("tables", hero, others, count - 1, games, goal=1 / count if with_goal else None)


ROWS: Final = (
    Row("goals", "medium", "random", 3, 400, goal=0.90),
    *_tables("easy", "random", 2, 3, 4, 5, 6),
    *_tables("medium", "easy", 2, 3, 4, 5, 6),
    Row("goals", "hard", "medium", 3, 400, goal=0.75),
    *_tables("hard", "medium", 2, 3, 5, 6),
    Row("goals", "expert", "medium", 3, 400, goal=0.87, real_time=True),
    Row("presets", "expert", "medium", 3, 200, preset="classic"),
    Row("presets", "expert", "medium", 3, 200, preset="quick-reference"),
    Row("presets", "expert", "medium", 3, 200, preset="course"),
    Row("goals", "expert", "hard", 3, 400, goal=0.32),
    *_tables("expert", "hard", 2, 3, 5, 6),
    Row("goals", "master", "plain-300", 3, 400, goal=0.40),
    *_tables("master", "expert", 2, 3, 4, 5, 6, games=40, with_goal=False),
)


@dataclass(frozen=True)
class Standing:
    """How far a row is: `done` when there is nothing left to play, `late` if that is for want of time.

    `scores` are those of its hero and of the others, empty before the first game; `home` is on what it
    is played.
    """

    row: Row
    games: int
    scores: list[Score]
    home: Home
    done: bool
    late: bool

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without one, or as long as games are missing."""
        if self.row.goal is None or not self.done:
            return None
        return self.scores[0].low >= self.row.goal


def standing(row: Row, folder: Path) -> Standing:
    """How far the row is, from the results in the folder."""
    home, games = read(row.path(folder), row.match)
    counted = {number: result for number, result in games.items() if number < row.games}
    found = scores(row.match, counted.values()) if counted else []
    late = len(counted) < row.games and _hours(counted.values(), home) >= HOURS
    return Standing(row, len(counted), found, home, late or len(counted) == row.games, late)


def play_row(row: Row, folder: Path, processes: int) -> Iterator[int]:
    """Play what is missing of a row; how many games are finished, after each of them."""
    with Results(row.path(folder), row.match) as results:
        for _ in played(results, 0 if _late(results) else row.games, processes):
            yield len(results.games)
            if _late(results):
                return


def _late(results: Results) -> bool:
    return _hours(results.games.values(), results.home) >= HOURS


def _hours(results: Collection[Result], home: Home) -> float:
    """How long the games take that all cores share."""
    return sum(result.took for result in results) / home.cores / 3600
