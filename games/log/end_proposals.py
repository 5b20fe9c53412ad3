"""Queries of end proposals; `games.play.seats.end_votes` changes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from games.log.rulings import Ruling
from games.models import Game, LogEntry, Seat, Vote
from games.models.prepared_query import Placeholder, PreparedQuery

# The kinds of rulings that can be proposed, with the ending that each of them makes.
ENDINGS: Final = {
    "standings": Game.Ending.STANDINGS,
    "none": Game.Ending.NONE,
    "unrated": Game.Ending.UNRATED,
}

# A player or a team left alone with computers can end the game unrated until they have made this many moves
# more. Otherwise they could play on and choose the rating only once they know who wins.
MAX_MOVES_ALONE: Final = 6


@dataclass(frozen=True, slots=True)
class EndProposal:
    """An open proposal: its kind (of ENDINGS), the proposer's seat, its time, and who has agreed or not."""

    kind: str
    seat: int
    made: datetime
    agreed: tuple[int, ...]
    missing: tuple[int, ...]


def voters(seats: Sequence[Seat], kind: str) -> list[Seat]:
    """The seats that vote on ending a game this way: all people who play, except bot accounts.

    If the standings would decide the game, replaced players who may still come back vote, too. Otherwise
    those left at the table could win by ending the game at a good moment. To end it unrated, replaced players
    vote as long as their seat is kept for them. So they do to end it without a result, unless only one person
    plays: several could agree that a game which somebody else wins counts for nothing.
    """
    playing = people_playing(seats)
    if kind == "unrated" or (kind == "none" and len(playing) > 1):
        return _left(seats)
    away = kind == "standings"
    return [seat for seat in _people(seats) if seat in playing or (away and seat.can_be_reclaimed)]


def people_playing(seats: Sequence[Seat]) -> list[Seat]:
    """The seats that people play themselves, except bot accounts."""
    return [seat for seat in _people(seats) if not seat.is_bot_playing]


def endings_open(game: Game, seats: Sequence[Seat]) -> list[str]:
    """The kinds of ENDINGS that can be proposed now."""
    return [kind for kind in ENDINGS if kind != "unrated" or can_end_unrated(game, seats)]


def can_end_unrated(game: Game, seats: Sequence[Seat]) -> bool:
    """Return whether the game can end unrated: computers would finish what people began.

    Somebody gave up a seat or lost it, only one player or one team is left, and they have not played on for
    long.
    """
    if not game.rated or not game.is_running:
        return False
    left = _left(seats)
    if len({side(seat) for seat in left}) != 1 or not (gone := _gone_from(seats, left)):
        return False
    since = _left_alone_at(game, gone)
    # Moves of partners who have left since count, too.
    numbers = [seat.number for seat in seats if side(seat) == side(left[0])]
    moves = game.moves.filter(kind=LogEntry.Kind.MOVE, origin="", seat__in=numbers, created_at__gt=since)
    return moves.count() < MAX_MOVES_ALONE


def side(seat: Seat) -> int:
    """The number of the seat's team, or of the seat itself if everybody plays alone."""
    return seat.number if seat.team is None else seat.team


def ended_unrated_by(seats: Sequence[Seat]) -> Seat | None:
    """Return the seat of the only person left, who ended a game unrated; None if nobody has it any more."""
    left = _left(seats)
    return left[0] if len(left) == 1 else None


def _gone_from(seats: Sequence[Seat], left: Sequence[Seat]) -> list[Seat]:
    """The seats whose loss has left these people of one side alone.

    These are the opponents' seats. A partner who leaves later does not extend the time, and counts only if
    all opponents were computers from the start and just one person is left.
    """
    gone = [seat for seat in seats if not seat.is_bot_account and _is_gone(seat)]
    opponents = [seat for seat in gone if side(seat) != side(left[0])]
    return opponents or (gone if len(left) == 1 else [])


def _left_alone_at(game: Game, gone: Sequence[Seat]) -> datetime:
    """The time at which the last of these seats was given up, or stopped being kept for its player."""
    times = [seat.reserved_until or seat.replaced_at for seat in gone if seat.concession_order is None]
    conceded = [str(Ruling("concede", seat.number)) for seat in gone if seat.concession_order is not None]
    if conceded:
        times += game.moves.filter(text__in=conceded).values_list("created_at", flat=True)
    return max(time for time in times if time is not None)


def _people(seats: Sequence[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.user_id and not seat.is_bot_account]


def _left(seats: Sequence[Seat]) -> list[Seat]:
    """The people who play, and those for whom their seat is kept."""
    kept = [seat for seat in seats if seat.can_be_reclaimed and not seat.can_be_taken_over]
    return [seat for seat in _people(seats) if not seat.is_bot_playing or seat in kept]


def _is_gone(seat: Seat) -> bool:
    return seat.concession_order is not None or seat.can_be_taken_over


def votes_underway(game: Game) -> list[Vote]:
    """The open votes of this game on any proposal, each proposer's before the others."""
    return list(_VOTES.rows(game=game.pk)) if getattr(game, "has_votes", True) else []


def open_proposal(
    game: Game, seats: Sequence[Seat], underway: Sequence[Vote] | None = None
) -> EndProposal | None:
    """The end proposal that is open in this game, or None; `underway` are its `votes_underway` if known."""
    kinds = proposal_kinds()
    votes = [vote for vote in (votes_underway(game) if underway is None else underway) if vote.what in kinds]
    if not votes:
        return None
    kind = next(kind for kind in ENDINGS if str(Ruling(kind)) == votes[0].what)
    agreed = {vote.seat for vote in votes}
    numbers = [seat.number for seat in voters(seats, kind)]
    return EndProposal(
        kind=kind,
        seat=votes[0].seat,
        made=votes[0].made,
        agreed=tuple(number for number in numbers if number in agreed),
        missing=tuple(number for number in numbers if number not in agreed),
    )


def open_votes(game: Game) -> QuerySet[Vote]:
    """The votes on the open proposal of this game, its proposer's first."""
    return game.votes.filter(what__in=proposal_kinds(), closed=None)


_VOTES = PreparedQuery(lambda: Vote.objects.filter(game=Placeholder("game"), closed=None))


def proposal_kinds() -> list[str]:
    """The rulings that can be proposed, in the notation of the log."""
    return [str(Ruling(kind)) for kind in ENDINGS]
