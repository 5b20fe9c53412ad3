"""Difficulty of puzzles: a strength, as if each member who answers played a game of two against the puzzle.

The member's rating in games counts as it is and does not change.
"""

from typing import Any, Final

from django.db.models import Q

from accounts.models import User
from games.models import OVERALL, Puzzle, Rating
from games.ratings.skill_model import MU, NEW_PLAYER, POINTS_A_UNIT, Strength, after_duel

# The difficulty is not told before this many members have answered.
FEWEST_SOLVERS: Final = 5
# Puzzles this many points below or above a new member are easy or hard.
STEP_POINTS: Final = 100

EASY, MEDIUM, HARD, UNRATED = "easy", "medium", "hard", "unrated"
DIFFICULTIES: Final = (EASY, MEDIUM, HARD, UNRATED)

_STEP: Final = STEP_POINTS / POINTS_A_UNIT


def rate_puzzle(puzzle: Puzzle, user: User, *, solved: bool) -> None:
    """Change the difficulty of a puzzle after the first answer of a member. Locks the puzzle."""
    row = Puzzle.objects.select_for_update().only("mu", "sigma", "solvers").get(pk=puzzle.pk)
    own = Rating.objects.filter(user=user, system=puzzle.source.system, month="", players=OVERALL).first()
    solver = NEW_PLAYER if own is None else Strength(own.mu, own.sigma)
    after = after_duel(Strength(row.mu, row.sigma), solver, won=not solved)
    row.mu, row.sigma, row.solvers = after.mu, after.sigma, row.solvers + 1
    row.save(update_fields=["mu", "sigma", "solvers"])


def difficulty(puzzle: Puzzle) -> str:
    """The difficulty of a puzzle, one of DIFFICULTIES."""
    if puzzle.solvers < FEWEST_SOLVERS:
        return UNRATED
    return EASY if puzzle.mu < MU - _STEP else HARD if puzzle.mu > MU + _STEP else MEDIUM


def of_difficulty(name: str) -> Any:
    """The condition that a puzzle has this difficulty."""
    rated = Q(solvers__gte=FEWEST_SOLVERS)
    return {
        UNRATED: ~rated,
        EASY: rated & Q(mu__lt=MU - _STEP),
        HARD: rated & Q(mu__gt=MU + _STEP),
        MEDIUM: rated & Q(mu__gte=MU - _STEP, mu__lte=MU + _STEP),
    }[name]
