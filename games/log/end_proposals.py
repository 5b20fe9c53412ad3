"""Queries of end proposals; `games.play.seats.end_votes` changes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from games.log.rulings import Ruling
from games.models import Game, Seat, Vote
from games.models.prepared_query import Placeholder, PreparedQuery

# The kinds of rulings that can be proposed, with the ending that each of them makes.
ENDINGS: Final = {"standings": Game.Ending.STANDINGS, "none": Game.Ending.NONE}


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
    those left at the table could win by ending the game at a good moment.
    """
    away = kind == "standings"
    people = [seat for seat in seats if seat.user_id and not seat.is_bot_account]
    return [seat for seat in people if not seat.is_bot_playing or (away and seat.can_be_reclaimed)]


def open_proposal(game: Game, seats: Sequence[Seat]) -> EndProposal | None:
    """The end proposal that is open in this game, or None."""
    votes = _VOTES.rows(game=game.pk) if getattr(game, "has_votes", True) else []
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
    return _open(game.votes.all())


def _open(votes: QuerySet[Vote]) -> QuerySet[Vote]:
    return votes.filter(what__in=proposal_kinds(), closed=None)


_VOTES = PreparedQuery(lambda: _open(Vote.objects.filter(game=Placeholder("game"))))


def proposal_kinds() -> list[str]:
    """The rulings that can be proposed, in the notation of the log."""
    return [str(Ruling(kind)) for kind in ENDINGS]
