"""Locks of games that are to be changed."""

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from games.models import Game
from games.models.playable_systems import withheld_systems
from games.refusals import Deleted, Paused, PausedByModerator

Found = TypeVar("Found")


def lock_game(game_id: int) -> Game:
    """Lock the game until the transaction ends and return it with its secrets.

    Lock the user first. Raises Deleted, PausedByModerator, or Paused if the game or its rule system is
    paused. On SQLite the transaction itself is the lock, because it begins by locking the database.
    """
    game = lock_paused_game(game_id)
    if game.deleted is not None:
        raise Deleted
    if game.held_at is not None:
        raise PausedByModerator
    if game.paused is not None or game.system in withheld_systems():
        raise Paused
    return game


def lock_paused_game(game_id: int) -> Game:
    """Lock the game like `lock_game`, even if it is paused or deleted."""
    game = Game.all_games.defer(None).select_for_update(no_key=True).get(pk=game_id)
    game.locked_at_version = game.version
    return game


def while_locked(game: Game, look: Callable[[Game], Found]) -> Found:
    """Return what `look` finds in the game as it is now, while nobody can change it."""
    alias = game._state.db
    with transaction.atomic(using=alias):
        return look(Game.all_games.using(alias).defer(None).select_for_update(no_key=True).get(pk=game.pk))
