"""The paces to which players may change a game, and the proposal to do so.

`games.play.seats.pace_votes` changes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Final

from django.db.models import Q, QuerySet

from games.log.end_proposals import people_playing, votes_underway
from games.log.rulings import Ruling, parse_ruling
from games.models import Game, LogEntry, Seat, Vote


@dataclass(frozen=True, slots=True)
class Pace:
    """The seconds per move, None without a limit, and the seconds of the time bank, which never grows."""

    seconds: int | None
    bank: int | None = None


# By their names in the log.
PACES: Final = {
    "fast": Pace(30, 180),
    "evening": Pace(60, 300),
    "day": Pace(86400),
    "days": Pace(3 * 86400),
    "none": Pace(None),
}


@dataclass(frozen=True, slots=True)
class PaceProposal:
    """An open proposal: the name of the pace, the proposer's seat, its time, and who has agreed or not."""

    pace: str
    seat: int
    made: datetime
    agreed: tuple[int, ...]
    missing: tuple[int, ...]


def paces_open(game: Game) -> list[str]:
    """The names of the paces that can be proposed now: all but that of the game."""
    now = Pace(game.seconds_per_move, game.time_bank)
    return [name for name, pace in PACES.items() if pace != now]


def pace_voters(seats: Sequence[Seat]) -> list[Seat]:
    """The seats that vote on the pace: people who play. Computers and bot accounts agree to any."""
    return people_playing(seats)


def open_pace_proposal(
    game: Game, seats: Sequence[Seat], underway: Sequence[Vote] | None = None
) -> PaceProposal | None:
    """The proposal to change the pace that is open, or None; `underway` are the `votes_underway` if known."""
    kinds = pace_kinds()
    votes = [vote for vote in (votes_underway(game) if underway is None else underway) if vote.what in kinds]
    if not votes:
        return None
    agreed = {vote.seat for vote in votes}
    numbers = [seat.number for seat in pace_voters(seats)]
    return PaceProposal(
        pace=parse_ruling(votes[0].what).name,
        seat=votes[0].seat,
        made=votes[0].made,
        agreed=tuple(number for number in numbers if number in agreed),
        missing=tuple(number for number in numbers if number not in agreed),
    )


def open_pace_votes(game: Game) -> QuerySet[Vote]:
    """The votes on the open proposal to change the pace, its proposer's first."""
    return game.votes.filter(what__in=pace_kinds(), closed=None)


def proposed_pace(game: Game, number: int) -> str:
    """The name of the pace that the log entry of this number proposes, "" if it proposes none."""
    entry = game.moves.filter(number=number, kind=LogEntry.Kind.RULING).first()
    what = parse_ruling(entry.text).what if entry is not None else ""
    ruling = parse_ruling(what) if what else None
    return ruling.name if ruling is not None and ruling.kind == "paces" else ""


def pace_proposals_made(game: Game) -> QuerySet[LogEntry]:
    """The log entries of this game that propose a pace, those of former proposals too."""
    proposes = [f" proposes {kind}" for kind in pace_kinds()]
    of_pace = reduce(or_, (Q(text__endswith=text) for text in proposes))
    return game.moves.filter(of_pace, kind=LogEntry.Kind.RULING)


def pace_kinds() -> list[str]:
    """The rulings that change the pace, in the notation of the log."""
    return [str(Ruling("paces", name=name)) for name in PACES]
