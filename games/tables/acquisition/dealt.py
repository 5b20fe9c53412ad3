"""The deal once more, for whoever wants to check it."""

from collections.abc import Sequence
from typing import Any

from games.rules import acquisition
from games.rules.acquisition import Rules


def deal_context(rules: Rules, names: Sequence[str], seed: bytes) -> dict[str, Any]:
    """What games/deal.html shows of the deal of a game that is over; `names` are in the order of seats."""
    order = acquisition.seating(rules, len(names), seed)
    joined = sorted(range(len(names)), key=order.__getitem__)
    return {
        "seats": list(names),
        "joined": [names[seat] for seat in joined],
        "first": names[0],
        "verify_command": (
            f"python manage.py deal {seed.hex()} --system acquisition --players {len(names)}"
            f" --rules '{acquisition.rules_to_text(rules)}'"
        ),
    }
