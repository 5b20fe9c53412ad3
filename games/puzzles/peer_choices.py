"""The answers of members of the reader's rating, where enough of them have answered."""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count

from games.models import Game, Puzzle, PuzzleAnswer
from games.puzzles.shown_puzzles import visible_puzzles
from games.ratings.peers import similar_ratings

# Fewer answers say nothing about players of a rating.
FEWEST: Final = 5
# Answers that are told, the most frequent first.
MOST_TOLD: Final = 3


@dataclass(frozen=True, slots=True)
class PeerChoices:
    """The number of members of the reader's rating who answered, and their most frequent answers."""

    players: int
    choices: list[tuple[str, int]]


def peer_choices(puzzle: Puzzle, user: Any) -> PeerChoices | None:
    """The answers of other members of the reader's rating to a puzzle; None if there are too few."""
    peers = similar_ratings(user, puzzle.source.system).values("user")
    answers = PuzzleAnswer.objects.filter(puzzle=puzzle, user__in=peers)
    counts = list(
        answers.values("move").annotate(n=Count("pk")).order_by("-n", "move").values_list("move", "n")
    )
    players = sum(count for _move, count in counts)
    return PeerChoices(players, counts[:MOST_TOLD]) if players >= FEWEST else None


def puzzle_from(game: Game, number: int) -> Puzzle | None:
    """The visible puzzle that was made from this decision, or None."""
    return visible_puzzles().select_related("source").filter(source__game=game, number=number).first()
