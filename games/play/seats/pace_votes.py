"""Pace proposals: one player proposes another pace, and the game changes to it once all voters agree.

So a live game goes on by mail, and one by mail goes live. The game goes on in the meantime. One refusal ends
the vote.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.clocks import game_clock
from games.log.pace_proposals import (
    PACES,
    PaceProposal,
    open_pace_proposal,
    open_pace_votes,
    pace_kinds,
    pace_voters,
    paces_open,
)
from games.log.rulings import Ruling
from games.models import Game, Seat, Vote
from games.notifications import notify
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.play.seats.seat_reservations import reserve_again
from games.players.admission import lock_admitted_user
from games.refusals import (
    BotIsPlaying,
    NotSeated,
    NotYourDecision,
    PaceProposedRecently,
    ProposalChanged,
    SamePace,
)

# For this time after a refusal the same player may not propose again.
PROPOSAL_COOLDOWN: Final = timedelta(minutes=5)

_CLOCK_COLUMNS: Final = [
    "seconds_per_move", "time_bank", "time_bank_cap", "deadline", "time_left", "clock_zone",
]  # fmt: skip


@transaction.atomic
def propose_pace(*, game_id: int, by: User, pace: str) -> None:
    """Propose to play on at a pace of PACES; proposing what is already proposed is agreeing to it.

    Raises NotYourDecision once the game is over, NotSeated or BotIsPlaying if the user may not vote,
    SamePace, ProposalChanged while another pace is proposed, and PaceProposedRecently.
    """
    game, seats, seat = _begin(game_id, by)
    if pace not in paces_open(game):
        raise SamePace
    found = open_pace_proposal(game, seats)
    if found is not None and found.pace != pace:
        raise ProposalChanged
    if found is not None:
        _agree(game, seats, seat, found, by)
        return
    if was_refused_lately(game, seat):
        raise PaceProposedRecently
    _add(game, seat, pace)
    enter_ruling(game, Ruling("proposes", seat.number, what=_what(pace)), seat=seat.number, by=by)
    others = [other.user_id for other in pace_voters(seats) if other != seat and other.user_id is not None]
    notify.notify_proposal(game, others, by)
    settle_vote(game, seats)


@transaction.atomic
def vote_on_pace(*, game_id: int, by: User, pace: str, yes: bool) -> None:
    """Agree to the proposed pace, refuse it, or withdraw it if it is the user's own.

    Refusing or withdrawing ends the vote; the same answer again changes nothing. Raises NotYourDecision once
    the game is over, NotSeated or BotIsPlaying if the user may not vote, and ProposalChanged if this is not
    proposed any more.
    """
    game, seats, seat = _begin(game_id, by)
    found = open_pace_proposal(game, seats)
    if found is None or found.pace != pace:
        raise ProposalChanged
    if yes:
        _agree(game, seats, seat, found, by)
        return
    said = "withdraws" if seat.number == found.seat else "refuses"
    _close(game)
    enter_ruling(game, Ruling(said, seat.number, what=_what(pace)), seat=seat.number, by=by)


def was_refused_lately(game: Game, seat: Seat) -> bool:
    """Return whether a pace proposal of this seat failed within the last `PROPOSAL_COOLDOWN`."""
    since = timezone.now() - PROPOSAL_COOLDOWN
    closed = game.votes.filter(what__in=pace_kinds(), closed__gt=since).order_by("closed", "pk")
    first = {vote.closed: vote.seat for vote in reversed(closed)}
    return seat.number in first.values()


def settle_vote(game: Game, seats: Sequence[Seat]) -> None:
    """Change the pace of a locked game if all voters agree; close the vote if its proposer plays no more.

    Does nothing in a paused game: its votes are counted when it is resumed.
    """
    found = open_pace_proposal(game, seats) if game.is_running and game.paused is None else None
    if found is None:
        return
    if found.seat not in found.agreed:
        _close(game)
    elif not found.missing:
        # The log tells of the vote; kept, it would count as refused.
        open_pace_votes(game).delete()
        notify.drop_pace_proposal(game)
        _change(game, seats, found.pace)


def _close(game: Game) -> None:
    """Close the open vote of a locked game, and drop its notifications."""
    open_pace_votes(game).update(closed=timezone.now())
    notify.drop_pace_proposal(game)


def _change(game: Game, seats: Sequence[Seat], name: str) -> None:
    """Let a locked game go on at this pace, and enter that into the log.

    Time banks are kept while a game is played by mail, so that nobody loses what was left of them. What was
    left of a move in a live game without time banks is no time bank. When a live game goes on by mail, seats
    that are kept for their players are kept for as long as by mail, and the players are notified.
    """
    was_live = game.is_live
    pace = PACES[name]
    game_clock.stop_clock(game, list(seats), answered=None)
    if was_live and game.time_bank is None:
        _forget_time_left(seats)
    game.seconds_per_move, game.time_bank, game.time_bank_cap = pace.seconds, pace.bank, pace.bank
    if pace.bank is not None:
        for seat in seats:
            _fit_bank(game, seat)
    asked = next((seat for seat in seats if seat.number == game.seat_to_move), None)
    if asked is not None and game.waiting_for_id is not None:
        if asked.replacement_vote_open:
            # With the full time of the new pace the player is not late any more.
            asked.replacement_vote_open = False
            asked.save(update_fields=["replacement_vote_open"])
        game_clock.start_clock(game, asked)
    game.save(update_fields=_CLOCK_COLUMNS)
    kept = reserve_again(game, seats) if was_live and not game.is_live else []
    enter_ruling(game, Ruling("paces", name=name))
    notify.notify_kept_by_mail(game, [seat.user_id for seat in kept if seat.user_id is not None], name)


def _forget_time_left(seats: Sequence[Seat]) -> None:
    """Forget what players had left of their move when they left a live game without time banks."""
    for seat in seats:
        if seat.time_bank_left is not None:
            seat.time_bank_left = None
            seat.save(update_fields=["time_bank_left"])


def _fit_bank(game: Game, seat: Seat) -> None:
    """Give a seat at least the time of one move, and no more than its time bank may hold."""
    if seat.time_bank_left is None:
        return
    least = max(seat.time_bank_left, game_clock.time_per_move(game))
    seat.time_bank_left = game_clock.cap_to_bank(game, least)
    seat.save(update_fields=["time_bank_left"])


def _begin(game_id: int, by: User) -> tuple[Game, list[Seat], Seat]:
    lock_admitted_user(by)
    game = lock_game(game_id)
    if not game.is_running or game.is_practice:
        raise NotYourDecision
    seats = list(game.seats.select_related("user"))
    seat = next((seat for seat in seats if seat.user_id == by.pk), None)
    if seat is None or seat.concession_order is not None:
        raise NotSeated
    if seat not in pace_voters(seats):
        raise BotIsPlaying
    return game, seats, seat


def _agree(game: Game, seats: Sequence[Seat], seat: Seat, found: PaceProposal, by: User) -> None:
    if seat.number in found.agreed:
        return
    _add(game, seat, found.pace)
    enter_ruling(game, Ruling("agrees", seat.number, what=_what(found.pace)), seat=seat.number, by=by)
    notify.drop_pace_proposal(game, by)
    settle_vote(game, seats)


def _add(game: Game, seat: Seat, pace: str) -> None:
    Vote.objects.create(game=game, what=_what(pace), seat=seat.number, yes=True, version=game.version)


def _what(pace: str) -> str:
    return str(Ruling("paces", name=pace))
