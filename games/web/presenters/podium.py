"""The final places of a game, the first three of which stand on a podium."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.standings import Place, team_places
from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """The final place of a seat or a team: its rank, name, initial and score in words.

    A team has the colour of its first seat.
    """

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
    if people.teams:
        return _team_places(places, people, score)
    return tuple(_final_place(place, people, score(place[2])) for place in places)


def _team_places(
    places: Sequence[Place], people: TablePeople, score: Callable[[int], str]
) -> tuple[FinalPlace, ...]:
    return tuple(
        FinalPlace(
            rank=place.rank,
            seat=people.teams[place.team][0],
            name=people.partners(place.team),
            initial=str(place.team + 1),
            me=people.reader in people.teams[place.team],
            computer=False,
            score=score(place.points),
        )
        for place in team_places(places, people.teams)
    )


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
