"""Teams: partners sit evenly spaced, and the sum of their money decides."""

from collections.abc import Sequence
from typing import Final

from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import SEATS
from games.engine.rules.seeded_random import shuffled

# The number of teams, and the numbers of players it is for.
TEAM_COUNTS: Final = {"none": 0, "two": 2, "three": 3}
SEAT_COUNTS: Final = {"none": tuple(SEATS), "two": (4, 6), "three": (6,)}


def seat_counts(rules: Rules) -> tuple[int, ...]:
    """The numbers of players that these rules are for."""
    return SEAT_COUNTS[rules.teams]


def teams(rules: Rules, seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each team; empty if everybody plays alone."""
    count = TEAM_COUNTS[rules.teams]
    return tuple(tuple(range(first, seats, count)) for first in range(count))


def partners(rules: Rules, seats: int, seat: int) -> tuple[int, ...]:
    """The seats of this seat's team, its own among them; the seat alone if everybody plays alone."""
    count = TEAM_COUNTS[rules.teams]
    return tuple(range(seat % count, seats, count)) if count else (seat,)


def seat_teams(rules: Rules, players: int, seed: bytes) -> list[int]:
    """The seating order of a team game: all is drawn but who plays with whom.

    Before the deal the numbers of the players tell their teams, as those of the seats do after it.
    """
    count = TEAM_COUNTS[rules.teams]
    drawn = shuffled(seed, "seats", range(players))
    order = list(dict.fromkeys(player % count for player in drawn))
    members = [[player for player in drawn if player % count == team] for team in order]
    return [members[seat % count][seat // count] for seat in range(players)]


def ranking(rules: Rules, dollars: Sequence[int]) -> list[tuple[int, int, int]]:
    """Rank, seat and dollars, the winner first; equal money is an equal rank (1, 2, 2, 4).

    In a team game partners stand together, and the ranks are those of the teams by the sums of their money,
    with equal ranks for equal sums (1, 1, 2, 2).
    """
    sides = teams(rules, len(dollars)) or tuple((seat,) for seat in range(len(dollars)))
    sums = {side: sum([dollars[seat] for seat in side]) for side in sides}
    return [
        (1 + sum([more > sums[side] for more in sums.values()]), seat, dollars[seat])
        for side in sorted(sides, key=lambda side: -sums[side])
        for seat in sorted(side, key=lambda seat: -dollars[seat])
    ]
