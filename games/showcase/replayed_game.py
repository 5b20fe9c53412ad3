"""Finished public games that anybody may replay."""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from games.play.game_view import GameView, game_view
from games.puzzles.shown_puzzles import public_games


def check_replayable(public_id: str) -> None:
    """Raise Http404 unless the game is public and over, and nobody can reopen it any more."""
    if not public_games().filter(public_id=public_id).exists():
        raise Http404


def replayed_game(public_id: str) -> GameView:
    """Return the whole game for a spectator. Raises Http404 as `check_replayable` does."""
    check_replayable(public_id)
    found = game_view(public_id, AnonymousUser(), whole_log=True)
    if found is None or not found.game.is_finished:
        raise Http404
    return found
