"""Scores: totals of the games of a match for each player."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from games.engine.bots.arena.match import Match, Result

# 95% of a normal distribution lie within this many standard deviations.
DEVIATIONS: Final = 1.959964


@dataclass(frozen=True)
class Tally:
    """The totals of one player, over all `seats` it had.

    `wins` includes shares of tied wins, `money` is the score (dollars, large buildings); `decisions`
    counts those with more than one legal move, and `capped` how many of them ended because the time was
    up. `timed` of them count for `seconds`, their total time, and `slowest`, the longest of them.
    `counted_wins` of the wins count for `win_money`, the player's money in the games it won, and
    `win_money_squares`, the sum of its squares: totals may be older than this count. A tied win counts by
    its share.
    """

    player: str
    games: int
    seats: int
    wins: float
    money: int
    decisions: int
    timed: int
    seconds: float
    slowest: float
    capped: int
    counted_wins: float = 0.0
    win_money: float = 0.0
    win_money_squares: float = 0.0


@dataclass(frozen=True)
class Score:
    """The result of one player, over all seats it had.

    `share` is its share of the wins, from 0 to 1, `low` and `high` the 95% interval around it, and
    `parity` its share if all players were equally strong. `mean_money` is per seat and game. `ms_mean`
    and `ms_max` are milliseconds per decision with more than one legal move, None if none was timed, as
    in compiled code; `capped` of all `decisions` ended because the time was up. `win_money` is the mean
    money in the games that the player won, None if that was not counted, and `win_money_reach` half its
    95% interval, None for one win or less.
    """

    player: str
    games: int
    share: float
    low: float
    high: float
    parity: float
    mean_money: float
    ms_mean: float | None
    ms_max: float | None
    decisions: int
    capped: int
    win_money: float | None = None
    win_money_reach: float | None = None


def scores(match: Match, results: Collection[Result]) -> list[Score]:
    """A score for each distinct player of the match, in its order; at least one game must be played."""
    return [score(match, tally) for tally in tallies(match, results)]


def tallies(match: Match, results: Collection[Result]) -> list[Tally]:
    """A tally for each distinct player of the match, in its order."""
    return [_tally(name, results) for name in dict.fromkeys(match.players)]


def _tally(name: str, results: Collection[Result]) -> Tally:
    seats = [(result, seat) for result in results for seat, who in enumerate(result.players) if who == name]
    timed = [(result, seat) for result, seat in seats if result.timed]
    won = [(result.won[seat], result.money[seat]) for result, seat in seats]
    return Tally(
        player=name,
        games=len(results),
        seats=len(seats),
        wins=sum(share for share, _ in won),
        money=sum(result.money[seat] for result, seat in seats),
        decisions=sum(result.decisions[seat] for result, seat in seats),
        timed=sum(result.decisions[seat] for result, seat in timed),
        seconds=round(sum(result.seconds[seat] for result, seat in timed), 6),
        slowest=max((result.slowest[seat] for result, seat in timed), default=0.0),
        capped=sum(result.capped[seat] for result, seat in seats),
        counted_wins=sum(share for share, _ in won),
        win_money=sum(share * money for share, money in won),
        win_money_squares=sum(share * money**2 for share, money in won),
    )


def added(found: Iterable[Tally]) -> list[Tally]:
    """Add up the tallies of each player."""
    sums: dict[str, Tally] = {}
    for tally in found:
        sums[tally.player] = _sum(sums[tally.player], tally) if tally.player in sums else tally
    return [*sums.values()]


def _sum(one: Tally, other: Tally) -> Tally:
    return Tally(
        player=one.player,
        games=one.games + other.games,
        seats=one.seats + other.seats,
        wins=one.wins + other.wins,
        money=one.money + other.money,
        decisions=one.decisions + other.decisions,
        timed=one.timed + other.timed,
        seconds=round(one.seconds + other.seconds, 6),
        slowest=max(one.slowest, other.slowest),
        capped=one.capped + other.capped,
        counted_wins=one.counted_wins + other.counted_wins,
        win_money=one.win_money + other.win_money,
        win_money_squares=one.win_money_squares + other.win_money_squares,
    )


def score(match: Match, tally: Tally) -> Score:
    """The score of the tally's player in the match; at least one game must be played."""
    low, high = wilson(tally.wins, tally.games)
    return Score(
        player=tally.player,
        games=tally.games,
        share=tally.wins / tally.games,
        low=low,
        high=high,
        parity=match.players.count(tally.player) / len(match.players),
        mean_money=tally.money / tally.seats,
        ms_mean=1000 * tally.seconds / tally.timed if tally.timed else None,
        ms_max=1000 * tally.slowest if tally.timed else None,
        decisions=tally.decisions,
        capped=tally.capped,
        win_money=tally.win_money / tally.counted_wins if tally.counted_wins else None,
        win_money_reach=_win_money_reach(tally),
    )


def _win_money_reach(tally: Tally) -> float | None:
    """Half the 95% interval of the mean money in games won."""
    wins = tally.counted_wins
    if wins <= 1:
        return None
    spread = tally.win_money_squares - tally.win_money**2 / wins
    # Rounding can push the spread of equal amounts below 0.
    return DEVIATIONS * sqrt(max(0.0, spread) / (wins - 1) / wins)


def wilson(wins: float, games: int, deviations: float = DEVIATIONS) -> tuple[float, float]:
    """The Wilson score interval for this number of wins, whole or shared, in `games` games.

    `deviations` is its reach in standard deviations; by default it is the 95% interval.
    """
    share, part = wins / games, deviations**2 / games
    centre = (share + part / 2) / (1 + part)
    reach = deviations * sqrt(share * (1 - share) / games + part / (4 * games)) / (1 + part)
    return max(0.0, centre - reach), min(1.0, centre + reach)
