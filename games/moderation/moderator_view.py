"""One game as those see it who look after the site: all that is public, and what went on around it.

Hands, bag and seed are not among it, as the table is that of a spectator.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch
from django.utils import timezone

from games.clocks.vacations import with_vacations
from games.log.handovers import handovers
from games.log.positions import taken_back
from games.models import BotFailure, ChatMessage, Game, Notification, Seat
from games.play.game_view import GameView

# Of each kind the latest are shown; the lists of the admin have the rest.
LISTED = 20
LINES = 100


@dataclass(frozen=True)
class ModeratorContext:
    """What went on around a game, the latest first; nothing of it is for whoever plays in it."""

    lines: list[ChatMessage]
    notifications: list[Notification]
    failures: list[BotFailure]


def spectated(game: Game) -> GameView:
    """A game as any spectator sees it, with its whole log; `seen` is None before the deal.

    It is also None when the position cannot be read, as this page is where such a game is looked after.
    """
    seated = Prefetch("seats", with_vacations(Seat.objects.select_related("user"), timezone.now()))
    secret = Game.all_games.defer(None).prefetch_related(seated).get(pk=game.pk)
    seats, entries = list(secret.seats.all()), list(secret.moves.all())
    try:
        gone, before = frozenset(taken_back(entries)), handovers(entries)
    except ValueError:  # an entry that is no ruling
        gone, before = frozenset(), ()
    return GameView(secret, seats, None, _seen(secret), entries, gone, before)


def _seen(game: Game) -> Any:
    if game.state is None:
        return None
    try:
        state = game.rule_system.state_from_json(game.state)
        return game.rule_system.observe(state, None, ended=game.ending)
    except Exception:  # the doctor says more, in words that tell nothing secret
        return None


def moderator_context(game: Game) -> ModeratorContext:
    """What went on around a game: the talk with what was taken away, what people were told, what failed."""
    lines = game.lines.select_related("user").order_by("-pk")[:LINES]
    told = game.notifications.select_related("user", "endpoint").order_by("-made", "-pk")[:LISTED]
    failed = BotFailure.objects.filter(game=game).order_by("-last")[:LISTED]
    return ModeratorContext(list(lines), list(told), list(failed))
