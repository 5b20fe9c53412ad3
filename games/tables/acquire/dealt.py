"""The deal once more, for whoever wants to check it."""

from collections.abc import Sequence
from typing import Any

from games.rules import acquire
from games.rules.acquire import LONE, SQUARE_NAMES, Rules


def deal_context(rules: Rules, names: Sequence[str], seed: bytes) -> dict[str, Any]:
    """What games/deal.html shows of the deal of a game that is over; `names` are in the order of seats."""
    state = acquire.deal(rules, len(names), seed)
    bag = [SQUARE_NAMES[tile] for tile in reversed(state.bag)]
    return {
        "seats": list(names),
        "first": names[state.first],
        "starting_tiles": [SQUARE_NAMES[square] for square, value in enumerate(state.board) if value == LONE],
        "hands": [
            (name, [SQUARE_NAMES[tile] for tile in sorted(hand)])
            for name, hand in zip(names, state.hands, strict=True)
        ],
        "bag": bag,
        "verify_command": (
            f"python manage.py deal {seed.hex()} --players {len(names)}"
            f" --rules '{acquire.rules_to_text(rules)}'"
        ),
    }
