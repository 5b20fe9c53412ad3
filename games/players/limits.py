"""Limits of what one user may have or do on the site."""

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
# From one open game; after that only an invitation lets the user back.
MAX_DEPARTURES = 3
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def check_games(user: User) -> None:
    """Raise TooManyGames unless the user, who is locked, may take one more seat.

    Without the lock, two requests at once could both stay within the limit.
    """
    if is_at_game_limit(user):
        raise TooManyGames(MAX_UNFINISHED_GAMES)


def check_new_games() -> None:
    """Raise NewGamesClosed while no new games may be opened on the site."""
    if site_switches.is_on(SiteSwitch.Kind.GAMES):
        raise NewGamesClosed


def is_at_game_limit(user: User) -> bool:
    """Return whether the user has reached the limit of unfinished games."""
    return bool(with_unfinished(User.objects.filter(pk=user.pk)).get().unfinished >= MAX_UNFINISHED_GAMES)


def with_unfinished(users: QuerySet[User]) -> Any:
    """Annotate the users with the number of `unfinished` games.

    Open games and the user's practice tables count; conceded games and those deleted by a moderator do not.
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
    """Raise TooManyMoves unless the user, who is locked, may make one more move now.

    Votes and takebacks count as moves. Automatic moves do not count, nor entries that lie in the future
    because the server's clock was set back since.
    """
    now = timezone.now()
    since = now - MINUTE
    by_hand = LogEntry.objects.filter(user=user, origin="", created_at__gt=since, created_at__lte=now)
    made = list(
        by_hand.order_by("-created_at").values_list("created_at", flat=True)[: settings.MOVES_PER_MINUTE]
    )
    if len(made) == settings.MOVES_PER_MINUTE:
        raise TooManyMoves(made[-1] - since)
