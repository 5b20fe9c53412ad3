"""How much one person may have on the site at once."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import SiteSwitch, User
from accounts.operator import site_switches
from games.models import Game, Invitation, LogEntry, Seat
from games.refusals import NewGamesClosed, TooManyGames, TooManyInvitations, TooManyMoves

MAX_UNFINISHED_GAMES = 20
MAX_INVITATIONS_PER_DAY = 40
# From one game before it starts, until its host asks the user back.
MAX_DEPARTURES = 3
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def check_games(user: User) -> None:
    """Raise TooManyGames unless the user, who is locked, may take one more seat.

    The lock matters: two requests at once must not both see room for one more.
    """
    if is_at_game_limit(user):
        raise TooManyGames(MAX_UNFINISHED_GAMES)


def check_new_games() -> None:
    """Raise GamesClosed while no new games are to be opened on the site."""
    if site_switches.is_on(SiteSwitch.Kind.GAMES):
        raise NewGamesClosed


def is_at_game_limit(user: User) -> bool:
    """Whether the user has as many unfinished games as one may."""
    return bool(with_unfinished(User.objects.filter(pk=user.pk)).get().unfinished >= MAX_UNFINISHED_GAMES)


def with_unfinished(users: QuerySet[User]) -> Any:
    """The users, each with the number of `unfinished` games.

    Those that wait for players count, and the user's practice tables; those that the user gave up, or a
    moderator has deleted, do not.
    """
    seats = Seat.objects.filter(user=OuterRef("pk"), ended=None, concession_order=None, game__deleted=None)
    tables = Game.all_games.filter(host=OuterRef("pk"), is_practice=True, finished=None, deleted=None)
    return users.annotate(unfinished=_number(seats, "user") + _number(tables, "host"))


def _number(rows: QuerySet[Any], owner: str) -> Coalesce:
    counted = rows.order_by().values(owner).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def check_invitations(user: User) -> None:
    """Raise TooManyInvitations unless the user, who is locked, may send one more today."""
    since = timezone.now() - DAY
    sent = Invitation.objects.filter(invited_by=user, made__gt=since).order_by("-made")
    made = list(sent.values_list("made", flat=True)[:MAX_INVITATIONS_PER_DAY])
    if len(made) == MAX_INVITATIONS_PER_DAY:
        raise TooManyInvitations(MAX_INVITATIONS_PER_DAY, made[-1] - since)


def check_moves(user: User) -> None:
    """Raise TooFast unless the user, who is locked, may make one more move now.

    Whatever else a person enters into a log by hand counts as a move: votes, or a step that is taken back.
    What is made for the user without asking, by an order, a plan or the clock, is not counted, nor what seems
    to come later: the server's clock was set back since, which is nobody's haste.
    """
    now = timezone.now()
    since = now - MINUTE
    by_hand = LogEntry.objects.filter(user=user, origin="", created_at__gt=since, created_at__lte=now)
    made = list(
        by_hand.order_by("-created_at").values_list("created_at", flat=True)[: settings.MOVES_PER_MINUTE]
    )
    if len(made) == settings.MOVES_PER_MINUTE:
        raise TooManyMoves(made[-1] - since)
