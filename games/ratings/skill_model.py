"""The skill model: Bradley-Terry over all pairs of a game, from openskill.

A game counts as one game of each player against each other; equal ranks are a draw. Strength is a number `mu`
with an uncertainty `sigma`; all members begin with the same values. In a team game the teams are the players,
and the strength of a team is the sum of its members’. A bot level always plays equally well, so its strength
is fixed. It was measured (docs/bots.md) and keeps the scale in place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from typing import Any, Final

from openskill.models import BradleyTerryFull

from games.models import OVERALL, TEAM_GAMES
from games.ratings.level_strengths import LEVEL_STRENGTHS

_MODEL: Final = BradleyTerryFull()

# The values of a new member.
MU: Final = float(_MODEL.mu)
SIGMA: Final = float(_MODEL.sigma)

# Of two players with well-known strengths, the odds that one finishes first are exp(difference / SCALE).
SCALE: Final = sqrt(2) * float(_MODEL.beta)

# A rating is provisional until its sigma is this low and it has this many games. Large tables tell much: by
# sigma alone one lucky game of six players could lead the leaderboard.
CERTAIN: Final = 6.5
FEWEST_GAMES: Final = 6

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
    def is_certain(self) -> bool:
        """Return whether the rating is no longer provisional."""
        return self.sigma <= CERTAIN and self.games >= FEWEST_GAMES

    @property
    def proven(self) -> float:
        """A lower bound of the strength, which the games all but prove."""
        return self.mu - 3 * self.sigma


# Uncertainty of the levels: people may find a level stronger or weaker than other bots did.
_SURE: Final = 1.0

# Changes with everything beside the places of a game from which ratings follow.
_PARAMETERS: Final = (
    (MU, SIGMA, _MODEL.beta, _MODEL.kappa, _MODEL.tau),
    (CERTAIN, FEWEST_GAMES, _SURE),
    LEVEL_STRENGTHS,
)
VERSION: Final = f"{type(_MODEL).__name__} {sha256(repr(_PARAMETERS).encode()).hexdigest()[:12]}"


def bot_strength(system: str, level: str, players: int) -> float:
    """The fixed strength of a level; that of a new member if it was not measured.

    In team games it is that for any number of players.
    """
    players = OVERALL if players == TEAM_GAMES else players
    return LEVEL_STRENGTHS.get(system, {}).get(level, {}).get(players, MU)


def levels(system: str) -> list[str]:
    """The bot levels with a measured strength, the weakest first."""
    return list(LEVEL_STRENGTHS.get(system, {}))


def points(mu: float) -> int:
    """The displayed rating."""
    return round(POINTS_AT_THE_START + POINTS_A_UNIT * (mu - MU))


def after_game(
    system: str,
    players: int,
    places: Sequence[tuple[int | str, int]],
    known: Mapping[int, Strength],
    teams: Sequence[Sequence[int]] = (),
) -> dict[int, Strength]:
    """The new strengths of a game's people, by their keys.

    `places` are pairs of the key of a person or the level of a bot, and a rank; equal ranks are a tie.
    `players` is the number of players of the pool, and `known` the previous strengths. `teams` are the seats
    of each team, where partners have the same rank; none if everybody plays alone.
    """
    sides = teams or [(seat,) for seat in range(len(places))]
    before = [_rating(system, players, who, known) for who, _ in places]
    ranks = [float(places[side[0]][1]) for side in sides]
    rated = _MODEL.rate([[before[seat] for seat in side] for side in sides], ranks=ranks)
    after = {
        seat: new
        for side, of_side in zip(sides, rated, strict=True)
        for seat, new in zip(side, of_side, strict=True)
    }
    return {
        who: Strength(
            mu=after[seat].mu,
            sigma=after[seat].sigma,
            games=known.get(who, NEW_PLAYER).games + 1,
            wins=known.get(who, NEW_PLAYER).wins + (rank == 1),
        )
        for seat, (who, rank) in enumerate(places)
        if isinstance(who, int)
    }


def after_duel(one: Strength, other: Strength, *, won: bool) -> Strength:
    """The new strength of `one` after a game of two against `other`."""
    ratings = [[_MODEL.rating(mu=who.mu, sigma=who.sigma)] for who in (one, other)]
    [[after], _other] = _MODEL.rate(ratings, ranks=[1.0, 2.0] if won else [2.0, 1.0])
    return Strength(mu=after.mu, sigma=after.sigma, games=one.games + 1, wins=one.wins + won)


NEW_PLAYER: Final = Strength()


def _rating(system: str, players: int, who: int | str, known: Mapping[int, Strength]) -> Any:
    if isinstance(who, str):
        return _MODEL.rating(mu=bot_strength(system, who, players), sigma=_SURE)
    strength = known.get(who, NEW_PLAYER)
    return _MODEL.rating(mu=strength.mu, sigma=strength.sigma)
