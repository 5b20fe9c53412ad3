"""Finished games that are played on from an earlier position."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from accounts.models import User
from accounts.models.sanction import NO_END
from games.log.positions import redeal_hash
from games.log.rulings import Ruling
from games.models import Game, LogEntry, Redeal, Seat
from games.play.seats.seat_handover import hand_over_seat


def run_again(game: Game) -> None:
    """Set the columns of a locked finished game that runs again; does not save it, nor set its position."""
    game.status, game.finished = Game.Status.RUNNING, None
    game.ending, game.ended_by_moderator = Game.Ending.RULES, False
    game.seats.update(ended=None)


def must_be_redealt(game: Game, entries: Sequence[LogEntry], to: int) -> bool:
    """Return whether everybody has seen what was hidden after entry `to`, so that it must be dealt again.

    An end shows it, also if the game went on from a redeal after that entry.
    """
    if not game.rule_system.HAS_HIDDEN_INFORMATION:
        return False
    return game.is_finished or any(entry.number > to and redeal_hash(entry) for entry in entries)


def redeal(game: Game, state: Any, to: int, seed: bytes) -> Ruling:
    """Deal again what is hidden in the state after entry `to`, for the next entry of the log.

    Stores the seed and returns the ruling, which tells its hash.
    """
    system = game.rule_system
    system.redeal(state, seed)
    Redeal.objects.create(game=game, number=game.version + 1, seed=seed)
    return Ruling("redeals", to, seed_hash=system.seed_hash(seed))


def lock_players(game_id: int) -> None:
    """Lock the accounts of all players, so that none leaves the site. Call it before locking the game."""
    seated = Seat.objects.filter(game=game_id, user__isnull=False).values("user")
    list(User.objects.select_for_update(no_key=True).filter(pk__in=seated).order_by("pk").values("pk"))


def replace_departed(game: Game) -> None:
    """Give the seats of members who left the site, or were banned, since the end of the game to bots."""
    banned = Q(suspended_until__gte=NO_END) | Q(program__owner__suspended_until__gte=NO_END)
    departed = User.objects.filter(Q(is_active=False) | banned, seats__game=game)
    for user in departed.order_by("seats__number"):
        hand_over_seat(game_id=game.pk, user=user)
