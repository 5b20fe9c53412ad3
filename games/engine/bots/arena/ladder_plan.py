"""The matches that measure the strength of the levels, cheap ones first for each system."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from games.engine.bots.arena.match import Match, Result, play
from games.engine.bots.arena.match_runner import play_missing_games
from games.engine.bots.arena.match_scores import Score, score, wilson
from games.engine.bots.arena.match_totals import Sum, read_sum, write_sum
from games.engine.bots.arena.results_file import Hardware, Results, ResultsError, read

# No game with this seed was played while the levels were developed.
SEED: Final = 2718
# A match that takes longer than this ends with the games finished so far, up to the first that is missing.
MAX_HOURS: Final = 2.0
# After this many games a match ends early if its goal lies outside the 99.9% interval.
MIN_GAMES: Final = 100
# 99.9% of a normal distribution lie within this many standard deviations.
EARLY_DEVIATIONS: Final = 3.290527

Part = Literal["goals", "tables", "presets"]
End = Literal["complete", "clear", "late"]


@dataclass(frozen=True)
class Row:
    """A match of `hero` against `count` times `others`, and the part of the page that reports it.

    `goal` is the minimum for the lower end of the interval of the hero's share of the wins, None if
    the match has no goal.
    """

    part: Part
    hero: str
    others: str
    count: int
    games: int
    goal: float | None = None
    preset: str = ""
    real_time: bool = False
    system: str = Match.system

    @property
    def match(self) -> Match:
        players = (self.hero, *[self.others] * self.count)
        return Match(players, SEED, self.preset, self.system, self.real_time)

    def path(self, folder: Path) -> Path:
        """The results file of this match."""
        return folder / f"{self.match.name}.jsonl"

    def sum_path(self, kept: Path) -> Path:
        """The file with the totals of the first games of this match."""
        return kept / f"{self.match.name}.json"


def _tables(
    hero: str, others: str, *seats: int, games: int = 200, with_goal: bool = True, system: str = Match.system
) -> Iterator[Row]:
    """Rows of one level against another with different numbers of seats; the goal is its fair share."""
    for count in seats:
        goal = 1 / count if with_goal else None
        yield Row("tables", hero, others, count - 1, games, goal, system=system)


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
    Row("goals", "expert", "hard", 3, 400, goal=0.55),
    *_tables("expert", "hard", 2, 3, 5, 6),
    Row("goals", "expert", "expert-1", 3, 1000, goal=0.31),
    Row("goals", "master", "expert", 3, 400, goal=0.26),
    *_tables("master", "expert", 2, 3, 5, 6, games=60, with_goal=False),
    Row("goals", "master", "plain-300", 3, 500, goal=0.55),
    Row("goals", "master", "expert-1", 3, 400, goal=0.38),
    *_tables("master", "expert-1", 2, 6, games=400),
    *_tables("master", "hard", 4, games=400, with_goal=False),
    Row("goals", "medium", "random", 3, 400, goal=0.90, system="acquisition"),
    *_tables("medium", "random", 2, 3, system="acquisition"),
    Row("goals", "hard", "medium", 3, 400, goal=0.87, system="acquisition"),
    *_tables("hard", "medium", 2, 3, games=60, system="acquisition"),
)


@dataclass(frozen=True)
class MatchProgress:
    """The progress of a row.

    `end` says why nothing is left to play: all games were played (complete), the verdict on the goal was
    clear before (clear), or the time was up (late); it is None while games are missing. `scores` are those
    of the hero and of the others, empty before the first game; `homes` is the hardware on which it was
    played.
    """

    row: Row
    games: int
    scores: list[Score]
    homes: tuple[Hardware, ...]
    end: End | None

    @property
    def reached(self) -> bool | None:
        """Return whether the goal is reached; None without one, or while games are missing."""
        if self.row.goal is None or self.end is None:
            return None
        return self.scores[0].low >= self.row.goal


def standing(row: Row, folder: Path, kept: Path) -> MatchProgress:
    """The progress of the row, from its results in `folder` and its totals in `kept`."""
    before = read_sum(row.sum_path(kept), row.match)
    home, games = read(row.path(folder), row.match)
    now = _total(row, before, games, home)
    found = [score(row.match, tally) for tally in now.tallies]
    return MatchProgress(row, now.games, found, now.homes, _end(row, now))


def play_row(row: Row, folder: Path, kept: Path, processes: int) -> Iterator[int]:
    """Play the missing games of a row; yield the number of finished games after each.

    If games were played before, one of them is repeated; raises ResultsError if it differs.
    """
    before = read_sum(row.sum_path(kept), row.match)
    if before.games and not row.real_time and not before.starts_with(play(row.match, 0)):
        raise ResultsError(
            f"The games of {row.sum_path(kept)} come out differently today: players or rules have changed."
            " Delete the file to play them anew."
        )
    if standing(row, folder, kept).end:
        return
    with Results(row.path(folder), row.match) as results:
        for _ in play_missing_games(results, row.games, processes, start=before.games):
            yield len({*range(before.games), *results.games})
            if _end(row, _total(row, before, results.games, results.home)):
                return


def _total(row: Row, before: Sum, games: Mapping[int, Result], home: Hardware) -> Sum:
    """The totals of the row's first games, as far as they are finished without a gap.

    Games after a gap would favour short games, as those end first.
    """
    return before.plus_next({number: games[number] for number in games if number < row.games}, home)


def _end(row: Row, now: Sum) -> End | None:
    if now.games >= row.games:
        return "complete"
    if _is_clear(row, now):
        return "clear"
    return "late" if now.hours >= MAX_HOURS else None


def _is_clear(row: Row, now: Sum) -> bool:
    """Return whether the games so far settle whether the goal is reached.

    The rule is that of Haybittle (1971) and Peto (1976) for trials that are looked at before their end:
    the early bounds are so wide that the last look need not be stricter. Of simulated matches whose true
    share is the goal, 3.1% instead of 2.6% reach it in at most 1,000 games.
    """
    if row.goal is None or now.games < MIN_GAMES:
        return False
    low, high = wilson(now.tallies[0].wins, now.games, EARLY_DEVIATIONS)
    return not low < row.goal <= high


def keep_row(row: Row, folder: Path, kept: Path) -> None:
    """Store the totals of the row's first games, as far as they are finished without a gap."""
    before = read_sum(row.sum_path(kept), row.match)
    home, games = read(row.path(folder), row.match)
    now = _total(row, before, games, home)
    if now.games > before.games:
        write_sum(row.sum_path(kept), now)
