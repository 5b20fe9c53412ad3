"""The deal of a finished game, to be checked."""

from collections.abc import Sequence
from typing import Any

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import LONE_TILE, SQUARE_NAMES
from games.engine.rules.acquire.position_text import rules_to_text
from games.engine.rules.acquire.rule_options import Rules


def deal_context(rules: Rules, names: Sequence[str], seed: bytes) -> dict[str, Any]:
    """The context of games/play/deal.html for a finished game; `names` are in the order of seats."""
    state = acquire.deal(rules, len(names), seed)
    bag = [SQUARE_NAMES[tile] for tile in reversed(state.bag)]
    return {
        "seats": list(names),
        "first": names[state.first],
        "starting_tiles": [
            SQUARE_NAMES[square] for square, value in enumerate(state.board) if value == LONE_TILE
        ],
        "hands": [
            (name, [SQUARE_NAMES[tile] for tile in sorted(hand)])
            for name, hand in zip(names, state.hands, strict=True)
        ],
        "bag": bag,
        "verify_command": (
            f"python manage.py show_deal {seed.hex()} --players {len(names)} --rules '{rules_to_text(rules)}'"
        ),
    }
