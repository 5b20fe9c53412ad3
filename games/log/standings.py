"""The final standings of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.models import Game, Seat

# Rank, seat and score, by the rules of the game.
Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """A team's rank, its number from 0, and the sum of its points."""

    rank: int
    team: int
    points: int


def team_places(places: Sequence[Place], teams: Sequence[Sequence[int]]) -> list[TeamPlace]:
    """The places of the teams, in the order of their seats' places."""
    known = {seat: (rank, points) for rank, seat, points in places}
    order = {seat: at for at, (_, seat, _points) in enumerate(places)}
    found = [
        TeamPlace(known[seats[0]][0], team, sum(known[seat][1] for seat in seats))
        for team, seats in enumerate(teams)
        if places
    ]
    return sorted(found, key=lambda place: min(order[seat] for seat in teams[place.team]))


def standings(game: Game, seats: Sequence[Seat]) -> list[Place]:
    """The final places of a game with its state, the winner first; empty if it ended without a result."""
    if not game.is_finished or game.ending == Game.Ending.NONE:
        return []
    system = game.rule_system
    conceded = {seat.number: seat.concession_order for seat in seats if seat.concession_order is not None}
    places = system.standings(system.state_from_json(game.state))
    return rank_with_concessions(places, conceded, system.teams(game.rules, len(seats)))


def has_result(game: Game, seat: Seat) -> bool:
    """Return whether the place of this seat in a finished game counts as a result of its person.

    It does not if the players who were left ended the game unrated while a bot played for this person.
    """
    return game.ending != Game.Ending.UNRATED or not seat.can_be_reclaimed


def rank_with_concessions(
    places: Sequence[Place], conceded: Mapping[int, int], teams: Sequence[Sequence[int]] = ()
) -> list[Place]:
    """The places with conceded seats below all others, the first to concede last.

    `places` are those by the rules, the winner first; `conceded` maps seats to the order of their
    concessions. A team has conceded once all its seats have.
    """
    sides = teams or [(seat,) for _, seat, _ in places]
    by_rules = {seat: rank for rank, seat, _ in places}
    gone = [side for side in sides if all(seat in conceded for seat in side)]
    gone.sort(key=lambda side: -max(conceded[seat] for seat in side))
    stayed = [side for side in sides if side not in gone]
    rank = {
        seat: 1 + sum(by_rules[other[0]] < by_rules[side[0]] for other in stayed)
        for side in stayed
        for seat in side
    }
    rank.update((seat, below) for below, side in enumerate(gone, start=len(stayed) + 1) for seat in side)
    found = [(rank[seat], seat, score) for _, seat, score in places]
    return sorted(found, key=lambda place: place[0])
