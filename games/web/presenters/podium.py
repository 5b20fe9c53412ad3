"""The final places of a game, the first three of which stand on a podium."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.standings import Place
from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A seat's final place: its rank, name, initial and score in words."""

    rank: int
    seat: int
    name: str
    initial: str
    me: bool
    computer: bool
    score: str


def podium(
    places: Sequence[Place], people: TablePeople, score: Callable[[int], str]
) -> tuple[FinalPlace, ...]:
    """The places, the winner first; `score` words the points of a place."""
    return tuple(_final_place(place, people, score(place[2])) for place in places)


def _final_place(place: Place, people: TablePeople, score: str) -> FinalPlace:
    rank, seat, _points = place
    is_reader = seat == people.reader
    name = people[seat].name
    return FinalPlace(
        rank=rank,
        seat=seat,
        name=people.at_the_end(seat, _("you") if is_reader else name),
        initial=name[:1].upper(),
        me=is_reader,
        computer=people[seat].is_machine,
        score=score,
    )
