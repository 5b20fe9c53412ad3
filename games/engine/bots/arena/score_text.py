"""Text of scores, as tables and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.bots.arena.match import Match
from games.engine.bots.arena.match_scores import Score

# The fields of the JSON output, with their number of decimals.
JSON_DIGITS: Final = {
    "share": 4,
    "low": 4,
    "high": 4,
    "mean_money": 1,
    "win_money": 1,
    "win_money_reach": 1,
    "ms_mean": 3,
    "ms_max": 3,
}


@dataclass(frozen=True)
class Mean:
    """The column heading and number format of the mean score of a rule system."""

    head: str
    number: str


MEANS: Final = {
    "acquire": Mean("mean money", "${:,.0f}"),
    "acquisition": Mean("mean large buildings", "{:.1f}"),
}
# The column heading of the mean score in games won.
WHEN_IT_WINS: Final = "when it wins"


def as_json(scores: Sequence[Score]) -> str:
    """A line of JSON: the number of games, and the scores of each distinct player, null where unknown."""
    seats = [
        {"player": score.player}
        | {key: _rounded(getattr(score, key), digits) for key, digits in JSON_DIGITS.items()}
        for score in scores
    ]
    return json.dumps({"games": scores[0].games, "seats": seats})


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)


def table(match: Match, scores: Sequence[Score]) -> str:
    """A table of the results so far."""
    mean = MEANS[match.system]
    heads = ("player", "wins", "95% interval", "parity", mean.head, WHEN_IT_WINS, "a decision", "longest")
    rows = [heads, *(_row(score, mean) for score in scores)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    where = f"{match.system}, {match.preset}, seed {match.seed}"
    return "\n".join(
        [
            f"{scores[0].games} games of {len(match.players)} players, {where}",
            *(_line(row, widths) for row in rows),
            *_time_limit_lines(match, scores),
        ]
    )


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Align the name to the left and numbers to the right."""
    aligned = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
    return "  ".join([cells[0].ljust(widths[0]), *aligned[1:]])


def _row(score: Score, mean: Mean) -> tuple[str, ...]:
    return (
        score.player,
        percent(score.share),
        interval(score),
        percent(score.parity),
        mean.number.format(score.mean_money),
        win_money(score, mean),
        milliseconds(score.ms_mean),
        milliseconds(score.ms_max),
    )


def _time_limit_lines(match: Match, scores: Sequence[Score]) -> list[str]:
    """A line for each player on how often its time was up."""
    if not match.real_time:
        return ["No time cap: everybody thinks to the end."]
    return [
        f"{score.player}: a cap struck in {score.capped:,} of {score.decisions:,} decisions"
        for score in scores
    ]


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def interval(score: Score) -> str:
    return f"{100 * score.low:.1f} to {percent(score.high)}"


def win_money(score: Score, mean: Mean) -> str:
    """The mean in games won and half its 95% interval, empty if it was not counted."""
    numbers = [number for number in (score.win_money, score.win_money_reach) if number is not None]
    return " ± ".join(map(mean.number.format, numbers))


def milliseconds(number: float | None) -> str:
    if number is None:
        return "not timed"
    return f"{number:,.2f} ms" if number < 10 else f"{number:,.0f} ms"
