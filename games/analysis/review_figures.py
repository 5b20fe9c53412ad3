"""Figures of the game review: turns, turning points, accuracy, luck and answer times.

All of it is public to those who may view the table, because everything is revealed at the end.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import pairwise
from math import exp
from statistics import median
from typing import Any, Final

from django.http import Http404

from games.analysis.severity import MISTAKE, severity
from games.engine.bots.bot_levels import move_rater
from games.log import rulings
from games.log.positions import apply_step, initial_state, standing_steps
from games.log.standings import standings, team_places
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.models.game_review import EDITION
from games.play.game_view import GameView, game_view
from games.play.seats.practice_hands import OpenHand

MAX_TURNING_POINTS: Final = 6
MAX_COSTLY_MOVES: Final = 10

# A decision that gives away a tenth of the win counts 1/e of a perfect one.
SHARPNESS: Final = 10.0

_PROGRESS: Final = ("rated", "done", "edition")
# Columns of the assessments, as the query of the review names them.
_COLUMNS: Final = {
    f"game__assessments__{name}": name
    for name in (
        *("number", "seat", "best", "chance", "best_chance", "lead", "best_lead"),
        *("chances", "others"),
    )
}
_NUMBER: Final = "game__assessments__number"

# Rulings that restart the clock of the player to move: time before them is not thinking time.
_RESTARTS_CLOCK: Final = rulings.GOES_BACK.union(
    ("resume", "goes on", "releases", "restores", "adopts", "appoints", "returns", "takes")
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn, or the end of the game: its seat, the log entry before it and each seat's worth then."""

    seat: int
    before: int
    worth: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn with a large change of the lead.

    `turn` counts from 1, `side` gained `gained` points over the best other one, `took_lead` tells whether it
    took the lead, and `after` is the last log entry of the turn. A side is a seat, or a team in a team game.
    """

    turn: int
    side: int
    gained: int
    took_lead: bool
    after: int


@dataclass(frozen=True, slots=True)
class Player:
    """The player who decided for a seat; `stand_in` means a bot or the site in place of the named one."""

    seat: int
    name: str
    stand_in: bool


@dataclass(frozen=True, slots=True)
class Play:
    """Quality of a player's moves.

    `decisions` is the number of assessed ones, `accuracy` runs from 0 to 1, and the losses are of the win (1
    is a whole one) and of points.
    """

    player: Player
    decisions: int
    accuracy: float
    lost_chance: float
    lost_lead: float


@dataclass(frozen=True, slots=True)
class ResultBreakdown:
    """A seat's result above or below the average, split into its causes.

    It is the sum of what the seat gave away, what the others gave to it, and luck.
    """

    seat: int
    result: float
    given_away: float
    got: float
    luck: float


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """A player's answer times: their number, median and maximum."""

    player: Player
    times: int
    median: timedelta
    longest: timedelta


@dataclass(frozen=True)
class ReviewData:
    """The game review: the game view with its whole log, and the assessments.

    `rated` is the assessed part of the log, from 0 to 1; None if nothing assesses it. An `outdated` review
    is complete, but of an earlier edition.
    """

    look: GameView
    rated: float | None
    assessments: tuple[MoveAssessment, ...]
    outdated: bool = False

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game and its end."""
        return turns_with_worth(self.look.game, self.look.entries)


def game_review(public_id: str, user: Any, opened: OpenHand | None = None) -> ReviewData:
    """Return the review of a game for a user who may view its table. Raises Http404 until it is over."""
    found = game_view(public_id, user, whole_log=True, opened=opened)
    if found is None or not found.game.is_finished:
        raise Http404
    # One row for each assessment, or a single one without any.
    rows = list(GameReview.objects.filter(game=found.game).order_by(_NUMBER).values(*_PROGRESS, *_COLUMNS))
    if not rows:
        return ReviewData(found, None, ())
    told = rows[0]
    rated = 1.0 if told["done"] else min(1.0, told["rated"] / max(1, found.game.version))
    assessments = tuple(
        MoveAssessment(game=found.game, **{name: row[column] for column, name in _COLUMNS.items()})
        for row in rows
        if row[_NUMBER] is not None
    )
    return ReviewData(found, rated, assessments, bool(told["done"]) and told["edition"] < EDITION)


def may_be_rated(game: Game) -> bool:
    """Return whether the decisions of the game can be assessed on request."""
    return move_rater(game.system) is not None


def turns_with_worth(game: Game, entries: Sequence[LogEntry]) -> tuple[Turn, ...]:
    """The turns of a finished game and its end. Needs a game with its secrets, and its whole log."""
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    system, state = game.rule_system, initial_state(game)
    turns: list[Turn] = []
    turn, before = None, 0
    for step in standing_steps(entries):
        if step.kind == LogEntry.Kind.MOVE and state.turn != turn:
            turn = state.turn
            turns.append(Turn(turn, before, tuple(system.worth(state))))
        apply_step(game, state, step)
        before = step.number
    return (*turns, Turn(state.turn, before, tuple(system.worth(state))))


def turning_points(
    turns: Sequence[Turn], teams: Sequence[Sequence[int]] = (), most: int = MAX_TURNING_POINTS
) -> list[TurningPoint]:
    """The turns with the largest changes of the lead, in order; `teams` are the seats of each team."""
    found = []
    for number, (turn, then) in enumerate(pairwise(turns), start=1):
        before, after = _leads(_by_side(turn.worth, teams)), _leads(_by_side(then.worth, teams))
        gained, side = max(
            (now - was, side) for side, (was, now) in enumerate(zip(before, after, strict=True))
        )
        if gained > 0:
            took_lead = before[side] <= 0 < after[side]
            found.append(TurningPoint(number, side, gained, took_lead, then.before))
    found.sort(key=lambda turning: (-turning.gained, turning.turn))
    return sorted(found[:most], key=lambda turning: turning.turn)


def _by_side(worth: Sequence[int], teams: Sequence[Sequence[int]]) -> list[int]:
    """The worth of each seat, or the sum of each team in a team game."""
    return [sum(worth[seat] for seat in team) for team in teams] or list(worth)


def _leads(worth: Sequence[int]) -> list[int]:
    """Each side's lead over the best other one."""
    *_, second, first = sorted(worth)
    return [points - (second if points == first else first) for points in worth]


# -- What was decided ----------------------------------------------------------------------------------


def accuracy(lost: float) -> float:
    """Return the accuracy of a decision that gave away this share of the win: 1 for nothing, towards 0."""
    return exp(-SHARPNESS * lost)


def mark(rated: MoveAssessment) -> str:
    """Return "best" if nothing was lost and the next best was a mistake or worse, else the severity."""
    is_good = rated.lost_chance == 0 and bool(rated.others)
    if is_good and rated.chance - rated.others[0][1] >= MISTAKE:
        return "best"
    return severity(rated.lost_chance)


def player_accuracy(told: ReviewData) -> list[Play]:
    """The quality of all players with assessed decisions, by seat."""
    entries = {entry.number: entry for entry in told.look.entries}
    by_player: dict[Player, list[MoveAssessment]] = {}
    for rated in told.assessments:
        by_player.setdefault(player_of(told.look, entries[rated.number]), []).append(rated)
    return [
        Play(
            player,
            len(found),
            sum(accuracy(rated.lost_chance) for rated in found) / len(found),
            sum(rated.lost_chance for rated in found),
            sum(rated.lost_lead for rated in found),
        )
        for player, found in sorted(by_player.items(), key=lambda item: (item[0].seat, item[0].stand_in))
    ]


def mistakes(told: ReviewData) -> list[MoveAssessment]:
    """The decisions with a mark for their loss, in order: the reader's own, for spectators those of all."""
    entries = {entry.number: entry for entry in told.look.entries}
    return [
        rated
        for rated in told.assessments
        if severity(rated.lost_chance) and concerns_reader(told.look, entries[rated.number])
    ]


def concerns_reader(look: GameView, entry: LogEntry) -> bool:
    """Return whether the reader made this move; for spectators every move counts."""
    return look.seat is None or is_reader(look, player_of(look, entry))


def is_reader(look: GameView, player: Player) -> bool:
    """Return whether the reader is this player: not who held the seat before, nor a stand-in."""
    name = look.seats[player.seat].name
    return player.seat == look.seat and player.name == name and not player.stand_in


def costliest_moves(told: ReviewData, most: int = MAX_COSTLY_MOVES) -> list[MoveAssessment]:
    """The decisions that gave away most, the worst first."""
    lost = [rated for rated in told.assessments if rated.lost_chance > 0]
    return sorted(lost, key=lambda rated: (-rated.lost_chance, rated.number))[:most]


def result_breakdowns(told: ReviewData) -> list[ResultBreakdown]:
    """Split each seat's result into play and luck; empty without a result or a complete assessment.

    Empty in team games too, where a result is no seat's own.

    Before a game all seats have the same share of the win. What a seat gave away goes to the others in equal
    parts; the rest of its result is luck. The luck of all seats adds up to zero.
    """
    shares = final_shares(told.look)
    if told.rated != 1.0 or not shares or not told.assessments or told.look.game.teams:
        return []
    seats = len(shares)
    lost = [0.0] * seats
    for rated in told.assessments:
        lost[rated.seat] += rated.lost_chance
    found = []
    for seat, share in enumerate(shares):
        result, got = share - 1 / seats, (sum(lost) - lost[seat]) / (seats - 1)
        found.append(ResultBreakdown(seat, result, lost[seat], got, result + lost[seat] - got))
    return found


def final_shares(look: GameView) -> list[float]:
    """Each side's share of the win; empty for a game that ended without a result.

    A side is a seat, or a team in a team game.
    """
    places = standings(look.game, look.seats)
    if look.game.teams:
        rank = {place.team: place.rank for place in team_places(places, look.game.teams)}
    else:
        rank = {seat: rank for rank, seat, _points in places}
    first = [side for side, its_rank in rank.items() if its_rank == 1]
    return [1 / len(first) if side in first else 0.0 for side in range(len(rank))]


# -- How long it took ----------------------------------------------------------------------------------


def paces(look: GameView) -> list[AnswerTimes]:
    """The answer times of people, from the request to the last move of the answer.

    Moves in direct succession, such as a purchase after a tile, are one answer. Stand-ins' moves and moves
    given in advance do not count.
    """
    times: dict[Player, list[timedelta]] = {}
    answering, since = None, look.game.started
    for entry in look.entries:
        assert since is not None
        if entry.kind == LogEntry.Kind.RULING:
            if rulings.parse_ruling(entry.text).kind in _RESTARTS_CLOCK:
                answering, since = None, entry.created_at
            continue
        player = player_of(look, entry)
        if entry.author != LogEntry.Author.PERSON or entry.origin:
            # A part of a player's own answer may be automatic.
            answering = answering if answering == player else None
        elif answering == player:
            times[player][-1] += entry.created_at - since
        else:
            times.setdefault(player, []).append(entry.created_at - since)
            answering = player
        since = entry.created_at
    return [
        AnswerTimes(player, len(found), _median(found), max(found))
        for player, found in sorted(times.items(), key=lambda item: item[0].seat)
    ]


def _median(times: Iterable[timedelta]) -> timedelta:
    return timedelta(seconds=median(time.total_seconds() for time in times))


def player_of(look: GameView, entry: LogEntry) -> Player:
    """Return the player who made a move."""
    assert entry.seat is not None
    seat = look.seats[entry.seat]
    name = next(
        (
            change.name
            for change in look.handovers
            if change.seat == seat.number and change.number > entry.number
        ),
        seat.name,
    )
    by_person = entry.author in (LogEntry.Author.PERSON, LogEntry.Author.MODERATOR)
    own_computer = seat.is_bot_playing and not seat.is_replaced
    return Player(seat.number, name, not by_person and not own_computer and not entry.origin)
