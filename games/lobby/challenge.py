"""Challenges: a new game to which a member is invited at once."""

from django.db import transaction

from accounts.models import User
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite
from games.models import Game


@transaction.atomic
def challenge(*, member: User, host: User, terms: GameTerms) -> Game:
    """Open a game on these terms, invite the member, and return it; if one of the two fails, neither is done.

    Raises what `create_game` and `invite` raise.
    """
    game = create_game(host=host, terms=terms)
    invite(game_id=game.pk, user=member, by=host)
    return game
