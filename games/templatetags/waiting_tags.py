"""The number of games that wait for the reader, for the header of every page."""

from typing import Any

from django import template

from games.lobby.game_lists import waits_for
from games.models import Game

register = template.Library()


@register.simple_tag(takes_context=True)
def waiting_elsewhere(context: template.Context) -> Any:
    """The number of games that wait for the reader, besides the game that the page shows, if any."""
    number: Any = context.get("waiting_count", 0)
    game = context.get("game")
    # The number is lazy, and such a number can only be added to.
    is_this_game = isinstance(game, Game) and waits_for(game, context["user"])
    return number + -1 if is_this_game else number
