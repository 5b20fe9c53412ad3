"""Themes of puzzles that were found before puzzles had themes."""

from typing import Final

from games.models import Puzzle
from games.puzzles.puzzle_positions import position
from games.puzzles.shown_puzzles import visible_puzzles

# Puzzles for one round of the sweeper; each replays a game.
_BATCH: Final = 20


def set_missing_themes() -> None:
    """Set the themes of some puzzles that have none."""
    for puzzle in visible_puzzles().filter(theme="").select_related("source__game")[:_BATCH]:
        system = puzzle.source.rule_system
        seen = system.observe(position(puzzle), puzzle.seat)
        theme = system.decision_theme(seen, system.parse_move(puzzle.best))
        Puzzle.objects.filter(pk=puzzle.pk).update(theme=theme)
