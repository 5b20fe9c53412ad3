"""The panel of players: materials, buildings and reserves."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL
from games.log.standings import Place, rank_with_concessions
from games.models import Game
from games.web.presenters.acquisition.material_names import Material, material
from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class Player:
    """A player's line; `leads` marks winners if the game ended now, `rank` is by the buildings."""

    name: str
    material: Material
    computer: bool
    level: str
    me: bool
    to_decide: bool
    leads: bool
    rank: int
    large: int
    medium: int
    small: int
    reserve: int


def scores(seen: Observation) -> list[tuple[int, int, int]]:
    """Large, medium and small buildings by seat; scores compare in this order."""
    sizes = seen.buildings
    return [(sizes[LARGE][seat], sizes[MEDIUM][seat], sizes[SMALL][seat]) for seat in range(seen.seats)]


def places(seen: Observation, people: TablePeople) -> list[Place]:
    """Rank, seat and large buildings if the game ended now, the winner first.

    Empty for a finished game without a result.
    """
    if seen.ended == Game.Ending.NONE:
        return []
    reached = scores(seen)
    order = sorted(range(seen.seats), key=reached.__getitem__, reverse=True)
    by_rules = [
        (1 + sum(other > reached[seat] for other in reached), seat, reached[seat][0]) for seat in order
    ]
    return rank_with_concessions(by_rules, people.conceded)


def players(seen: Observation, people: TablePeople) -> list[Player]:
    """The lines in the order of the seats."""
    return [_player(seen, people, seat) for seat in range(seen.seats)]


def standings(seen: Observation, people: TablePeople) -> list[Player]:
    """The lines of a finished game, the winner first; empty before the end and without a result."""
    if not seen.ended:
        return []
    lines = players(seen, people)
    return [
        replace(lines[seat], rank=rank, name=people.at_the_end(seat, lines[seat].name))
        for rank, seat, _large in places(seen, people)
    ]


def _player(seen: Observation, people: TablePeople, seat: int) -> Player:
    reached = scores(seen)
    rank = 1 + sum(other > reached[seat] for other in reached)
    large, medium, small = reached[seat]
    return Player(
        name=_("you") if seat == people.reader else people[seat].name,
        material=material(seat),
        computer=people[seat].is_machine,
        level=people[seat].level,
        me=seat == people.reader,
        to_decide=not seen.ended and seat == seen.decision.seat,
        leads=rank == 1 and large > 0,
        rank=rank,
        large=large,
        medium=medium,
        small=small,
        reserve=seen.reserve[seat],
    )
