"""The final standings of a game."""

from collections.abc import Mapping, Sequence

from games.models import Game, Seat

# Rank, seat and score, by the rules of the game.
Place = tuple[int, int, int]


def standings(game: Game, seats: Sequence[Seat]) -> list[Place]:
    """The final places of a game with its state, the winner first; empty if it ended without a result."""
    if not game.is_finished or game.ending == Game.Ending.NONE:
        return []
    system = game.rule_system
    conceded = {seat.number: seat.concession_order for seat in seats if seat.concession_order is not None}
    return rank_with_concessions(system.standings(system.state_from_json(game.state)), conceded)


def has_result(game: Game, seat: Seat) -> bool:
    """Return whether the place of this seat in a finished game counts as a result of its person.

    It does not if the players who were left ended the game unrated while a bot played for this person.
    """
    return game.ending != Game.Ending.UNRATED or not seat.can_be_reclaimed


def rank_with_concessions(places: Sequence[Place], conceded: Mapping[int, int]) -> list[Place]:
    """The places with conceded seats below all others, the first to concede last.

    `places` are those by the rules, the winner first; `conceded` maps seats to the order of their
    concessions.
    """
    stayed = [place for place in places if place[1] not in conceded]
    above = {rank: 1 + sum(other < rank for other, _, _ in stayed) for rank, _, _ in stayed}
    gone = sorted((place for place in places if place[1] in conceded), key=lambda place: -conceded[place[1]])
    return [
        *((above[rank], seat, score) for rank, seat, score in stayed),
        *((rank, seat, score) for rank, (_, seat, score) in enumerate(gone, start=len(stayed) + 1)),
    ]
