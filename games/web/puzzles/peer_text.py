"""The answers of players of the reader's rating in words."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import ngettext

from games.models import Puzzle
from games.puzzles.peer_choices import peer_choices
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople


def peer_sentences(puzzle: Puzzle | None, user: Any, seen: Any, people: TablePeople) -> Sequence[str]:
    """Sentences on what players of the reader's rating chose; none if too few have answered.

    `seen` is the observation of the seat to move with its legal moves.
    """
    found = peer_choices(puzzle, user) if puzzle is not None and user.is_authenticated else None
    if found is None or puzzle is None:
        return ()
    parse = puzzle.source.rule_system.parse_move
    words = PRESENTERS[puzzle.source.system].in_words(
        seen, people, [parse(move) for move, _n in found.choices]
    )
    return (
        ngettext(
            "{n} other player with a similar rating has answered this position.",
            "{n} other players with a similar rating have answered this position.",
            found.players,
        ).format(n=found.players),
        *(
            ngettext("{n} chose “{move}”.", "{n} chose “{move}”.", count).format(n=count, move=move)
            for (_move, count), move in zip(found.choices, words, strict=True)
        ),
    )
