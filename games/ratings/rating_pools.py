"""Which rating of a member belongs to a game, for queries."""

from typing import Final

from django.db.models import Case, IntegerField, Q, Value, When

from games.models import OVERALL, TEAM_GAMES

_TEAMS: Final = "options__teams"


def is_team_game(game: str = "") -> Q:
    """The condition that a game is played in teams; `game` is the path to it, "" for queries of games."""
    option = f"{game}__{_TEAMS}" if game else _TEAMS
    return Q(**{f"{option}__isnull": False}) & ~Q(**{option: "none"})


def rating_pool(game: str = "") -> Case:
    """The `players` of the ratings that are shown with a game: those of team games or the overall ones."""
    return Case(
        When(is_team_game(game), then=Value(TEAM_GAMES)),
        default=Value(OVERALL),
        output_field=IntegerField(),
    )
