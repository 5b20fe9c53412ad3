"""The skill model: Plackett-Luce, from openskill.

Strength is a number `mu` with an uncertainty `sigma`; all members begin with the same values. A bot level
always plays equally well, so its strength is fixed. It was measured (docs/bots.md) and keeps the scale in
place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from openskill.models import PlackettLuce

from games.models import OVERALL

_MODEL: Final = PlackettLuce()

# The values of a new member.
MU: Final = float(_MODEL.mu)
SIGMA: Final = float(_MODEL.sigma)

# Below this, a rating is no longer provisional: after about a dozen games.
CERTAIN: Final = 6.5

# Displayed ratings: with 200 more and both well known, a player wins three games of four.
POINTS_AT_THE_START: Final = 1500
POINTS_A_UNIT: Final = 30


@dataclass(frozen=True, slots=True)
class Strength:
    """Estimated strength of one player in one pool, with the numbers of games and wins."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    wins: int = 0

    @property
    def proven(self) -> float:
        """A lower bound of the strength, which the games all but prove."""
        return self.mu - 3 * self.sigma


# By level and number of players (OVERALL: any, the mean of the others), from the matches in docs/bots.md. The
# model's odds between neighbouring levels are those measured; medium has the values of a new member. The
# matches of Acquire's master are not finished, so it counts as the level below it.
_MEASURED: Final[dict[str, dict[str, Sequence[float]]]] = {
    "acquire": {
        "random": (-6.5, 7.1, -4.1, -8.8, -8.6, -17.9),
        "easy": (14.8, 20.7, 11.5, 13.1, 15.3, 13.4),
        "medium": (25.0, 25.0, 25.0, 25.0, 25.0, 25.0),
        "hard": (41.9, 33.7, 38.5, 45.7, 45.8, 45.9),
        "expert": (50.6, 38.2, 47.1, 55.6, 54.6, 57.8),
        "master": (50.6, 38.2, 47.1, 55.6, 54.6, 57.8),
    },
    # For two to four players. The weakest never won, so it has the end of its confidence interval.
    "acquisition": {
        "random": (-9.7, 1.8, -8.5, -22.4),
        "medium": (25.0, 25.0, 25.0, 25.0),
        "hard": (47.4, 44.9, 47.3, 49.9),
    },
}
# Uncertainty of the levels: people may find a level stronger or weaker than other bots did.
_SURE: Final = 1.0


def bot_strength(system: str, level: str, players: int) -> float:
    """The fixed strength of a level; that of a new member if it was not measured."""
    measured = _MEASURED.get(system, {}).get(level)
    place = players if players == OVERALL else players - 1
    return measured[place] if measured and place < len(measured) else MU


def levels(system: str) -> list[str]:
    """The bot levels with a measured strength, the weakest first."""
    return list(_MEASURED.get(system, {}))


def points(mu: float) -> int:
    """The displayed rating."""
    return round(POINTS_AT_THE_START + POINTS_A_UNIT * (mu - MU))


def is_certain(sigma: float) -> bool:
    """Return whether a rating is no longer provisional."""
    return sigma <= CERTAIN


def after_game(
    system: str, players: int, places: Sequence[tuple[int | str, int]], known: Mapping[int, Strength]
) -> dict[int, Strength]:
    """The new strengths of a game's people, by their keys.

    `places` are pairs of the key of a person or the level of a bot, and a rank; equal ranks are a tie.
    `players` is the number of players of the pool, and `known` the previous strengths.
    """
    before = [_rating(system, players, who, known) for who, _ in places]
    after = _MODEL.rate([[rating] for rating in before], ranks=[float(rank) for _, rank in places])
    return {
        who: Strength(
            mu=new[0].mu,
            sigma=new[0].sigma,
            games=known.get(who, NEW_PLAYER).games + 1,
            wins=known.get(who, NEW_PLAYER).wins + (rank == 1),
        )
        for (who, rank), new in zip(places, after, strict=True)
        if isinstance(who, int)
    }


NEW_PLAYER: Final = Strength()


def _rating(system: str, players: int, who: int | str, known: Mapping[int, Strength]) -> Any:
    if isinstance(who, str):
        return _MODEL.rating(mu=bot_strength(system, who, players), sigma=_SURE)
    strength = known.get(who, NEW_PLAYER)
    return _MODEL.rating(mu=strength.mu, sigma=strength.sigma)
