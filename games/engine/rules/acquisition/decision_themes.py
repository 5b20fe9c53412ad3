"""Themes of decisions. There are no tiers and no money."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from games.engine.rules.acquisition.moves import Move
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.rule_options import Rules

THEMES: Final = ("park", "place", "buyout")
MONEY_SOURCES: Final[tuple[str, ...]] = ()


def decision_theme(seen: Observation, move: Move) -> str:
    """The theme of the observer's decision: one of THEMES."""
    return seen.decision.kind


def decision_tier(seen: Observation, move: Move) -> int:
    """Return 0: groups of buildings have no tier."""
    return 0


def money_by_source(
    rules: Rules, seats: int, events: Iterable[Any], worth: Sequence[int]
) -> list[dict[str, int]]:
    """Return nothing: the review lists the buildings."""
    return []
