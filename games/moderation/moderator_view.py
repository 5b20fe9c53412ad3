"""The view of a game for moderators: everything public, and its context.

It shows the table as a spectator sees it, without hands, bag and seed.
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

# Limit of rows of each kind; the admin's lists have the rest.
LISTED = 20
LINES = 100


@dataclass(frozen=True)
class ModeratorContext:
    """The chat, notifications and bot failures of a game, the latest first; hidden from players."""

    lines: list[ChatMessage]
    notifications: list[Notification]
    failures: list[BotFailure]


def spectated(game: Game) -> GameView:
    """Return the game as a spectator sees it, with its whole log.

    `seen` is None before the deal, and if the position is broken: moderators must be able to open such a
    game.
    """
    seated = Prefetch("seats", with_vacations(Seat.objects.select_related("user"), timezone.now()))
    secret = Game.all_games.defer(None).prefetch_related(seated).get(pk=game.pk)
    seats, entries = list(secret.seats.all()), list(secret.moves.all())
    try:
        gone, before = frozenset(taken_back(entries)), handovers(entries)
    except ValueError:  # an entry that is not a valid ruling
        gone, before = frozenset(), ()
    return GameView(secret, seats, None, _seen(secret), entries, gone, before)


def _seen(game: Game) -> Any:
    if game.state is None:
        return None
    try:
        state = game.rule_system.state_from_json(game.state)
        return game.rule_system.observe(state, None, ended=game.ending)
    except Exception:  # the command doctor reports details without secrets
        return None


def moderator_context(game: Game) -> ModeratorContext:
    """Load the chat with removed messages, the notifications and the bot failures of a game."""
    lines = game.lines.select_related("user").order_by("-pk")[:LINES]
    told = game.notifications.select_related("user", "endpoint").order_by("-made", "-pk")[:LISTED]
    failed = BotFailure.objects.filter(game=game).order_by("-last")[:LISTED]
    return ModeratorContext(list(lines), list(told), list(failed))
