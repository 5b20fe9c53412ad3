"""The story of a game that is over: its turns, what was decided in it, and how long that took.

All of it is public to whoever may look at the table then: at the end everything has been shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from math import exp
from statistics import median
from typing import Any, Final

from django.http import Http404

from games.engine.bots.bot_levels import move_rater
from games.log import rulings
from games.log.positions import initial_state, standing_moves
from games.log.standings import standings
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.play.game_view import GameView, game_view
from games.play.seats.practice_hands import OpenHand

MOST_TURNING: Final = 6
MOST_COSTLY: Final = 10

# A decision that gave away a tenth of the win counts 1/e of one that gave away nothing.
SHARPNESS: Final = 10.0

# After these whoever is asked has another clock than before: what was before is no thinking of theirs.
_BEGIN_ANEW: Final = frozenset(
    ("resume", "goes on", "releases", "restores", "back", "rolls", "adopts", "appoints", "returns", "takes")
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn, or where none is left the end: whose it was, the entry of the log before it, and what each
    seat was worth at that moment.
    """

    seat: int
    before: int
    worth: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that changed much: its number from 1, the seat that gained, by how many points over the best
    other one, whether it took the lead, and the entry of the log with which the turn was over.
    """

    turn: int
    seat: int
    gained: int
    took_lead: bool
    after: int


@dataclass(frozen=True, slots=True)
class Player:
    """Who decided for a seat; `stand_in` is a computer, or the house, in place of the one of this name."""

    seat: int
    name: str
    stand_in: bool


@dataclass(frozen=True, slots=True)
class Play:
    """How well somebody played: so many rated `decisions`, their `accuracy` from 0 to 1, and what they
    gave away together, of the win (1 is a whole one) and of what the game is won by.
    """

    player: Player
    decisions: int
    accuracy: float
    lost_chance: float
    lost_lead: float


@dataclass(frozen=True, slots=True)
class ResultBreakdown:
    """Why a seat's share of the win is by `result` above or below that of everybody: what it gave away, what
    the others gave to it, and the rest, which is luck.
    """

    seat: int
    result: float
    given_away: float
    got: float
    luck: float


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """How long somebody took to answer, `times` times: in the middle and at most."""

    player: Player
    times: int
    median: timedelta
    longest: timedelta


@dataclass(frozen=True, slots=True)
class ReportData:
    """The story: a look at the game with its whole log, its turns, and what was thought of its decisions.

    `rated` is the part of the log that has been looked at, from 0 to 1, None where nobody is at it.
    """

    look: GameView
    turns: tuple[Turn, ...]
    rated: float | None
    assessments: tuple[MoveAssessment, ...]


def story(public_id: str, user: Any, opened: OpenHand | None = None) -> ReportData:
    """The story of a game, for whoever may look at its table. Raises Http404 while it is not over."""
    found = game_view(public_id, user, whole_log=True, opened=opened)
    if found is None or not found.game.is_finished:
        raise Http404
    told = GameReview.objects.filter(game=found.game).first()
    rated = None
    if told is not None:
        rated = 1.0 if told.done else min(1.0, told.rated / max(1, found.game.version))
    assessments = MoveAssessment.objects.filter(game=found.game) if told else ()
    return ReportData(found, turns_with_worth(found.game, found.entries), rated, tuple(assessments))


def may_be_rated(game: Game) -> bool:
    """Whether somebody could rate the decisions of the game if they were asked to."""
    return move_rater(game.system) is not None


def turns_with_worth(game: Game, entries: Sequence[LogEntry]) -> tuple[Turn, ...]:
    """The turns of a game that is over, and its end. Needs a game with its secrets, and its whole log."""
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    system, state = game.rule_system, initial_state(game)
    turns: list[Turn] = []
    turn, before = None, 0
    for entry in standing_moves(entries):
        if state.turn != turn:
            turn = state.turn
            turns.append(Turn(turn, before, tuple(system.worth(state))))
        system.apply(state, system.parse_move(entry.text))
        before = entry.number
    return (*turns, Turn(state.turn, before, tuple(system.worth(state))))


def turning_points(turns: Sequence[Turn], most: int = MOST_TURNING) -> list[TurningPoint]:
    """The turns that changed most who is how far ahead, in their order."""
    found = []
    for number, (turn, then) in enumerate(pairwise(turns), start=1):
        before, after = _leads(turn.worth), _leads(then.worth)
        gained, seat = max(
            (now - was, seat) for seat, (was, now) in enumerate(zip(before, after, strict=True))
        )
        if gained > 0:
            took_lead = before[seat] <= 0 < after[seat]
            found.append(TurningPoint(number, seat, gained, took_lead, then.before))
    found.sort(key=lambda turning: (-turning.gained, turning.turn))
    return sorted(found[:most], key=lambda turning: turning.turn)


def _leads(worth: Sequence[int]) -> list[int]:
    """By seat, how far it is before the best other one."""
    *_, second, first = sorted(worth)
    return [points - (second if points == first else first) for points in worth]


# -- What was decided ----------------------------------------------------------------------------------


def accuracy(lost: float) -> float:
    """How good a decision was that gave away this share of the win: from 1, for nothing, towards 0."""
    return exp(-SHARPNESS * lost)


def player_accuracy(told: ReportData) -> list[Play]:
    """How well everybody played who decided something that was rated, in the order of the seats."""
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


def costliest_moves(told: ReportData, most: int = MOST_COSTLY) -> list[MoveAssessment]:
    """The decisions that gave away most, the worst first."""
    lost = [rated for rated in told.assessments if rated.lost_chance > 0]
    return sorted(lost, key=lambda rated: (-rated.lost_chance, rated.number))[:most]


def result_breakdowns(told: ReportData) -> list[ResultBreakdown]:
    """How luck and play made the result, by seat; none of a game without a result, or not wholly rated.

    Before a game everybody has the same share of the win. What a seat gave away by its decisions,
    the others got, each the same part of it; what its result is besides, is luck. The luck of all seats
    together is none.
    """
    shares = _shares(told.look)
    if told.rated != 1.0 or not shares or not told.assessments:
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


def _shares(look: GameView) -> list[float]:
    """What each seat has of the win; nothing for a game that ended without a result."""
    places = standings(look.game, look.seats)
    first = [seat for rank, seat, _points in places if rank == 1]
    return [1 / len(first) if seat in first else 0.0 for seat in range(len(look.seats))] if first else []


# -- How long it took ----------------------------------------------------------------------------------


def paces(look: GameView) -> list[AnswerTimes]:
    """How long people took to answer: from when they were asked until all of that answer was made.

    What follows at once, as a purchase follows a tile, is one answer. What was made in their place, or
    given before they were asked, is none.
    """
    times: dict[Player, list[timedelta]] = {}
    answering, since = None, look.game.started
    for entry in look.entries:
        assert since is not None
        if entry.kind == LogEntry.Kind.RULING:
            if rulings.parse_ruling(entry.text).kind in _BEGIN_ANEW:
                answering, since = None, entry.created_at
            continue
        player = player_of(look, entry)
        if entry.author != LogEntry.Author.PERSON or entry.origin:
            # While somebody's own answer goes on, a part of it may need no asking.
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
    """Who made a move."""
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
