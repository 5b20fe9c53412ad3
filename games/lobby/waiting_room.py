"""A game before its start, as one user may see it."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404

from accounts.models import User
from accounts.refusals import Refusal
from games.clocks.on_time_rate import shares_in_time
from games.lobby.join_check import reason_against
from games.models import OVERALL, TEAM_GAMES, Game, Invitation, NewGameDefaults, Seat
from games.ratings.leaderboards import Rated, rated_among


@dataclass(frozen=True)
class WaitingRoom:
    """A game that waits for players, or never started, for one viewer.

    `me` is the viewer's seat. `against` is why the viewer cannot sit down, also None for visitors, who must
    log in first. `invitation` is the viewer's pending one; `invitations` are all of the game, for its host
    only; show an address in them only to the user who invited it. `in_time` holds the on-time rates of the
    users at the table, where known, and `rated` their ratings, if they have any. `missed_check` tells whether
    the viewer lost the seat by not answering the ready check.
    """

    game: Game
    seats: list[Seat]
    me: Seat | None
    is_host: bool
    against: Refusal | None
    invitation: Invitation | None
    invitations: list[Invitation]
    in_time: dict[int, int | None]
    rated: dict[int, Rated]
    missed_check: bool


def room(public_id: str, user: Any, code: str = "") -> WaitingRoom:
    """The waiting room of a game for this user, who came by a link with `code`, if any.

    Raises Http404 if there is no game of this id, and once it is dealt.
    """
    game = Game.objects.select_related("host").filter(public_id=public_id, state__isnull=True).first()
    if game is None:
        raise Http404
    seats = list(game.seats.select_related("user"))
    me = next((seat for seat in seats if seat.user_id is not None and seat.user_id == user.pk), None)
    is_host = game.is_open and game.host_id == user.pk
    return WaitingRoom(
        game=game,
        seats=seats,
        me=me,
        is_host=is_host,
        against=None if me or not user.is_authenticated else reason_against(game, user, code),
        invitation=None if me else _unanswered(game, user, code),
        in_time=shares_in_time(seat.user_id for seat in seats if seat.user_id),
        rated=rated_among(
            game.system,
            [seat.user_id for seat in seats if seat.user_id],
            TEAM_GAMES if game.teams else OVERALL,
        ),
        missed_check=me is None
        and game.departures.filter(user=user.pk, user__isnull=False, missed_ready_check=True).exists(),
        invitations=list(game.invitations.select_related("user")) if is_host else [],
    )


def _unanswered(game: Game, user: Any, code: str) -> Invitation | None:
    theirs = Q(user=user.pk, user__isnull=False)
    if code:
        theirs |= Q(code=code, user=None)
    found = game.invitations.filter(theirs, state=Invitation.State.PENDING)
    return found.select_related("invited_by").first()


def game_by_invite_code(code: str) -> Game:
    """Return the game of an invite link; raise Http404 if there is none."""
    game = Game.objects.filter(Q(invite_code=code) | Q(pk__in=_games_asked_to(code))).first()
    if game is None:
        raise Http404
    return game


def is_seated(game: Game, user: Any) -> bool:
    """Return whether the user, who may be a visitor, has a seat in the game."""
    return bool(user.is_authenticated) and game.seats.filter(user=user).exists()


def _games_asked_to(code: str) -> Any:
    return Invitation.objects.filter(code=code).values("game")


def last_choices(user: User) -> dict[str, Any]:
    """The user's choices for the last new game, by form field; empty before the first."""
    kept = NewGameDefaults.objects.filter(user=user).first()
    return kept.new_game if kept else {}
