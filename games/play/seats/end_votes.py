"""End proposals: one player proposes to end the game early, and it ends once all voters agree.

The game goes on in the meantime, and the standings at the last agreement count. A player who has agreed may
change the answer until then. One rejection ends the vote.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import User
from games.log.end_proposals import (
    ENDINGS,
    EndProposal,
    endings_open,
    open_proposal,
    open_votes,
    proposal_kinds,
    voters,
)
from games.log.pace_proposals import pace_kinds
from games.log.rulings import Ruling
from games.models import Game, Seat, Vote
from games.notifications import notify
from games.play.game_columns import set_end
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.players.admission import lock_admitted_user
from games.refusals import (
    BotIsPlaying,
    NotEndedUnrated,
    NotSeated,
    NotYourDecision,
    ProposalChanged,
    ProposedRecently,
)

# For this time after a rejection the same player may not propose again.
PROPOSAL_COOLDOWN: Final = timedelta(days=1)


@transaction.atomic
def propose_end(*, game_id: int, by: User, kind: str) -> None:
    """Propose to end a game with the standings as they are ("standings") or without a result ("none").

    A player or a team left alone with computers can also end it with the standings, but unrated ("unrated").
    Proposing what is already proposed is agreeing to it. Raises NotYourDecision once the game is over,
    NotSeated or BotIsPlaying if the user may not vote, NotEndedUnrated, ProposalChanged while something else
    is proposed, and ProposedRecently.
    """
    game, seats, seat = _begin(game_id, by, kind)
    if kind not in endings_open(game, seats):
        raise NotEndedUnrated
    found = open_proposal(game, seats)
    if found is not None and found.kind != kind:
        raise ProposalChanged
    if found is not None:
        _agree(game, seats, seat, found, by)
        return
    others = [other.user_id for other in voters(seats, kind) if other != seat and other.user_id is not None]
    if _may_not_ask(game, seat, kind, others):
        raise ProposedRecently
    _add(game, seat, kind)
    enter_ruling(game, Ruling("proposes", seat.number, what=str(Ruling(kind))), seat=seat.number, by=by)
    notify.notify_proposal(game, others, by)
    settle_vote(game, seats)


@transaction.atomic
def vote_on_end(*, game_id: int, by: User, kind: str, yes: bool) -> None:
    """Agree to the proposal of this kind, reject it, or withdraw it if it is the user's own.

    Rejecting or withdrawing ends the vote; the same answer again changes nothing. Raises NotYourDecision once
    the game is over, NotSeated or BotIsPlaying if the user may not vote, ProposalChanged if this is not
    proposed any more, and NotEndedUnrated for an agreement that comes too late.
    """
    game, seats, seat = _begin(game_id, by, kind)
    found = open_proposal(game, seats)
    if found is None or found.kind != kind:
        raise ProposalChanged
    if yes:
        # Partners who play on must not wait with their agreement until they know who wins.
        if kind not in endings_open(game, seats):
            raise NotEndedUnrated
        _agree(game, seats, seat, found, by)
        return
    said = "withdraws" if seat.number == found.seat else "refuses"
    what = str(Ruling(kind))
    if said == "refuses":
        facts = {"yes": False, "version": game.version}
        Vote.objects.update_or_create(facts, game=game, what=what, seat=seat.number, closed=None)
    close(game)
    enter_ruling(game, Ruling(said, seat.number, what=what), seat=seat.number, by=by)


def was_refused_lately(game: Game, seat: Seat, kinds: Collection[str] | None = None) -> bool:
    """Return whether an end proposal of this seat failed within the last `PROPOSAL_COOLDOWN`.

    Of any of the `proposal_kinds`, or of these.
    """
    since = timezone.now() - PROPOSAL_COOLDOWN
    asked = proposal_kinds() if kinds is None else kinds
    mine = game.votes.filter(what__in=asked, seat=seat.number, yes=True, closed__gt=since)
    return any(_proposed(game, mine_closed) for mine_closed in mine)


def settle_vote(game: Game, seats: Sequence[Seat]) -> None:
    """End a locked game if all voters agree; close a vote that its proposer dropped, or that is too late.

    Does nothing in a paused game: its votes are counted when it is resumed.
    """
    found = open_proposal(game, seats)
    if found is None or not game.is_running or game.paused is not None:
        return
    if found.seat not in found.agreed or found.kind not in endings_open(game, seats):
        close(game)
    elif not found.missing:
        set_end(game, ENDINGS[found.kind])
        enter_ruling(game, Ruling(found.kind))


def waiting_for_lapsed(now: datetime) -> list[int]:
    """The games in which a seat is kept for its player no longer, who had a vote on the end until then."""
    of_game = {"game": OuterRef("pk")}
    kinds = [str(Ruling("none")), str(Ruling("unrated"))]
    proposed = Vote.objects.filter(what__in=kinds, closed=None, **of_game)
    lapsed = Seat.objects.filter(reserved_until__lte=now, replaced_at__isnull=False, **of_game)
    found = Game.objects.filter(Exists(proposed), Exists(lapsed), status=Game.Status.RUNNING, paused=None)
    return list(found.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def settle_lapsed(*, game_id: int) -> None:
    """End a game if all agree who still vote on it."""
    game = lock_game(game_id)
    settle_vote(game, list(game.seats.select_related("user")))


def close(game: Game) -> None:
    """Close the open vote of a locked game, if any, and drop its notifications."""
    open_votes(game).update(closed=timezone.now())
    notify.drop_proposal(game)


def forget_votes_of_seat(game: Game, seat: Seat) -> None:
    """Delete the votes of a seat of a locked game whose holder changes.

    If the seat made the proposal, all answers to it are deleted too. That includes proposals of a pace.
    """
    proposals = [*proposal_kinds(), *pace_kinds()]
    for vote in game.votes.filter(seat=seat.number):
        same = game.votes.filter(what=vote.what, closed=vote.closed)
        if vote.what in proposals and _proposed(game, vote):
            if vote.closed is None and vote.what in proposal_kinds():
                notify.drop_proposal(game)
            elif vote.closed is None:
                notify.drop_pace_proposal(game)
        else:
            same = same.filter(seat=seat.number)
        same.delete()


def _may_not_ask(game: Game, seat: Seat, kind: str, others: Collection[int]) -> bool:
    """Return whether the others refused this seat lately; who is left alone can always end a game unrated.

    Opponents who have left do not keep partners from agreeing to that.
    """
    if kind != "unrated":
        return was_refused_lately(game, seat)
    return bool(others) and was_refused_lately(game, seat, [str(Ruling(kind))])


def _begin(game_id: int, by: User, kind: str) -> tuple[Game, list[Seat], Seat]:
    lock_admitted_user(by)
    game = lock_game(game_id)
    if not game.is_running:
        raise NotYourDecision
    seats = list(game.seats.select_related("user"))
    seat = next((seat for seat in seats if seat.user_id == by.pk), None)
    if seat is None or seat.concession_order is not None:
        raise NotSeated
    if seat not in voters(seats, kind):
        raise BotIsPlaying
    return game, seats, seat


def _agree(game: Game, seats: Sequence[Seat], seat: Seat, found: EndProposal, by: User) -> None:
    if seat.number in found.agreed:
        return
    _add(game, seat, found.kind)
    what = str(Ruling(found.kind))
    enter_ruling(game, Ruling("agrees", seat.number, what=what), seat=seat.number, by=by)
    notify.drop_proposal(game, by)
    settle_vote(game, seats)


def _add(game: Game, seat: Seat, kind: str) -> None:
    what = str(Ruling(kind))
    Vote.objects.create(game=game, what=what, seat=seat.number, yes=True, version=game.version)


def _proposed(game: Game, vote: Vote) -> bool:
    """Return whether a vote is the first about its proposal, which is the proposer's own."""
    same = game.votes.filter(what=vote.what, closed=vote.closed).order_by("pk")
    return same.values_list("pk", flat=True).first() == vote.pk
