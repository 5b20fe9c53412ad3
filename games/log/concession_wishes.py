"""Wishes of players that their team concedes. They are votes, but no rulings, so they appear in no log."""

from typing import Final

from games.models import Game

WISH: Final = "concede"


def wishes(game: Game) -> set[int]:
    """The seats whose players want their team to concede; show them to their partners alone."""
    return set(game.votes.filter(what=WISH, closed=None).values_list("seat", flat=True))
