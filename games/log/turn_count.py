"""The number of turns that a game has had."""

from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games.engine.rules.rule_systems import SYSTEMS
from games.log.positions import lines, standing_moves
from games.log.rulings import GOES_BACK, RULING_KINDS
from games.models import Game, LogEntry

_GOES_BACK: Final = {RULING_KINDS[kind].partition("{")[0] for kind in GOES_BACK}


def turn_annotations() -> dict[str, Any]:
    """Annotations for the query of a game that is shown, so that `turn_number` needs no query of its own.

    `turns_begun` counts the moves that begin a turn, also those that were taken back; `went_back` tells
    whether there may be any.
    """
    log = LogEntry.objects.filter(game=OuterRef("pk"))
    first = log.filter(_begins_with(_first_moves()), kind=LogEntry.Kind.MOVE)
    counted = first.order_by().values("game").annotate(n=Count("pk")).values("n")
    return {
        "turns_begun": Coalesce(Subquery(counted, output_field=IntegerField()), 0),
        "went_back": Exists(log.filter(_begins_with(_GOES_BACK), kind=LogEntry.Kind.RULING)),
    }


def turn_number(game: Game) -> int:
    """The number of the present turn of a running game that was read with `turn_annotations`."""
    begun: int = game.turns_begun  # type: ignore[attr-defined]
    if game.went_back:  # type: ignore[attr-defined]
        first = game.rule_system.FIRST_MOVES
        begun = sum(move.text.split()[0] in first for move in standing_moves(lines(game)))
    return begun + (game.decision_kind in game.rule_system.FIRST_DECISIONS)


def _first_moves() -> set[str]:
    """First words of moves that begin a turn in any system; no system uses one of another for other moves."""
    return {word for system in SYSTEMS.values() for word in system.FIRST_MOVES}


def _begins_with(words: set[str]) -> Q:
    return reduce(or_, (Q(text__startswith=text) for text in sorted(words)))
