"""Names of games in cases: their players, since nobody knows an id."""

from collections import defaultdict
from collections.abc import Collection

from games.models import Game, Seat


def people_by_game(keys: Collection[int]) -> dict[int, str]:
    """The names of the players of these games, in the order of the seats; not of games that are not shown."""
    names: dict[int, list[str]] = defaultdict(list)
    shown = Game.objects.filter(pk__in=keys).order_by().values("pk")
    for seat in Seat.objects.filter(game__in=shown).select_related("user").order_by("game", "number"):
        names[seat.game_id].append(seat.name)
    return {key: ", ".join(told) for key, told in names.items()}
